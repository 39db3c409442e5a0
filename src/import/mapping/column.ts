import { t } from '../../advice/advice.ts';
import { type FieldPath, FieldPathError, formatFieldPath, parseFieldPath } from '../../orders/field-path.ts';
import { createJsonNumber, type Json, parseJson } from '../../orders/json.ts';
import { moneyFields } from '../../orders/order.ts';
import { kindOfPhone, phonesIn } from '../../orders/phone.ts';
import { type CellType, cellTypes, type PlanFlags } from '../choices.ts';
import { knownPath, type NamedColumn } from '../columns/header.ts';
import type { Problem, ProblemText } from '../problem.ts';
import { columnLetters, type Row } from '../read/read-table.ts';
import { readDate } from '../words/dates.ts';
import { readMoney } from '../words/money.ts';
import { readQuantity } from '../words/quantity.ts';
import { type Condition, foldCell, meetsAll } from './conditions.ts';

/** What may say which field a column holds, from the highest to the lowest precedence. */
export const mappingSources = ['flag', 'file', 'path', 'preset', 'alias'] as const;

/** A column that fills a field. */
export interface Column extends NamedColumn {
  path: FieldPath;
  type: CellType;
  /** Whether the cell of a row belongs to the line that the row carries. */
  isLine: boolean;
  /** Whether the interface does not name the field. */
  isExtra: boolean;
  /** What chose the path. */
  source?: (typeof mappingSources)[number];
  /** The column that a person sees, when the text is a part of its cells. */
  shownIndex?: number;
  rule?: CellRule;
}

/** Whether a preset or a usual name of the field chose the path, and not the user. */
export function isPathAssumed({ source }: Column): boolean {
  return source === 'preset' || source === 'alias';
}

/** Whether the header or a flag of this run has the path itself. */
export function isSpelledOut({ source }: Column): boolean {
  return source === 'path' || source === 'flag';
}

/** Whether a column, or a constant, is of this field. */
export function fills(field: string): (filler: Pick<Column, 'path'>) => boolean {
  return ({ path }) => formatFieldPath(path) === field;
}

const unknownSuffix = /\.[^.:]*:([a-z]+)$/i;

/** `items[].quantity:number` → its name and type, as headers, flags and mapping files write them. */
export function splitType(text: string): { name: string; type: CellType; hasType: boolean } {
  const type = cellTypes.find((each) => text.endsWith(`:${each}`));
  if (type === undefined) return { name: text.trim(), type: 'text', hasType: false };
  return { name: text.slice(0, -type.length - 1).trim(), type, hasType: true };
}

/** Text such as `items[].quantity:number` → the field that it names. Error: FieldPathError. */
export function parseTarget(text: string): Pick<Column, 'path' | 'type' | 'isLine' | 'isExtra'> {
  const { name, type } = splitType(text);
  const [, suffix] = unknownSuffix.exec(name) ?? [];
  if (suffix !== undefined) {
    throw new FieldPathError(t`":${suffix}" is not a type; the types are :${cellTypes.join(', :')}`);
  }
  const known = knownPath(name);
  const path = parseFieldPath(known ?? name);
  return { path, type, isLine: path.includes(null), isExtra: known === undefined };
}

/** What is put before each order ID; blank when the mapping says that nothing is. */
export function idPrefixIn(columns: readonly Column[]): string | undefined {
  return columns.find(fills('externalOrderId'))?.rule?.prefix;
}

