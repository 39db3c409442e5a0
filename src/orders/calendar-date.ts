const dateShape = /^(\d{4})-(\d{2})-(\d{2})$/;
const lastDays = '31 28 31 30 31 30 31 31 30 31 30 31'.split(' ');
const months = '01 02 03 04 05 06 07 08 09 10 11 12'.split(' ');
const known = new Set<string>();
const multipleOfFour = /^(?:[02468][048]|[13579][26])$/;

/** Whether the text is an existing day written `YYYY-MM-DD` (interface section 2.2). Time zones play no part. */
export function isCalendarDate(text: string): boolean {
  if (known.has(text)) return true;
  const [, year = '0000', month = '', day = '00'] = dateShape.exec(text) ?? [];
  if (year === '0000' || day === '00') return false;
  const lastDay = month === '02' && isLeapYear(year) ? '29' : lastDays[months.indexOf(month)];
  const isDay = lastDay !== undefined && day <= lastDay;
  if (isDay && known.size < 1000) known.add(text);
  return isDay;
}

export function isBefore(date: string, other: string): boolean {
  return date < other;
}

function isLeapYear(year: string): boolean {
  const century = year.slice(0, 2);
  const rest = year.slice(2);
  return multipleOfFour.test(rest === '00' ? century : rest);
}

const midnightShape =
  /^(\d{4}-\d{2}-\d{2})[T ](?:00:00(?::00(?:\.0+)?)?(?:Z|[+-]00(?::?00)?)?|(\d{2}:\d{2}):00(?:\.0+)?\+\2)$/i;

/** The day of a text that is midnight in UTC (interface section 2.2): services store a date as a time. */
export function dayOf(text: string): string | undefined {
  return midnightShape.exec(text)?.[1];
}

const dayShape = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/;
const startShape = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:\D|$)/;
const wholeShape =
  /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T, ]+\d{1,2}:[\d:.]+)?(?: ?[ap]\.?m\.?)?(?: ?(?:Z|UTC|GMT))?(?: ?[+-]\d{2}:?\d{2})?$/i;

/** The numbers of a day, with or without a time behind them. */
export function startsWithDay(text: string): boolean {
  return startShape.test(text);
}

/** `2026-12-05 10:00` → `2026-12-05`; other text as it is. */
export function dayWithoutTime(text: string): string {
  return dayShape.exec(text)?.[0] ?? text;
}

/** A day in numbers, with or without a time, and nothing else. */
export function isDayOrTime(text: string): boolean {
  return wholeShape.test(text.trim());
}
