/** Writes a number of a cell as text. */
export type NumberFormat = (value: number) => string;

/** The formats that a workbook may use without declaring them; dates, times, and percentages are read by their codes. */
const builtIn = new Map<number, string>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map(
    (id) => [id, 'yyyy-mm-dd'] as const,
  ),
  ...[18, 19, 20, 21, 32, 33, 45, 46, 47].map((id) => [id, 'h:mm:ss'] as const),
  [22, 'yyyy-mm-dd h:mm'],
]);

/** Longer ones are in no workbook that a spreadsheet has written. */
const maxCodeLength = 255;

/** `is1904` counts days from 1904, as old workbooks of the Mac do. */
export function createNumberFormat(
  id: number,
  codes: ReadonlyMap<number, string>,
  is1904: boolean,
): NumberFormat {
  const code = codes.get(id) ?? builtIn.get(id);
  if (code === undefined || code.length > maxCodeLength || /^(?:general|standard|основной)/i.test(code))
    return formatNumber;
  const parts = splitFormat(code);
  const kind = kindOf(parts);
  if (kind !== 'number') return (value) => formatMoment(value, kind, is1904);
  const currency = currencyOf(parts);
  const isPadded = isOnlyZeros(parts);
  return (value) => {
    if (isPadded && Number.isInteger(value) && value >= 0) return fillZeros(formatNumber(value), parts);
    return `${currency}${formatNumber(value)}`;
  };
}

interface FormatPart {
  text: string;
  isLiteral: boolean;
}

/** The part of a code for positive numbers: what is shown as it is, and one character at a time what is not. */
function splitFormat(code: string): FormatPart[] {
  const parts: FormatPart[] = [];
  const piece =
    /"([^"]*)"?|\\(.)|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[(h+|m+|s+)\]|\[[^\]]*\]|[_*].|(;)|(am\/pm|a\/p)|(.)/giuy;
  for (const [, quoted, escaped, currency, elapsed, end, , other] of code.matchAll(piece)) {
    const literal = quoted ?? escaped ?? currency;
    if (end !== undefined) break;
    if (literal !== undefined) parts.push({ text: literal, isLiteral: true });
    else if (elapsed !== undefined) parts.push({ text: '[h]', isLiteral: false });
    else if (other !== undefined) parts.push({ text: other.toLowerCase(), isLiteral: false });
  }
  return parts;
}

type MomentKind = 'date' | 'time' | 'elapsed' | 'both';

function kindOf(parts: readonly FormatPart[]): MomentKind | 'number' {
  const code = parts.map(({ text, isLiteral }) => (isLiteral ? '' : text)).join('');
  if (/[#?]|^[^s]*0/.test(code)) return 'number';
  if (code.includes('[h]')) return 'elapsed';
  const isTime = /[hs]/.test(code);
  // Beside hours or seconds an `m` stands for minutes.
  const isDate = /[yd]/.test(code) || (code.includes('m') && !isTime);
  if (isDate) return isTime ? 'both' : 'date';
  return isTime ? 'time' : 'number';
}

/** Whether it has no other digits than zeros, such as `00000` and `"A-"0000`. */
function isOnlyZeros(parts: readonly FormatPart[]): boolean {
  const signs = parts.filter(({ text, isLiteral }) => !isLiteral && !' -+()'.includes(text));
  return parts.length > 1 && signs.length > 0 && signs.every(({ text }) => text === '0');
}

/** `1234` in `00000` → `01234`; the first zero takes the digits that are too many. */
function fillZeros(digits: string, parts: readonly FormatPart[]): string {
  const isZero = ({ text, isLiteral }: FormatPart) => text === '0' && !isLiteral;
  const count = parts.filter(isZero).length;
  const filled = digits.padStart(count, '0');
  const extra = filled.length - count;
  let used = 0;
  return parts
    .map((part) => {
      if (!isZero(part)) return part.text;
      const start = used === 0 ? 0 : used + extra;
      used += 1;
      return filled.slice(start, used + extra);
    })
    .join('');
}

/** A currency other than ₮ is kept: the amount must not be read as one in ₮. */
function currencyOf(parts: readonly FormatPart[]): string {
  const literals = parts.filter(({ isLiteral }) => isLiteral).map(({ text }) => text.trim());
  const unquoted = parts.filter(({ text, isLiteral }) => !isLiteral && /\p{Sc}/u.test(text));
  const sign = [...literals, ...unquoted.map(({ text }) => text)].find(isCurrency);
  return sign === undefined ? '' : `${sign} `;
}

function isCurrency(text: string): boolean {
  if (/^(?:₮|MNT)$/i.test(text)) return false;
  return (
    /\p{Sc}/u.test(text) || (/^[A-Z]{3}$/.test(text) && Intl.supportedValuesOf('currency').includes(text))
  );
}

const maxDigits = 15;

/** Without exponent, and with the 15 digits that a spreadsheet keeps; a longer whole number keeps its exponent. */
export function formatNumber(value: number): string {
  if (Math.abs(value) >= 10 ** maxDigits) return value.toExponential(maxDigits - 1).toUpperCase();
  const rounded = Number(value.toPrecision(maxDigits));
  const text = String(rounded);
  return text.includes('e') ? rounded.toFixed(20).replace(/0+$/, '') : text;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;
const lastDay = 2_958_465;
/** What a spreadsheet shows for a number that is no date. */
const noDate = '########';

function formatMoment(value: number, kind: MomentKind, is1904: boolean): string {
  const milliseconds = Math.round((value % 1) * dayMilliseconds);
  // A moment that is less than half a millisecond before midnight is the next day.
  const day = Math.floor(value) + (milliseconds === dayMilliseconds ? 1 : 0) + (is1904 ? 1462 : 0);
  if (!(value >= 0) || day > lastDay) return noDate;
  const time = new Date(milliseconds % dayMilliseconds)
    .toISOString()
    .slice(11, 23)
    .replace(/\.000$/, '');
  if (kind === 'elapsed') return `${24 * day + Number(time.slice(0, 2))}${time.slice(2)}`;
  if (kind === 'time') return time;
  const date = formatDay(day);
  return kind === 'date' ? date : `${date} ${time}`;
}

/** Spreadsheets count from 1899-12-31 as day 0, and know 29 February 1900. */
function formatDay(day: number): string {
  if (day === 60) return '1900-02-29';
  if (day === 0) return '1900-01-00';
  const moment = new Date((day - (day > 60 ? 25_569 : 25_568)) * dayMilliseconds);
  return moment.toISOString().slice(0, 10);
}
