import { formatFieldPath } from '../orders/field-path.ts';
import { moneyFields } from '../orders/order.ts';
import { type DateOrder, readDate } from './damage/date-order.ts';
import { type DecimalMark, readMoney } from './damage/money-style.ts';
import type { Column } from './map/column.ts';

/** How the amounts and dates of a file are written, when somebody says so. */
export interface Spelling {
  decimal?: DecimalMark | undefined;
  dateOrder?: DateOrder | undefined;
}

/**
 * What the text of a column stands for: amounts and dates as the service takes them where they can be read in one
 * way only, every other text as it is, to be refused by the checks where it must be.
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
