import { readDate } from '../../import/words/dates.ts';
import { normaliseWords } from '../../import/words/phrases.ts';
import { isBefore, isCalendarDate } from '../../orders/calendar-date.ts';
import { describeDay } from '../../output/times.ts';

const dayNames = [['yesterday', 'өчигдөр'], ['today', 'өнөөдөр'], ['tomorrow', 'маргааш'], ['нөгөөдөр']];
const weekdays = [
  ['sunday', 'sun', 'ням'],
  ['monday', 'mon', 'даваа'],
  ['tuesday', 'tue', 'мягмар'],
  ['wednesday', 'wed', 'лхагва'],
  ['thursday', 'thu', 'пүрэв'],
  ['friday', 'fri', 'баасан'],
  ['saturday', 'sat', 'бямба'],
].map((names) => names.map(normaliseWords));
const months = 'january february march april may june july august september october november december'.split(
  ' ',
);

const twoNumbers = /^(\d{1,2})([/.-])(\d{1,2})$/;
const yearLast = /^\d{1,2}([/.-])\d{1,2}\1\d{4}$/;
const monthName = /^(?:(\p{L}{3,9}) (\d{1,2})|(\d{1,2}) (\p{L}{3,9}))(?: (\d{4}))?$/u;

/**
 * `tomorrow`, `friday`, `12/25`, `25.12.2026` or `25 Dec` → a calendar date. Without a year it is the next such day.
 * With dots the day comes first, otherwise the month if both are possible.
 */
export function parseTypedDate(text: string, today: string): string | undefined {
  const words = normaliseWords(text);
  const named = dayNames.findIndex((names) => names.includes(words));
  const days = named < 0 ? daysToWeekday(words, today) : named - 1;
  if (days !== undefined) return addDays(today, days);
  const typed = text.trim();
  const [, first, separator, second] = twoNumbers.exec(typed) ?? [];
  if (first !== undefined && second !== undefined) {
    const dayFirst = () => nextDay(second, first, today);
    return separator === '.' ? dayFirst() : (nextDay(first, second, today) ?? dayFirst());
  }
  const [, before, dayAfter, dayBefore, after, year] = monthName.exec(words) ?? [];
  const month = monthNumber(before ?? after);
  const day = dayAfter ?? dayBefore;
  if (month !== undefined && day !== undefined)
    return year === undefined ? nextDay(month, day, today) : calendarDate(year, month, day);
  const orders = yearLast.exec(typed)?.[1] === '.' ? (['dmy'] as const) : (['mdy', 'dmy'] as const);
  return orders.map((order) => readDate(typed, order)).find((date) => date !== undefined);
}

/** `friday` is the next one after today, `next friday` that of next week. Weeks start on Monday. */
function daysToWeekday(words: string, today: string): number | undefined {
  const isNextWeek = words.startsWith('next ');
  const name = isNextWeek ? words.slice('next '.length) : words;
  const weekday = weekdays.findIndex((names) => names.includes(name));
  if (weekday < 0) return undefined;
  const now = dayOf(today).getUTCDay();
  const sinceMonday = (day: number) => (day + 6) % 7;
  return isNextWeek ? 7 - sinceMonday(now) + sinceMonday(weekday) : ((weekday - now + 6) % 7) + 1;
}

function monthNumber(name: string | undefined): string | undefined {
  const index = name === undefined ? -1 : months.findIndex((month) => month === name || isShort(name, month));
  return index < 0 ? undefined : String(index + 1);
}

function isShort(name: string, month: string): boolean {
  return name === month.slice(0, 3) || (name === 'sept' && month === 'september');
}

function nextDay(month: string, day: string, today: string): string | undefined {
  const year = Number(today.slice(0, 4));
  return [year, year + 1]
    .map((inYear) => calendarDate(String(inYear), month, day))
    .find((date) => date !== undefined && !isBefore(date, today));
}

function calendarDate(year: string, month: string, day: string): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}

const farDays = 180;

/** A month and day in the past are taken for next year, perhaps by mistake. */
export function doubtAboutDate(date: string, today: string): string | undefined {
  const days = Math.round((dayOf(date).getTime() - dayOf(today).getTime()) / 86_400_000);
  return days > farDays ? `${describeDay(date)} is ${days} days from today.` : undefined;
}

function addDays(date: string, days: number): string {
  const moment = dayOf(date);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}

function dayOf(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}
