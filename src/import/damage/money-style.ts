import { isDecimal } from '../../orders/decimal.ts';

/** What stands before the fraction of an amount. */
export const decimalMarks = ['dot', 'comma'] as const;
export type DecimalMark = (typeof decimalMarks)[number];

const currency = /^(?:₮|MNT|төг(?:рөг)?\.?)\s*|\s*(?:₮|MNT|төг(?:рөг)?\.?)$/giu;
const shapes: Record<DecimalMark, RegExp> = {
  dot: /^(\d+|\d{1,3}(?:([,'’ \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:\.(\d{1,2}))?$/,
  comma: /^(\d+|\d{1,3}(?:([.'’ \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:,(\d{1,2}))?$/,
};

/**
 * An amount as people and spreadsheets write it, with separators and a fraction of one or two digits →
 * a decimal string, or undefined when it is none in this style. No digit is guessed.
 */
export function readMoney(text: string, mark: DecimalMark): string | undefined {
  const [, whole, , fraction] = shapes[mark].exec(text.replace(currency, '')) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replace(/\D/g, '');
  const amount = fraction === undefined ? digits : `${digits}.${fraction.padEnd(2, '0')}`;
  return isDecimal(amount) ? amount : undefined;
}
