import { isCalendarDate } from '../../orders/calendar-date.ts';
import { spellPlainly, splitWords, wordsOf } from '../../words/phrases.ts';
import type { DateOrder } from '../choices.ts';
import lists from './day-words.json' with { type: 'json' };

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})(?:\2(\d{4}))?$/;
/** Spreadsheets and shops write midnight after a date without a time. */
const midnight = /(?:T|(?<! ) +)(?:00?:00(?::00(?:\.0+)?)?|12:00(?::00)? *AM) *Z?$/i;
/** In one spelling: `12-р сарын 25`, `2026 оны 12 сарын 25`. */
const mongolianMonth = /^(?:(\d{4}) uni? )?(\d{1,2}) (?:r |dug[ae]r )?sar(?:in)? (\d{1,2})$/;
const englishMonth = /^(?:(\p{L}{3,9}) (\d{1,2})|(\d{1,2}) (\p{L}{3,9}))(?: (\d{4}))?$/u;
/** Most other texts of words and numbers, such as addresses, are none at first sight. */
const wordShape = /^\s*(?:\p{L}{3,9}\.? ?)?\d{1,4}(?:\D{1,14}\d{1,4}){0,2}\D{0,12}$/u;
const maxLength = 40;

let isEnding: ((word: string) => 'ending' | undefined) | undefined;
let monthNumber: ((word: string) => string | undefined) | undefined;

/** As it is written, and perhaps no such day. */
interface WrittenDay {
  year?: string | undefined;
  month: string;
  day: string;
}

/** Without the endings of a day: `12сарын25-нд` → `12 сарын 25`, `баасан гаригт` → `баасан`. */
export function wordsOfDay(text: string): string {
  isEnding ??= wordsOf({ ending: lists.dayEndings });
  const words = splitWords(text);
  while (words.length > 1 && isEnding(words.at(-1) ?? '') !== undefined) words.pop();
  return words.join(' ');
}

/** `2026.12.5`, `12 сарын 5`, `5 Dec 2026`; `5/12` when `order` says which of them is the month. */
export function partsOfDay(text: string, order: DateOrder): WrittenDay | undefined {
  if (text.length > maxLength) return undefined;
  const date = text.replace(midnight, '');
  const [, year, , month = '', day = ''] = yearFirst.exec(date) ?? [];
  if (year !== undefined) return { year, month, day };
  const [, first, , second = '', last] = yearLast.exec(date) ?? [];
  if (first === undefined) return partsOfWords(date);
  if (order === 'ymd') return undefined;
  return order === 'dmy'
    ? { year: last, month: second, day: first }
    : { year: last, month: first, day: second };
}

function partsOfWords(text: string): WrittenDay | undefined {
  if (!wordShape.test(text)) return undefined;
  const words = wordsOfDay(text);
  const [, year, month, day] = mongolianMonth.exec(spellPlainly(words)) ?? partsOfEnglish(words) ?? [];
  return month === undefined || day === undefined ? undefined : { year, month, day };
}

function partsOfEnglish(words: string): (string | undefined)[] | undefined {
  const [, before, dayAfter, dayBefore, after, year] = englishMonth.exec(words) ?? [];
  monthNumber ??= wordsOf(
    Object.fromEntries(lists.months.map((names, index) => [String(index + 1), [names]])),
  );
  const month = monthNumber(before ?? after ?? '');
  return month === undefined ? undefined : ['', year, month, dayAfter ?? dayBefore];
}

/** Whether a text is a day in words and numbers, such as `12 сарын 5`. */
export function isDayInWords(text: string): boolean {
  return text.length <= maxLength && partsOfWords(text) !== undefined;
}

/** Whether a text is a day, of some year when it names none. */
export function isDay(text: string, order: DateOrder): boolean {
  if (isCalendarDate(text)) return true;
  const parts = partsOfDay(text, order);
  return parts !== undefined && calendarDate({ ...parts, year: parts.year ?? leapYear }) !== undefined;
}

const leapYear = '2000';

const maxDaysAhead = 60;
const maxDaysBack = 30;

/**
 * A day of a file → `YYYY-MM-DD`; undefined for no such day. Without a year it is the nearest such day, so that it is the same
 * tomorrow, and undefined when that is not near today.
 */
export function readDate(text: string, order: DateOrder, today: string): string | undefined {
  if (isCalendarDate(text)) return text;
  const parts = partsOfDay(text, order);
  if (parts === undefined) return undefined;
  if (parts.year !== undefined) return calendarDate(parts);
  const date = nearestOf(daysOf(parts, today), today);
  const days = date === undefined ? Number.NaN : daysBetween(today, date);
  return days >= -maxDaysBack && days <= maxDaysAhead ? date : undefined;
}

/** Such days of last year, this year and next year. */
export function daysOf(parts: WrittenDay, today: string): string[] {
  const year = Number(today.slice(0, 4));
  return [year - 1, year, year + 1].flatMap(
    (inYear) => calendarDate({ ...parts, year: String(inYear) }) ?? [],
  );
}

export function nearestOf(dates: readonly string[], today: string): string | undefined {
  const distance = (date: string) => Math.abs(daysBetween(today, date));
  return dates.toSorted((left, right) => distance(left) - distance(right))[0];
}

export function calendarDate({ year, month, day }: WrittenDay): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}

export function daysBetween(date: string, other: string): number {
  return Math.round((Date.parse(other) - Date.parse(date)) / 86_400_000);
}
