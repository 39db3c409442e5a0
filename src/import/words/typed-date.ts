import { type Text, t } from '../../advice/advice.ts';
import { isBefore } from '../../orders/calendar-date.ts';
import { normaliseWords, wordsOf } from '../../words/phrases.ts';
import { calendarDate, daysOf, nearestOf, partsOfDay, wordsOfDay } from './dates.ts';
import lists from './day-words.json' with { type: 'json' };

type Day = keyof typeof lists.days;
type Weekday = keyof typeof lists.weekdays;

const dayNamed = wordsOf<Day>(lists.days);
const weekdayNamed = wordsOf<Weekday>(lists.weekdays);
const isNextWeek = wordsOf({ next: lists.nextWeek });

/** Which day is meant that is without a year, or without a month. */
type Way = 'next' | 'nearest';

/**
 * `tomorrow`, `баасанд`, `12/25`, `12 сарын 25` or `25 Dec` → a calendar date. The month comes before the day. Without a
 * year or a month it is the next such day, today included, or the nearest; a weekday is never today.
 */
export function readTypedDate(text: string, today: string, way: Way = 'next'): string | { problem: Text } {
  const words = wordsOfDay(text);
  const days = daysTo(words, today);
  if (days !== undefined) return addDays(today, days);
  return dateOf(text, words, today, way) ?? (isDayWithTime(text, today) ? dayOnly : notDate);
}

/** `маргааш 14 цагт`, `friday 10:00` */
function isDayWithTime(text: string, today: string): boolean {
  const time = text.trim().search(/\s\d{1,2}(?::\d\d|\s?(?:цаг|tsag|am|pm))/iu);
  return time > 0 && typeof readTypedDate(text.trim().slice(0, time), today) === 'string';
}

const notDate = { problem: t`That is not a date. Write it as tomorrow, friday, 12/25 or 2026-12-25.` };
const dayOnly = {
  problem: t`The service takes a day without a time. Write the time into the note for the courier.`,
};
const noSuchDay = {
  problem: t`That date does not exist. Write it as tomorrow, friday, 12/25 or 2026-12-25.`,
};

const dayOrder: readonly Day[] = ['yesterday', 'today', 'tomorrow', 'dayAfterTomorrow'];

function daysTo(words: string, today: string): number | undefined {
  const day = dayNamed(words);
  return day === undefined ? daysToWeekday(words, today) : dayOrder.indexOf(day) - 1;
}

/** `friday`, `баасанд` is the next one after today, `next friday` that of next week. Weeks start on Monday. */
function daysToWeekday(words: string, today: string): number | undefined {
  const week = Object.keys(lists.weekdays) as Weekday[];
  const [first = '', ...others] = words.split(' ');
  const isNext = isNextWeek(first) !== undefined;
  const name = isNext ? others.join(' ') : words;
  const weekday = weekdayNamed(name) ?? weekdayNamed(name.replace(/[дтdt]$/u, ''));
  if (weekday === undefined) return undefined;
  const now = new Date(today).getUTCDay();
  const sinceMonday = (day: number) => (day + 6) % 7;
  const index = week.indexOf(weekday);
  return isNext ? 7 - sinceMonday(now) + sinceMonday(index) : ((index - now + 6) % 7) + 1;
}

function dateOf(
  text: string,
  words: string,
  today: string,
  way: Way,
): string | { problem: Text } | undefined {
  const numbers = /^\d[\d/.-]*/.exec(text.trim())?.[0].replace(/\D$/, '') ?? '';
  const written = normaliseWords(numbers) === words ? numbers : words;
  if (/^\d{1,2}$/.test(written)) return choose(daysOfMonth(written, today), today, way) ?? noSuchDay;
  const find = (order: 'mdy' | 'dmy') => {
    const parts = partsOfDay(written, order);
    return (
      parts && (parts.year === undefined ? choose(daysOf(parts, today), today, way) : calendarDate(parts))
    );
  };
  const found = find('mdy');
  if (found !== undefined || partsOfDay(written, 'mdy') === undefined) return found;
  if (find('dmy') === undefined) return noSuchDay;
  const swapped = written.replace(/^(\d+)(\D)(\d+)/, '$3$2$1');
  return { problem: t`Please write the month first: ${swapped}.` };
}

function choose(dates: readonly string[], today: string, way: Way): string | undefined {
  return way === 'nearest' ? nearestOf(dates, today) : dates.find((date) => !isBefore(date, today));
}

/** Of the last month, this one and the next. */
function daysOfMonth(day: string, today: string): string[] {
  const [year = 0, month = 0] = today.split('-').map(Number);
  return [-1, 0, 1].flatMap((more) => {
    const first = new Date(Date.UTC(year, month - 1 + more));
    return (
      calendarDate({ year: String(first.getUTCFullYear()), month: String(first.getUTCMonth() + 1), day }) ??
      []
    );
  });
}

function addDays(date: string, days: number): string {
  const moment = new Date(date);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}
