import type { FieldPath } from '../../orders/field-path.ts';
import { createJsonNumber, type Json, parseJson } from '../../orders/json.ts';
import { type Condition, isFulfilled } from './condition.ts';

export const cellTypes = ['text', 'number', 'boolean', 'json'] as const;
export type CellType = (typeof cellTypes)[number];

/** A field of the orders, and the column whose cells go into it. */
export interface Column {
  index: number;
  header: string;
  path: FieldPath;
  type: CellType;
  /** True when each row's cell belongs to the line that the row carries. */
  isLine: boolean;
  /** True for a field that the interface does not name. */
  isExtra: boolean;
  rule?: CellRule;
}

/** What a mapping makes of cells before they are a field. */
export interface CellRule {
  /** The text is the default where the conditions hold; no cell is read. */
  readsNoCell?: boolean;
  /** The columns to read after the first. */
  others: readonly Pick<Column, 'index' | 'header'>[];
  /** What stands between the cells when all that are not blank are taken; else the first of them is. */
  join?: string;
  stripPrefix?: string;
  /** The cell holds several values, `name:Tea|sku:TEA-001`, and this is the one to take. */
  part?: string;
  /** The cells are taken from rows that fulfil this. */
  when?: readonly Condition[];
  /** The text when no row fulfils it, and the text when there is none. */
  otherwise?: string;
  byDefault?: string;
}

/** Why the orders of some rows are not to be delivered: what the conditions are, and who sets them. */
export interface RowRefusal {
  reason: 'pickup' | 'cancelled' | 'mapping';
  conditions: readonly Condition[];
}

/** What became of the header: the fields that are sent, and the columns that are not. */
export interface Mapping {
  columns: Column[];
  /** Headers of columns that are not sent. */
  unsent: string[];
  /** Rows that are left out, and rows whose orders are refused. */
  skipRowsWhen: readonly Condition[];
  refuseRowsWhen: readonly RowRefusal[];
  /** The column of the currency, when a preset knows it. */
  currency?: Pick<Column, 'index' | 'header'>;
}

/** The text that a row has for a field; blank when it says nothing. */
export function fieldText({ index, rule }: Column, cells: readonly string[]): string {
  const own = cells[index] ?? '';
  if (rule === undefined) return own;
  if (rule.part !== undefined) return partOf(own, rule.part);
  if (rule.readsNoCell) return '';
  if (rule.when !== undefined && !isFulfilled(rule.when, cells)) return '';
  const texts = [own, ...rule.others.map(({ index }) => cells[index] ?? '')].filter((text) => text !== '');
  const text = rule.join === undefined ? (texts[0] ?? '') : texts.join(rule.join);
  const { stripPrefix } = rule;
  return stripPrefix !== undefined && text.startsWith(stripPrefix) ? text.slice(stripPrefix.length) : text;
}

function partOf(cell: string, name: string): string {
  const part = cell.split('|').find((text) => text.trimStart().startsWith(`${name}:`));
  return part === undefined ? '' : part.slice(part.indexOf(':') + 1).trim();
}

/** The columns of which the first with text is taken, each as if it were the only one. */
export function alternativesOf(column: Column): Column[] {
  const { rule } = column;
  if (rule === undefined || rule.join !== undefined || rule.others.length === 0) return [column];
  return [column, ...rule.others].map(({ index, header }) => ({
    ...column,
    ...{ index, header, rule: { ...rule, others: [] } },
  }));
}

/** The text of a field for which these rows of an order, or of a line, have none. */
export function missingText({ rule }: Column, rows: readonly { cells: readonly string[] }[]): string {
  if (rule === undefined) return '';
  const { when, otherwise, byDefault = '' } = rule;
  if (when === undefined || otherwise === undefined) return byDefault;
  return rows.some(({ cells }) => isFulfilled(when, cells)) ? byDefault : otherwise;
}

/** Cell text → the value that is sent, or undefined when it is none of the type. Digits stay as they are. */
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
