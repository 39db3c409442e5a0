import { type FieldPath, unsafeNames } from '../../orders/field-path.ts';
import { createJsonNumber, type Json, parseJson } from '../../orders/json.ts';
import type { Problem, ProblemCode } from '../problem.ts';
import { columnLetters, type HeaderRow, type Row } from '../table/read-table.ts';
import { foldHeader } from './known-fields.ts';

export const cellTypes = ['text', 'number', 'boolean', 'json'] as const;
export type CellType = (typeof cellTypes)[number];

export interface Column {
  index: number;
  header: string;
  path: FieldPath;
  type: CellType;
  /** Whether the cell of a row belongs to the line that the row carries. */
  isLine: boolean;
  /** Whether the interface does not name the field. */
  isExtra: boolean;
  rule?: CellRule;
}

/** How a mapping turns cells into the text of a field. */
export interface CellRule {
  /** No cell is read: the text is the default where the conditions hold. */
  readsNoCell?: boolean;
  others: readonly Pick<Column, 'index' | 'header'>[];
  /** Joins all cells that are not blank with this; without it the first of them is taken. */
  join?: string;
  stripPrefix?: string;
  /** The name of the value to take from a cell such as `name:Tea|sku:TEA-001`. */
  part?: string;
  /** Only rows that meet these conditions are read. */
  when?: readonly Condition[];
  /** The text when no row meets them, and the text when there is none. */
  otherwise?: string;
  byDefault?: string;
}

/** Orders with a row that meets all conditions are not delivered. */
export interface NotDeliverableRule {
  reason: 'pickup' | 'cancelled' | 'mapping';
  conditions: readonly Condition[];
}

export interface Mapping {
  columns: Column[];
  unsent: string[];
  skipRowsWhen: readonly Condition[];
  notDeliverableWhen: readonly NotDeliverableRule[];
  /** The currency column, when a preset names it. */
  currency?: Pick<Column, 'index' | 'header'>;
}

export function fieldText({ index, rule }: Column, cells: readonly string[]): string {
  const cell = cells[index] ?? '';
  if (rule === undefined) return cell;
  if (rule.part !== undefined) return partOf(cell, rule.part);
  if (rule.readsNoCell) return '';
  if (rule.when !== undefined && !meetsAll(rule.when, cells)) return '';
  const texts = [cell, ...rule.others.map(({ index }) => cells[index] ?? '')].filter((text) => text !== '');
  const text = rule.join === undefined ? (texts[0] ?? '') : texts.join(rule.join);
  const { stripPrefix } = rule;
  return stripPrefix !== undefined && text.startsWith(stripPrefix) ? text.slice(stripPrefix.length) : text;
}

function partOf(cell: string, name: string): string {
  const part = cell.split('|').find((text) => text.trimStart().startsWith(`${name}:`));
  return part === undefined ? '' : part.slice(part.indexOf(':') + 1).trim();
}

/** One column for each alternative of which the first with text is taken. */
export function alternativesOf(column: Column): Column[] {
  const { rule } = column;
  if (rule === undefined || rule.join !== undefined || rule.others.length === 0) return [column];
  return [column, ...rule.others].map(({ index, header }) => ({
    ...column,
    index,
    header,
    rule: { ...rule, others: [] },
  }));
}

/** The text of a field when none of these rows has any. */
export function missingText({ rule }: Column, rows: readonly { cells: readonly string[] }[]): string {
  if (rule === undefined) return '';
  const { when, otherwise, byDefault = '' } = rule;
  if (when === undefined || otherwise === undefined) return byDefault;
  return rows.some(({ cells }) => meetsAll(when, cells)) ? byDefault : otherwise;
}

/** Cell text → the value to send, or undefined when the text does not fit the type. Digits stay as written. */
export function parseCell(text: string, type: CellType): Json | undefined {
  switch (type) {
    case 'text':
      return text;
    case 'boolean':
      return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined;
    case 'number':
      return createJsonNumber(text);
    case 'json':
      return parseOrUndefined(text);
  }
}

function parseOrUndefined(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export interface Condition {
  index: number;
  header: string;
  matches(text: string): boolean;
}

/** `wanted` is a value or several; `*` matches any text, an empty value a blank cell. Case does not matter. */
export function createCondition(
  index: number,
  header: string,
  wanted: string | readonly string[],
): Condition {
  const values = (typeof wanted === 'string' ? [wanted] : wanted).map(fold);
  return {
    index,
    header,
    matches: (text) => values.some((value) => (value === '*' ? text !== '' : value === fold(text))),
  };
}

export function meetsAll(conditions: readonly Condition[], cells: readonly string[]): boolean {
  return conditions.every(({ index, matches }) => matches(cells[index] ?? ''));
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}

/** Where a row is in the file, and its cell when the problem is about one column. */
export function locationOf(
  { row, line, cells }: Row,
  column?: Pick<Column, 'index' | 'header'>,
): Partial<Problem> {
  if (column === undefined) return { row, line };
  const value = cells[column.index] ?? '';
  return {
    row,
    line,
    column: columnLetters(column.index),
    header: column.header,
    ...(value === '' ? {} : { value }),
  };
}

export interface Header extends HeaderRow {
  /** The column with this name, in any case and spacing. */
  indexOf(name: string): number | undefined;
}

export function createHeader(row: HeaderRow): Header {
  const byName = new Map<string, number>();
  for (const [index, name] of row.cells.entries()) {
    const folded = foldHeader(name);
    if (folded !== '' && !byName.has(folded)) byName.set(folded, index);
  }
  return { ...row, indexOf: (name) => byName.get(foldHeader(name)) };
}

export function checkNames(header: Header): Problem[] {
  return header.cells.flatMap((name, index) => {
    const unsafe = unsafePart(name);
    if (unsafe !== undefined) {
      const problem = `"${unsafe}" cannot be part of a field path`;
      return [headerProblem(header, index, 'header_unsafe', problem, 'rename the column or remove it')];
    }
    const first = header.cells.indexOf(name);
    if (first === index || name === '') return [];
    const problem = `is also the name of column ${columnLetters(first)}`;
    return [headerProblem(header, index, 'header_duplicate', problem, 'rename one of the two')];
  });
}

/** The problem of a column without a name in which a row has text; an empty one is ignored. */
export function blankHeaderProblem(header: Row, index: number): Problem {
  const problem = 'has no name, but some of its cells have text';
  return headerProblem(header, index, 'header_blank', problem, 'name the column or remove it');
}

export function headerProblem(
  { row, line, cells }: Row,
  index: number,
  code: ProblemCode,
  problem: string,
  fix: string,
): Problem {
  const header = cells[index] ?? '';
  const column = columnLetters(index);
  return { about: 'header', severity: 'error', code, row, line, column, header, problem, fix };
}

function unsafePart(name: string): string | undefined {
  const parts = name.split(/[.[\]:]/).map((part) => part.trim());
  return parts.find((part) => unsafeNames.has(part));
}
