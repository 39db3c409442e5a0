import { isCalendarDate } from '../../orders/calendar-date.ts';

/** In which order the parts of a date are written. */
export const dateOrders = ['ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/;

/**
 * A date as people and spreadsheets write it → `YYYY-MM-DD`, or undefined when it is no day that exists.
 * With the year in front it can be read in one way only; otherwise `order` says which part is the day.
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
