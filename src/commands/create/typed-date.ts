import { type Text, t } from '../../advice/advice.ts';
import { readDate } from '../../import/words/dates.ts';
import { normaliseWords, once, spellPlainly, splitWords, wordsOf } from '../../import/words/phrases.ts';
import { isBefore, isCalendarDate } from '../../orders/calendar-date.ts';
import { describeDay } from '../../output/times.ts';
import lists from './typed-words.json' with { type: 'json' };

type Day = keyof typeof lists.days;
type Weekday = keyof typeof lists.weekdays;

const dayNamed = wordsOf<Day>(lists.days);
const weekdayNamed = wordsOf<Weekday>(lists.weekdays);
const isNextWeek = wordsOf({ next: lists.nextWeek });
const isEnding = wordsOf({ ending: lists.dayEndings });
const monthNumber = once(() =>
  wordsOf(Object.fromEntries(lists.months.map((names, index) => [index + 1, [names]]))),
);

const monthAndDay = /^(\d{1,2})([/.-])(\d{1,2})(\2(\d{4}))?$/;
const yearFirst = /^\d{4}([/.-])\d{1,2}\1\d{1,2}$/;
/** In one spelling: `12-р сарын 25`, `2026 оны 12 сарын 25`. */
const mongolianMonth = /^(?:(\d{4}) uni? )?(\d{1,2}) (?:r |dug[ae]r )?sar(?:in)? (\d{1,2})$/;
const englishMonth = /^(?:(\p{L}{3,9}) (\d{1,2})|(\d{1,2}) (\p{L}{3,9}))(?: (\d{4}))?$/u;

/**
 * `tomorrow`, `баасанд`, `12/25`, `12 сарын 25` or `25 Dec` → a calendar date. The month comes before the day. Without a
 * year or a month it is the next such day, today included; a weekday is never today.
 */
export function readTypedDate(text: string, today: string): string | { problem: Text } {
  const words = wordsOfDay(text);
  const days = daysTo(words, today);
  if (days !== undefined) return addDays(today, days);
  const numbers = /^\d[\d/.-]*/.exec(text.trim())?.[0].replace(/\D$/, '');
  const isAllNumbers = numbers !== undefined && normaliseWords(numbers) === words;
  const found = isAllNumbers ? dateOfNumbers(numbers, today) : dateOfMonth(words, today);
  return found ?? (isDayWithTime(text, today) ? dayOnly : notDate);
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

/** Without the endings of a day: `12сарын25-нд` → `12 сарын 25`, `баасан гаригт` → `баасан`. */
function wordsOfDay(text: string): string {
  const words = splitWords(text);
  while (words.length > 1 && isEnding(words.at(-1) ?? '')) words.pop();
  return words.join(' ');
}

const dayOrder: readonly Day[] = ['yesterday', 'today', 'tomorrow', 'dayAfterTomorrow'];

function daysTo(words: string, today: string): number | undefined {
  const day = dayNamed(words);
  return day === undefined ? daysToWeekday(words, today) : dayOrder.indexOf(day) - 1;
}

const week = Object.keys(lists.weekdays) as Weekday[];

/** `friday`, `баасанд` is the next one after today, `next friday` that of next week. Weeks start on Monday. */
function daysToWeekday(words: string, today: string): number | undefined {
  const [first = '', ...others] = words.split(' ');
  const isNext = isNextWeek(first) !== undefined;
  const name = isNext ? others.join(' ') : words;
  const weekday = weekdayNamed(name) ?? weekdayNamed(name.replace(/[дтdt]$/u, ''));
  if (weekday === undefined) return undefined;
  const now = dayOf(today).getUTCDay();
  const sinceMonday = (day: number) => (day + 6) % 7;
  const index = week.indexOf(weekday);
  return isNext ? 7 - sinceMonday(now) + sinceMonday(index) : ((index - now + 6) % 7) + 1;
}

type Found = string | { problem: Text } | undefined;

function dateOfNumbers(numbers: string, today: string): Found {
  if (/^\d{1,2}$/.test(numbers)) return nextDayOfMonth(numbers, today) ?? noSuchDay;
  const [, first, mark, second, , year] = monthAndDay.exec(numbers) ?? [];
  if (first === undefined || second === undefined) {
    return yearFirst.test(numbers) ? (readDate(numbers, 'ymd') ?? noSuchDay) : undefined;
  }
  const date = (month: string, day: string) =>
    year === undefined ? nextDay(month, day, today) : calendarDate(year, month, day);
  const found = date(first, second);
  if (found !== undefined || date(second, first) === undefined) return found ?? noSuchDay;
  const swapped = [second, first, year].filter((part) => part !== undefined).join(mark);
  return { problem: t`Please write the month first: ${swapped}.` };
}

function dateOfMonth(words: string, today: string): Found {
  const [, year, month, day] = mongolianMonth.exec(spellPlainly(words)) ?? monthInEnglish(words) ?? [];
  if (month === undefined || day === undefined) return undefined;
  return (year === undefined ? nextDay(month, day, today) : calendarDate(year, month, day)) ?? noSuchDay;
}

function monthInEnglish(words: string): (string | undefined)[] | undefined {
  const [, before, dayAfter, dayBefore, after, year] = englishMonth.exec(words) ?? [];
  const month = monthNumber()(before ?? after ?? '');
  return month === undefined ? undefined : ['', year, month, dayAfter ?? dayBefore];
}

function nextDay(month: string, day: string, today: string): string | undefined {
  const year = Number(today.slice(0, 4));
  return [year, year + 1]
    .map((inYear) => calendarDate(String(inYear), month, day))
    .find((date) => date !== undefined && !isBefore(date, today));
}

/** Of this month or the next. */
function nextDayOfMonth(day: string, today: string): string | undefined {
  const [year = '', month = ''] = today.split('-');
  const after = month === '12' ? [String(Number(year) + 1), '1'] : [year, String(Number(month) + 1)];
  return [[year, month], after]
    .map(([inYear = '', inMonth = '']) => calendarDate(inYear, inMonth, day))
    .find((date) => date !== undefined && !isBefore(date, today));
}

function calendarDate(year: string, month: string, day: string): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}

const farDays = 180;

/** A month and day in the past are taken for next year, perhaps by mistake. */
export function doubtAboutDate(date: string, today: string): Text | undefined {
  const days = Math.round((dayOf(date).getTime() - dayOf(today).getTime()) / 86_400_000);
  return days > farDays ? t`${describeDay(date)} is ${days} days from today.` : undefined;
}

function addDays(date: string, days: number): string {
  const moment = dayOf(date);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}

function dayOf(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}
