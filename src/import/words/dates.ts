import { isCalendarDate } from '../../orders/calendar-date.ts';
import type { DateOrder } from '../choices.ts';

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/;
/** Spreadsheets and shops write midnight after a date without a time. */
const midnight = /(?:T|(?<! ) +)(?:00?:00(?::00(?:\.0+)?)?|12:00(?::00)? *AM) *Z?$/i;

/** Returns `YYYY-MM-DD`; undefined for no such day. `order` matters only when the year comes last. */
export function readDate(text: string, order: DateOrder): string | undefined {
  if (isCalendarDate(text)) return text;
  const date = text.replace(midnight, '');
  const [, year, , month, day] = yearFirst.exec(date) ?? [];
  if (year !== undefined) return calendarDate(year, month, day);
  const [, first, , second, last] = yearLast.exec(date) ?? [];
  if (last === undefined || order === 'ymd') return undefined;
  return order === 'dmy' ? calendarDate(last, second, first) : calendarDate(last, first, second);
}

function calendarDate(year: string, month = '', day = ''): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}
