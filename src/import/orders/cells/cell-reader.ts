import { formatFieldPath } from '../../../orders/field-path.ts';
import { moneyFields } from '../../../orders/order.ts';
import type { DecimalMark, PlanFlags } from '../../choices.ts';
import type { Column } from '../../mapping/column.ts';
import { readDate } from '../../words/dates.ts';
import { readMoney } from '../../words/money.ts';
import { withoutUnit } from '../../words/quantity.ts';

export interface CellFormat extends Pick<PlanFlags, 'decimal' | 'dateOrder'> {
  hasNumberCells?: boolean | undefined;
}

type CellKind = 'money' | 'date' | 'phone' | 'quantity';

export function kindOfCells({ path, type }: Pick<Column, 'path' | 'type'>): CellKind | undefined {
  if (path.length === 3 && path[0] === 'items' && path[2] === 'quantity') return 'quantity';
  if (type !== 'text') return undefined;
  const field = formatFieldPath(path);
  if (field === 'requestedDeliveryDate') return 'date';
  if (field === 'customer.phone') return 'phone';
  return moneyFields.some((name) => name === field) ? 'money' : undefined;
}

/** Writes a cell in the service's format when it can be read in only one way; other text stays unchanged. */
export function createCellReader(column: Column, cellFormat: CellFormat) {
  const { decimal, dateOrder = 'ymd' } = cellFormat;
  switch (kindOfCells(column)) {
    case 'money':
      return (text: string) => readAmount(text, cellFormat) ?? text;
    case 'date':
      return (text: string) => readDate(text, dateOrder) ?? text;
    case 'phone':
      return (text: string) => (text.includes('.') ? text.replace(paddedNumber, '$1') : text);
    case 'quantity':
      return (text: string) => readQuantity(text, decimal) ?? text;
    case undefined:
      return (text: string) => text;
  }
}

/** Returns a decimal string. Three decimals may be thousands, so in a text only the mark decides. */
export function readAmount(text: string, { decimal, hasNumberCells }: CellFormat): string | undefined {
  return readMoney(text, hasNumberCells && cellNumber.test(text) ? 'dot' : decimal);
}

const cellNumber = /^\d+\.\d{1,2}$/;
/** A number with the `.0` that a spreadsheet adds. */
const paddedNumber = /^(\+?\d{8,})\.00?$/;
const quantityWithDecimals = /^([1-9]\d*)(?:([.,])(0+))?$/;

/** `2`, `2ш`, `2.0`, `2.0000` → `2`. Three zeros may be thousands unless the decimal mark is known. */
function readQuantity(text: string, decimal: DecimalMark | undefined): string | undefined {
  if (/^[1-9]$/.test(text)) return text;
  const counted = withoutUnit(text);
  if (counted !== text && /^[1-9]\d*$/.test(counted)) return counted;
  const [, whole, mark, zeros = ''] = quantityWithDecimals.exec(text) ?? [];
  const isDecimal = zeros.length !== 3 || decimal === (mark === '.' ? 'dot' : 'comma');
  return isDecimal ? whole : undefined;
}