export interface CellRule {
  /** No cell is read: the text is the default where the conditions hold. */
  readsNoCell?: boolean;
  others: readonly NamedColumn[];
  /** Joins all cells that are not blank with this; without it the first of them is taken. */
  join?: string;
  stripPrefix?: string;
  /** Written before the text; `` says that nothing is to be. */
  prefix?: string;
  /** Cell → text to send; a cell that is not listed is a problem. */
  values?: ReadonlyMap<string, string>;
  /** The amount of an order is the sum of those of its rows. */
  sums?: boolean;
  /** Of several texts in one cell, only this one is read. */
  pick?: 'first' | 'last';
  /** Texts that stand for a blank cell. */
  blanks?: ReadonlySet<string>;
  /** The columns whose numbers are subtracted, and why nothing is left when they are as large. */
  minus?: { columns: readonly NamedColumn[]; reason: 'refunded' | 'fulfilled' };
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
  if (rule.minus !== undefined) {
    return rule.minus.columns.reduce((left, gone) => difference(left, cells[gone.index] ?? ''), cell);
  }
  const text = joinedText(index, rule, cells);
  const { stripPrefix, values, pick, prefix = '' } = rule;
  if (values !== undefined) return values.get(foldCell(text)) ?? text;
  if (pick !== undefined) {
    const texts = text
      .split(/[;,/|\n]/)
      .map((part) => part.trim())
      .filter((part) => part !== '');
    const arePhones = texts.length === 1 && kindOfPhone(text) === 'several';
    return (arePhones ? phonesIn(text) : texts).at(pick === 'first' ? 0 : -1) ?? '';
  }
  const bare =
    stripPrefix !== undefined && text.startsWith(stripPrefix) ? text.slice(stripPrefix.length) : text;
  return bare === '' ? '' : prefix + bare;
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

/** A text that is not a number is kept, so that the checks see it. */
function difference(ordered: string, refunded: string): string {
  if (ordered === '' || refunded === '') return ordered;
  const [all, gone] = [ordered, refunded.replace(/^-/, '')].map((text) => readQuantity(text));
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
  return [column, ...rule.others].map((other) => ({ ...column, ...other, rule: { ...rule, others: [] } }));
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

export interface CellFormat extends Pick<PlanFlags, 'decimal' | 'dateOrder'> {
  /** A day without a year is near it. */
  today: string;
}

type CellKind = 'money' | 'date' | 'phone' | 'quantity' | 'price';

export function kindOfCells({ path, type }: Column): CellKind | undefined {
  if (path.length === 3 && path[0] === 'items' && path[2] === 'quantity') return 'quantity';
  if (path.length === 3 && path[0] === 'items' && path[2] === 'unitPrice') return 'price';
  if (type !== 'text') return undefined;
  const field = formatFieldPath(path);
  if (field === 'requestedDeliveryDate') return 'date';
  if (field === 'customer.phone') return 'phone';
  return moneyFields.some((name) => name === field) ? 'money' : undefined;
}

/** Not three digits after a dot, which may be thousands. */
const plainNumber = /^\d+(?:\.(?!\d{3}$)\d+)?$/;

/** Writes a cell in the service's format when it can be read in only one way; other text stays unchanged. */
export function createCellReader(column: Column, { decimal, dateOrder = 'ymd', today }: CellFormat) {
  switch (kindOfCells(column)) {
    case 'money':
      return (text: string) => readMoney(text, decimal) ?? text;
    case 'price':
      return (text: string) => (plainNumber.test(text) ? undefined : readMoney(text, decimal)) ?? text;
    case 'date':
      return (text: string) => readDate(text, dateOrder, today) ?? text;
    case 'phone':
      return (text: string) => (text.includes('.') ? text.replace(paddedNumber, '$1') : text);
    case 'quantity':
      return (text: string) => (/^[1-9]$/.test(text) ? text : (readQuantity(text, decimal) ?? text));
    case undefined:
      return (text: string) => text;
  }
}

/** A number with the `.0` that a spreadsheet adds. */
const paddedNumber = /^(\+?\d{8,})\.00?$/;
/** Where a row is in the file, and its cell when the problem is about one column. */
export function locationOf(
  { row, line, cells }: Row,
  column?: NamedColumn & Pick<Column, 'shownIndex'>,
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
  column: NamedColumn | undefined,
  text: ProblemText,
): Problem {
  const location = row === undefined ? {} : locationOf(row, column);
  return { about: 'order', severity: 'error', externalOrderId, ...location, ...text };
}
