/** Where a time is shown to a person, and when. */
export interface TimeLook {
  /** Of the terminal, in characters. */
  width: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/** With less room days and times are written shorter. */
export const minWholeWidth = 100;

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
/** RFC 3339, as the interface shows times (section 4.1). */
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A time with a zone as the local one, `2026-11-21 14:02`; other text is returned unchanged. */
export function formatLocalTime(text: string): string {
  const time = instant.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) return text;
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}

/** `today 14:02`, `21 Nov 14:02`, `21 Nov 2025`; text that is no time with a zone is returned unchanged. */
export function formatMoment(text: string, { width, now }: TimeLook): string {
  const moment = new Date(instant.test(text) ? text : Number.NaN);
  if (Number.isNaN(moment.getTime())) return text;
  const today = new Date(now);
  const time = `${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`;
  const isShort = width < minWholeWidth;
  if (moment.toDateString() === today.toDateString()) return isShort ? time : `today ${time}`;
  const day = `${moment.getDate()} ${months[moment.getMonth()]}`;
  if (moment.getFullYear() !== today.getFullYear()) return `${day} ${moment.getFullYear()}`;
  return isShort ? day : `${day} ${time}`;
}

/** A calendar date in full, or where there is little room `25 Nov`, and `7 Jan 27` in another year. */
export function formatDay(text: string, { width, now }: TimeLook): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined || width >= minWholeWidth) return text;
  const short = `${Number(day)} ${months[Number(month) - 1]}`;
  return Number(year) === new Date(now).getFullYear() ? short : `${short} ${year.slice(2)}`;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago a time with a zone was, such as `4 minutes ago`; undefined for other text. `now` in milliseconds since the epoch. */
export function describeAge(text: string, now: number): string | undefined {
  return instant.test(text) ? describeElapsed(now - Date.parse(text)) : undefined;
}

/** `4 minutes ago`, from milliseconds. */
export function describeElapsed(milliseconds: number): string {
  const elapsed = inLargestUnit(milliseconds);
  if (elapsed === undefined) return 'a moment ago';
  return new Intl.RelativeTimeFormat('en').format(-elapsed.count, elapsed.unit);
}

/** The same in few letters, such as `5 min ago`, for a moment in milliseconds since the epoch. */
export function formatAge(moment: number, now: number): string {
  const elapsed = inLargestUnit(now - moment);
  if (elapsed === undefined) return 'just now';
  const { count, unit } = elapsed;
  const short = { day: count === 1 ? 'day' : 'days', hour: 'h', minute: 'min' };
  return `${count} ${short[unit]} ago`;
}

function inLargestUnit(milliseconds: number) {
  const [unit, length] = units.find(([, length]) => milliseconds >= length) ?? [];
  return length === undefined ? undefined : { count: Math.floor(milliseconds / length), unit };
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** `Friday 25 December 2026` */
export function describeDay(date: string): string {
  const parts = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', parts).format(new Date(`${date}T00:00:00Z`)).replace(',', '');
}
