import { Sentence, type Text, t } from '../advice/advice.ts';
import { isCalendarDate } from '../orders/calendar-date.ts';

export interface TimeLook {
  /** Of the terminal. */
  width: number;
  /** Epoch milliseconds. */
  now: number;
}

/** In narrower terminals dates and times are shorter. */
export const minWholeWidth = 100;

const months = [
  ...[t`Jan`, t`Feb`, t`Mar`, t`Apr`, t`May`, t`Jun`],
  ...[t`Jul`, t`Aug`, t`Sep`, t`Oct`, t`Nov`, t`Dec`],
];
/** RFC 3339 (interface section 4.1). */
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** `2026-11-21 14:02` in local time; other text is returned unchanged. */
export function formatLocalTime(text: string): string {
  const time = instant.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) return text;
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}

/** The local day of a time; undefined for other text. */
export function localDay(text: string): string | undefined {
  const day = formatLocalTime(text).slice(0, 10);
  return isCalendarDate(day) ? day : undefined;
}

/** `today 14:02`, `21 Nov 14:02`, `21 Nov 2025`; other text is returned unchanged. */
export function formatMoment(text: string, { width, now }: TimeLook): Text {
  const moment = new Date(instant.test(text) ? text : Number.NaN);
  if (Number.isNaN(moment.getTime())) return text;
  const today = new Date(now);
  const time = `${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`;
  const isShort = width < minWholeWidth;
  if (moment.toDateString() === today.toDateString()) return isShort ? time : t`today ${time}`;
  const parts = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()] as const;
  if (moment.getFullYear() !== today.getFullYear()) return shortDay(...parts, String(moment.getFullYear()));
  return isShort ? shortDay(...parts) : t`${moment.getDate()} ${months[moment.getMonth()] ?? ''} ${time}`;
}

/** A calendar date in full, or in a narrow terminal `25 Nov`, with the year `7 Jan 27`. */
export function formatDay(text: string, { width, now }: TimeLook): Text {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined || width >= minWholeWidth) return text;
  const parts = [Number(year), Number(month), Number(day)] as const;
  return Number(year) === new Date(now).getFullYear()
    ? shortDay(...parts)
    : shortDay(...parts, year.slice(2));
}

/** `25 Nov`, or with what is shown of another year `25 Nov 2025`; in Mongolian `11.25` and `2025.11.25`. */
function shortDay(year: number, month: number, day: number, shownYear?: string): Text {
  return new Sentence(
    ['', ''],
    [
      ({ language }) =>
        language === 'mn'
          ? [...(shownYear === undefined ? [] : [year]), twoDigits(month), twoDigits(day)].join('.')
          : [day, months[month - 1], ...(shownYear === undefined ? [] : [shownYear])].join(' '),
    ],
  );
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `4 minutes ago`; undefined for text that is not a time. `now` in epoch milliseconds. */
export function describeAge(text: string, now: number): Text | undefined {
  return instant.test(text) ? describeElapsed(now - Date.parse(text)) : undefined;
}

export function describeElapsed(milliseconds: number): Text {
  const elapsed = inLargestUnit(milliseconds);
  if (elapsed === undefined) return t`a moment ago`;
  const { count, unit } = elapsed;
  if (unit === 'day') return t`${count} {day|days} ago`;
  if (unit === 'hour') return t`${count} {hour|hours} ago`;
  return t`${count} {minute|minutes} ago`;
}

/** `5 min ago`, for tables; both in epoch milliseconds. */
export function formatAge(moment: number, now: number): Text {
  const elapsed = inLargestUnit(now - moment);
  if (elapsed === undefined) return t`just now`;
  const { count, unit } = elapsed;
  if (unit === 'day') return t`${count} {day|days} ago`;
  return unit === 'hour' ? t`${count} h ago` : t`${count} min ago`;
}

function inLargestUnit(milliseconds: number) {
  const [unit, length] = units.find(([, length]) => milliseconds >= length) ?? [];
  return length === undefined ? undefined : { count: Math.floor(milliseconds / length), unit };
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** `Friday 25 December 2026` */
export function describeDay(date: string): Text {
  const moment = new Date(`${date}T00:00:00Z`);
  const weekday = weekdays[moment.getUTCDay()] ?? '';
  return t`${weekday} ${moment.getUTCDate()} ${wholeMonths[moment.getUTCMonth()] ?? ''} ${moment.getUTCFullYear()}`;
}

const weekdays = [t`Sunday`, t`Monday`, t`Tuesday`, t`Wednesday`, t`Thursday`, t`Friday`, t`Saturday`];
const wholeMonths = [
  ...[t`January`, t`February`, t`March`, t`April`, t`May`, t`June`],
  ...[t`July`, t`August`, t`September`, t`October`, t`November`, t`December`],
];
