export type NumberFormat = (value: number) => string;

/** The formats of dates and times that a workbook may use without declaring them. */
const builtIn = new Map<number, string>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map(
    (id) => [id, 'yyyy-mm-dd'] as const,
  ),
  ...[18, 19, 20, 21, 32, 33, 45, 46, 47].map((id) => [id, 'h:mm:ss'] as const),
  [22, 'yyyy-mm-dd h:mm'],
]);

/** The format for positive numbers; the one for negative numbers stands behind a semicolon. */
const firstFormat = /^(?:"[^"]*"?|\\.?|[^;"\\])*/su;
/** `00000`, `"A-"0000` */
const zeroFormat = /^(?:"([^"]*)")?(0+)$/;
const literal = /"[^"]*"?|\\.?|[_*].?|\[(?!(?:h+|m+|s+)\])[^\]]*\]?/gisu;

/** `is1904` counts days from 1904, as old workbooks of the Mac do. */
export function createNumberFormat(
  id: number,
  codes: ReadonlyMap<number, string>,
  is1904: boolean,
): NumberFormat {
  const [format = ''] = firstFormat.exec(codes.get(id) ?? builtIn.get(id) ?? '') ?? [];
  const shown = format.replace(literal, '').toLowerCase();
  const kind = kindOf(shown);
  if (kind !== undefined) return (value) => formatMoment(value, kind, is1904);
  const [, prefix = '', zeros] = zeroFormat.exec(format) ?? [];
  if (zeros !== undefined) {
    const fill = (digits: string) => `${prefix}${digits.padStart(zeros.length, '0')}`;
    return (value) => formatNumber(value).replace(/^\d+$/, fill);
  }
  const currency = currencyIn(format);
  return currency === undefined ? formatNumber : (value) => `${currency} ${formatNumber(value)}`;
}

type MomentKind = 'date' | 'time' | 'elapsed' | 'both';

function kindOf(shown: string): MomentKind | undefined {
  if (/[#?]|^[^s]*0/.test(shown)) return undefined;
  if (shown.includes('[')) return 'elapsed';
  const isTime = /[hs]/.test(shown);
  // Beside hours or seconds an `m` stands for minutes.
  const isDate = /[yd]/.test(shown) || (shown.includes('m') && !isTime);
  if (isDate) return isTime ? 'both' : 'date';
  return isTime ? 'time' : undefined;
}

/** A currency other than ₮ is kept: the amount must not be read as one in ₮. */
function currencyIn(format: string): string | undefined {
  const pieces = format.matchAll(/"([^"]*)"|\[\$([^\]-]*)|(\p{Sc})/gu);
  const texts = [...pieces].map(([, quoted, named, sign]) => (quoted ?? named ?? sign ?? '').trim());
  return texts.find((text) => {
    if (/^(?:₮|MNT)$/i.test(text)) return false;
    const isCode = /^[A-Z]{3}$/.test(text) && Intl.supportedValuesOf('currency').includes(text);
    return isCode || /\p{Sc}/u.test(text);
  });
}

const maxDigits = 15;

/** Without exponent, and with the 15 digits of a spreadsheet; a longer whole number keeps its exponent. */
export function formatNumber(value: number): string {
  if (Math.abs(value) >= 10 ** maxDigits) return value.toExponential(maxDigits - 1).toUpperCase();
  const rounded = Number(value.toPrecision(maxDigits));
  const text = String(rounded);
  if (text.includes('e')) return rounded.toFixed(20).replace(/(?<!0)0+$/, '');
  // Three decimals alone could be taken for thousands.
  return /\.\d{3}$/.test(text) ? `${text}0` : text;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;
const lastDay = 2_958_465;
/** What a spreadsheet shows for a number that is not a date. */
const noDate = '########';

function formatMoment(value: number, kind: MomentKind, is1904: boolean): string {
  const moment = Math.round(value * dayMilliseconds);
  const days = Math.floor(moment / dayMilliseconds);
  const day = is1904 ? days + 1462 : days;
  if (!(value >= 0) || day > lastDay) return noDate;
  const clock = new Date(moment % dayMilliseconds).toISOString().slice(11, 23);
  const time = clock.replace(/\.000$/, '');
  if (kind === 'elapsed') return `${24 * days + Number(time.slice(0, 2))}${time.slice(2)}`;
  if (kind === 'time') return time;
  return kind === 'date' ? formatDay(day) : `${formatDay(day)} ${time}`;
}

/** Spreadsheets count from 1899-12-31 as day 0, and know 29 February 1900. */
function formatDay(day: number): string {
  if (day === 60) return '1900-02-29';
  if (day === 0) return '1900-01-00';
  const moment = new Date((day - (day > 60 ? 25_569 : 25_568)) * dayMilliseconds);
  return moment.toISOString().slice(0, 10);
}
