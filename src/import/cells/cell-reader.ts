import { isCalendarDate } from '../../orders/calendar-date.ts';
import { isDecimal } from '../../orders/decimal.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import { moneyFields } from '../../orders/order.ts';
import type { Column } from '../map/column.ts';

export interface Spelling {
  decimal?: DecimalMark | undefined;
  dateOrder?: DateOrder | undefined;
}

/**
 * Cell text → the text to send: amounts and dates in the service's format when they can be read in only one way,
 * any other text unchanged, for the checks of the order to judge.
 */
export function createCellReader(column: Column, { decimal, dateOrder = 'ymd' }: Spelling) {
  const path = formatFieldPath(column.path);
  if (column.type !== 'text') return (text: string) => text;
  if (path === 'requestedDeliveryDate') return (text: string) => readDate(text, dateOrder) ?? text;
  if (decimal !== undefined && moneyFields.some((field) => field === path)) {
    return (text: string) => readMoney(text, decimal) ?? text;
  }
  return (text: string) => text;
}

export const dateOrders = ['ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/;

/**
 * A date as people and spreadsheets write it → `YYYY-MM-DD`, or undefined when there is no such day.
 * `order` matters only when the year comes last.
 */
export function readDate(text: string, order: DateOrder): string | undefined {
  if (isCalendarDate(text)) return text;
  const [, year, , month, day] = yearFirst.exec(text) ?? [];
  if (year !== undefined) return calendarDate(year, month, day);
  const [, first, , second, last] = yearLast.exec(text) ?? [];
  if (last === undefined || order === 'ymd') return undefined;
  return order === 'dmy' ? calendarDate(last, second, first) : calendarDate(last, first, second);
}

function calendarDate(year: string, month = '', day = ''): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}

export const decimalMarks = ['dot', 'comma'] as const;
export type DecimalMark = (typeof decimalMarks)[number];

const currency = /^(?:₮|MNT|төг(?:рөг)?\.?)\s*|\s*(?:₮|MNT|төг(?:рөг)?\.?)$/giu;
const shapes: Record<DecimalMark, RegExp> = {
  dot: /^(\d+|\d{1,3}(?:([,'’ \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:\.(\d{1,2}))?$/,
  comma: /^(\d+|\d{1,3}(?:([.'’ \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:,(\d{1,2}))?$/,
};

/**
 * An amount as people and spreadsheets write it, with separators and a fraction of one or two digits →
 * a decimal string, or undefined when it is not written in this style. No digit is guessed.
 */
export function readMoney(text: string, mark: DecimalMark): string | undefined {
  const [, whole, , fraction] = shapes[mark].exec(text.replace(currency, '')) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replace(/\D/g, '');
  const amount = fraction === undefined ? digits : `${digits}.${fraction.padEnd(2, '0')}`;
  return isDecimal(amount) ? amount : undefined;
}
