import { amountOf } from '../orders/decimal.ts';

const shape = /^(\d+)(?:\.(\d+))?$/;

/** `25000.50` → `25,000.50 ₮`, `26700.0` → `26,700 ₮`. Other text is returned unchanged. */
export function formatAmount(decimal: string): string {
  const [, whole, fraction] = shape.exec(toDecimal(decimal)) ?? [];
  if (whole === undefined) return decimal;
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
  return `${groups.join(',')}${fraction === undefined ? '' : `.${fraction}`} ₮`;
}

/** Some services return amounts with one decimal, or with four. */
export function toDecimal(text: string): string {
  const [, whole, fraction = ''] = shape.exec(text) ?? [];
  if (whole === undefined || fraction.length === 0 || fraction.length === 2) return text;
  let length = fraction.length;
  while (fraction[length - 1] === '0') length -= 1;
  return length === 0 ? whole : `${whole}.${fraction.slice(0, length).padEnd(2, '0')}`;
}

/** More digits than a spreadsheet keeps are text. */
const spreadsheetShape = /^\d{1,13}(?:\.\d{1,2})?$/;

/** An amount as a spreadsheet reads it as a number; undefined for other text. */
export function spreadsheetAmount(text: string): string | undefined {
  const number = amountOf(text);
  return spreadsheetShape.test(number) ? number : undefined;
}
