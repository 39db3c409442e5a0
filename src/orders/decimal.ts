export const decimalShape = /^(?:0|[1-9]\d*)(?:\.\d{2})?$/;
const zeroShape = /^0(?:\.00)?$/;
const numberShape = /^([+-]?)0*(0|[1-9]\d*)(?:\.(\d+))?$/;

/** Digits, or digits, a dot and two digits (interface section 2.4). Any length. */
export function isDecimal(text: string): boolean {
  return decimalShape.test(text);
}

export function isZeroDecimal(text: string): boolean {
  return zeroShape.test(text);
}

/** `25000`, `25000.0`, `025000.00` and `25,000.00 ₮` are the same amount. */
export function isSameAmount(left: string, right: string): boolean {
  return amountOf(left) === amountOf(right);
}

/** Exact, for any length. Other texts are ignored; the sum of none is undefined. */
export function createSum() {
  let hundredths: bigint | undefined;
  return {
    add: (decimal: string | undefined): void => {
      if (decimal === undefined || !isDecimal(decimal)) return;
      hundredths = (hundredths ?? 0n) + toHundredths(decimal);
    },
    value: (): string | undefined => (hundredths === undefined ? undefined : fromHundredths(hundredths)),
  };
}

/** Exact difference of decimal strings, written as the first is; undefined when it would be below zero. */
export function subtractDecimals(whole: string, parts: readonly string[]): string | undefined {
  const rest = parts.reduce((left, part) => left - toHundredths(part), toHundredths(whole));
  if (rest < 0n) return undefined;
  const text = fromHundredths(rest);
  return whole.includes('.') && !text.includes('.') ? `${text}.00` : text;
}

export function toHundredths(decimal: string): bigint {
  return BigInt(decimal.includes('.') ? decimal.replace('.', '') : `${decimal}00`);
}

/** The opposite of `toHundredths`, below zero too. */
export function fromHundredths(hundredths: bigint): string {
  if (hundredths < 0n) return `-${fromHundredths(-hundredths)}`;
  const digits = hundredths.toString().padStart(3, '0');
  const fraction = digits.slice(-2);
  return fraction === '00' ? digits.slice(0, -2) : `${digits.slice(0, -2)}.${fraction}`;
}

/** `4500000n` → `45,000`, to show. */
export function formatHundredths(hundredths: bigint): string {
  const [whole = '', fraction] = fromHundredths(hundredths).split('.');
  return groupThousands(whole) + (fraction === undefined ? '' : `.${fraction}`);
}

/** `1,249` */
export function formatCount(count: number): string {
  return groupThousands(String(count));
}

export function groupThousands(digits: string): string {
  const head = digits.length % 3;
  const groups = digits.slice(head).match(/\d{3}/g) ?? [];
  return (head === 0 ? groups : [digits.slice(0, head), ...groups]).join(',');
}

const currency = /^(?:MNT|₮)|(?:MNT|₮)$/giu;
const groupedShape = /^[+-]?\d{1,3}(?:([,'’_\s])\d{3})(?:\1\d{3})*(?:\.\d+)?$/u;
/** With a decimal comma: `45.000,00`, `45 000,5`. */
const commaShape = /^[+-]?(?:\d+|\d{1,3}(?:([.'’_\s])\d{3})(?:\1\d{3})*),\d{1,2}$/u;

export function withoutCurrency(text: string): string {
  return text.trim().replace(currency, '').trim();
}

/** The same text for all forms of one amount; other text is unchanged. */
export function amountOf(text: string): string {
  const amount = withoutCurrency(text);
  if (groupedShape.test(amount)) return plainAmount(amount.replace(/[,'’_\s]/gu, ''));
  if (commaShape.test(amount)) return plainAmount(amount.replace(/[.'’_\s]/gu, '').replace(',', '.'));
  return numberShape.test(amount) ? plainAmount(amount) : text;
}

/** `25000.5` and `25,000.50 ₮` → `25000.50`. Undefined for other text, and for parts of a hundredth. */
export function decimalOf(text: string): string | undefined {
  const [, whole, fraction] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(amountOf(text)) ?? [];
  if (whole === undefined) return undefined;
  return fraction === undefined ? whole : `${whole}.${fraction.padEnd(2, '0')}`;
}

/** Without leading zeros, trailing zeros of a fraction and `+`; other text is unchanged. */
export function plainAmount(text: string): string {
  const match = numberShape.exec(text);
  if (!match) return text;
  const [, sign, whole, fraction = ''] = match;
  const digits = fraction.replace(/(?<!0)0+$/, '');
  const amount = digits === '' ? `${whole}` : `${whole}.${digits}`;
  return sign === '-' && amount !== '0' ? `-${amount}` : amount;
}

const shownShape = /^(\d+)(?:\.(\d+))?$/;

/** `25000.50` → `25,000.50 ₮`, `26700.0` → `26,700 ₮`. Other text is returned unchanged. */
export function formatAmount(decimal: string): string {
  const [, whole, fraction] = shownShape.exec(toDecimal(decimal)) ?? [];
  if (whole === undefined) return decimal;
  return `${groupThousands(whole)}${fraction === undefined ? '' : `.${fraction}`} ₮`;
}

/** Some services return amounts with one decimal, or with four. */
export function toDecimal(text: string): string {
  const [, whole, fraction = ''] = shownShape.exec(text) ?? [];
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
