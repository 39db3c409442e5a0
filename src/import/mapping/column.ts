import { type FieldPath, formatFieldPath } from '../../orders/field-path.ts';
import { createJsonNumber, type Json, parseJson } from '../../orders/json.ts';
import type { CellType } from '../choices.ts';
import type { Problem } from '../problem.ts';
import { columnLetters, type Row } from '../read/read-table.ts';
import { type Condition, foldCell, meetsAll } from './conditions.ts';

export interface Column {
  index: number;
  header: string;
  path: FieldPath;
  type: CellType;
  /** Whether the cell of a row belongs to the line that the row carries. */
  isLine: boolean;
  /** Whether the interface does not name the field. */
  isExtra: boolean;
  /** Whether a preset or a usual name of the field chose the path, and not the user. */
  isPathAssumed?: boolean;
  /** The column that a person sees, when the text is a part of its cells. */
  shownIndex?: number;
  rule?: CellRule;
}

/** Whether a column, or a constant, is of this field. */
export function fills(field: string): (filler: Pick<Column, 'path'>) => boolean {
  return ({ path }) => formatFieldPath(path) === field;
}

export interface CellRule {
  /** No cell is read: the text is the default where the conditions hold. */
  readsNoCell?: boolean;
  others: readonly Pick<Column, 'index' | 'header'>[];
  /** Joins all cells that are not blank with this; without it the first of them is taken. */
  join?: string;
  stripPrefix?: string;
  /** Cell → text to send; a cell that is not listed is a problem. */
  values?: ReadonlyMap<string, string>;
  /** Of several texts in one cell, only the first is read. */
  picksFirst?: boolean;
  /** Texts that stand for a blank cell. */
  blanks?: ReadonlySet<string>;
  /** The column whose number is subtracted, and why nothing is left when the numbers are equal. */
  minus?: Pick<Column, 'index' | 'header'> & { reason: 'refunded' | 'fulfilled' };
  when?: readonly Condition[];
  /** The text when no row meets the conditions, and the text when the cells are blank. */
  otherwise?: string;
  byDefault?: string;
}

export function fieldText({ index, rule }: Column, cells: readonly string[]): string {
  const cell = cells[index] ?? '';
  if (rule === undefined) return cell;
  if (rule.readsNoCell) return '';
  if (rule.when !== undefined && !meetsAll(rule.when, cells)) return '';
  if (rule.minus !== undefined) return difference(cell, cells[rule.minus.index] ?? '');
  const text = joinedText(index, rule, cells);
  const { stripPrefix, values, picksFirst } = rule;
  if (values !== undefined) return values.get(foldCell(text)) ?? text;
  if (picksFirst) return text.split(/[;,/|\n]/, 1)[0]?.trim() ?? '';
  return stripPrefix !== undefined && text.startsWith(stripPrefix) ? text.slice(stripPrefix.length) : text;
}

function joinedText(index: number, { others, join, blanks }: CellRule, cells: readonly string[]): string {
  const texts = [index, ...others.map((other) => other.index)]
    .map((place) => cells[place] ?? '')
    .filter((text) => text !== '' && !blanks?.has(foldCell(text)));
  return join === undefined ? (texts[0] ?? '') : texts.join(join);
}

/** Whether a mapping lists the values of a column, but not this one. */
export function isUnlisted({ index, rule }: Column, cells: readonly string[]): boolean {
  const text = rule === undefined ? '' : joinedText(index, rule, cells);
  return rule?.values !== undefined && text !== '' && !rule.values.has(foldCell(text));
}

const wholeNumber = /^(\d{1,9})(?:\.0+)?$/;

/** A text that is not a number is kept, so that the checks see it. */
function difference(ordered: string, refunded: string): string {
  if (ordered === '' || refunded === '') return ordered;
  const [, all] = wholeNumber.exec(ordered) ?? [];
  const [, gone] = wholeNumber.exec(refunded.replace(/^-/, '')) ?? [];
  return all === undefined || gone === undefined
    ? `${ordered} - ${refunded}`
    : String(Number(all) - Number(gone));
}

/** The columns that make an address; a country or the name of a person does not. */
export function locationColumns(address: readonly Column[]): readonly Column[] {
  const location = address.filter(({ path }) => path[0] !== 'customer' && path.at(-1) !== 'country');
  return location.length === 0 ? address : location;
}

/** One column for each alternative; the first with text is read. */
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

/** Where a row is in the file, and its cell when the problem is about one column. */
export function locationOf(
  { row, line, cells }: Row,
  column?: Pick<Column, 'index' | 'header' | 'shownIndex'>,
): Partial<Problem> {
  if (column === undefined) return { row, line };
  const index = column.shownIndex ?? column.index;
  const value = cells[index] ?? '';
  return {
    row,
    line,
    column: columnLetters(index),
    header: column.header,
    ...(value === '' ? {} : { value }),
  };
}

/** Without a column it is about the row, and without a row about the order. */
export function orderProblem(
  externalOrderId: string,
  row: Row | undefined,
  column: Pick<Column, 'index' | 'header' | 'shownIndex'> | undefined,
  fields: Pick<Problem, 'code' | 'problem' | 'fix' | 'cause' | 'path' | 'value'>,
): Problem {
  const location = row === undefined ? {} : locationOf(row, column);
  return { about: 'order', severity: 'error', externalOrderId, ...location, ...fields };
}

export type NamedColumn = Pick<Column, 'index' | 'header'>;
