import { isCalendarDate } from './calendar-date.ts';
import { amountOf, decimalOf, plainAmount, withoutCurrency } from './decimal.ts';
import { isJsonNumber, isJsonObject, type Json, jsonText, member } from './json.ts';

const maxLength = 100;
const dayMilliseconds = 86_400_000;

/**
 * The calendar day that a service shows: as a date, or as a moment that is midnight in UTC (interface section 2.2).
 * Undefined for a form that `momentOf` does not know.
 */
export function readDay(value: Json | undefined): string | undefined {
  const moment = momentOf(value) ?? Number.NaN;
  return moment % dayMilliseconds === 0 ? new Date(moment).toISOString().slice(0, 10) : undefined;
}

const dotNetDate = /^\/?Date\((-?\d+)(?:[+-]\d{4})?\)\/?$/;
/** With a zone, or without one where it is UTC. */
const isoTime =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(?:Z|UTC|([+-]\d\d):?(\d\d)?)?)?$/i;

/**
 * In milliseconds since the epoch: an ISO 8601 date or time, a time of RFC 1123, `/Date(ms)/`, seconds or milliseconds
 * since the epoch, `[2027,1,15]`, `{"year":2027,"month":1,"day":15}`.
 */
export function momentOf(value: Json | undefined): number | undefined {
  if (Array.isArray(value) || isJsonObject(value)) return momentOfParts(value);
  const text = jsonText(value ?? '')
    .slice(0, maxLength)
    .trim();
  if (isJsonNumber(value) || /^\d{9,}$/.test(text)) return momentOfNumber(Number(text));
  const milliseconds = dotNetDate.exec(text)?.[1];
  if (milliseconds !== undefined) return Number(milliseconds);
  const [, date = '', time = '00:00', hours, minutes = '00'] = isoTime.exec(text) ?? [];
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const moment = isCalendarDate(date) ? Date.parse(`${date}T${time}${zone}`) : parseHttpDate(text);
  return Number.isNaN(moment) ? undefined : moment;
}

/** IMF-fixdate and RFC 850 name GMT; asctime names no zone, and means GMT too. */
const namedGmt = /^[A-Za-z]{3,9}, \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
const asctime = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Not allowed in HTTP, but some services send it. */
const iso8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** An HTTP date in any of its three forms, or ISO 8601 → milliseconds since the epoch; undefined for anything else. */
export function parseHttpDate(text: string): number | undefined {
  const hasZone = namedGmt.test(text) || iso8601.test(text);
  const time = Date.parse(asctime.test(text) ? `${text} GMT` : hasZone ? text : '');
  return Number.isNaN(time) ? undefined : time;
}

/** By how many milliseconds the clock that shows this HTTP date is ahead of ours. */
export function clockAhead(date: string | undefined, now: number): number | undefined {
  const shown = parseHttpDate(date ?? '');
  return shown === undefined ? undefined : shown - now;
}

/** Between the years 2000 and 2100, which seconds and milliseconds do not share. */
function momentOfNumber(number: number): number | undefined {
  const [first, last] = [Date.UTC(2000, 0), Date.UTC(2100, 0)];
  return [number * 1000, number].find((moment) => moment >= first && moment < last);
}

function momentOfParts(parts: Json): number | undefined {
  const names = Array.isArray(parts) ? ['0', '1', '2'] : ['year', 'month', 'day'];
  const members = new Map(Object.entries(parts as object));
  const digits = names.map((name) => jsonText(members.get(name) ?? '').padStart(2, '0'));
  return members.size === names.length ? momentOf(digits.join('-')) : undefined;
}

/** The amount in any form, as `amountOf` writes it. Undefined for a value that cannot be read as one amount of MNT. */
export function readAmount(value: Json | undefined): string | undefined {
  if (isJsonNumber(value)) return amountOf(withoutExponent(value.toString()));
  if (typeof value === 'string') return amountIn(value.slice(0, maxLength));
  if (!isJsonObject(value)) return undefined;
  const { amount, currency = 'MNT', ...others } = value;
  const isKnown = !isJsonObject(amount) && readWord(currency, ['MNT', '₮']) !== undefined;
  return isKnown && Object.keys(others).length === 0 ? readAmount(amount) : undefined;
}

/** What the courier collects, `0` of a prepaid order; undefined where the order does not show it as one amount. */
export function readAmountDue(order: Json): string | undefined {
  if (readWord(member(order, 'collectionMode'), ['NONE']) !== undefined) return '0';
  return decimalOf(readAmount(member(order, 'collectionAmount')) ?? '');
}

const codeNames = ['code', 'value', 'key', 'name', 'id'];

/** Which of these upper-case words a value of an enumeration is, in any case: `{"code":"COLLECT","label":…}`, `["collect"]`. */
export function readWord(value: Json | undefined, words: readonly string[]): string | undefined {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const texts = isJsonObject(only) ? codeNames.map((name) => member(only, name)) : [only];
  const found = texts.map((text) => (typeof text === 'string' ? text.trim().toUpperCase() : ''));
  const [word, ...others] = new Set(found.filter((text) => words.includes(text)));
  return others.length === 0 ? word : undefined;
}

const scientificShape = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?[eE]([+-]?\d{1,2})$/;
const dotGroupedShape = /^[+-]?\d{1,3}(?:\.\d{3}){2,}$/;
const amountShape = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const oneDotGroupShape = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/** As `amountOf` writes it. Undefined for other text, and for `45.000`, which is 45 or 45,000. */
function amountIn(text: string): string | undefined {
  const amount = withoutCurrency(text);
  if (dotGroupedShape.test(amount)) return plainAmount(amount.replaceAll('.', ''));
  const plain = amountOf(withoutExponent(amount));
  return amountShape.test(plain) && !oneDotGroupShape.test(amount) ? plain : undefined;
}

/** `4.5E+4` → `45000`; other text is unchanged. */
function withoutExponent(text: string): string {
  const match = scientificShape.exec(text);
  if (match === null) return text;
  const [, sign, whole = '', fraction = '', exponent] = match;
  const point = whole.length + Number(exponent);
  const digits = (whole + fraction).padStart(whole.length + fraction.length - Math.min(0, point), '0');
  const place = Math.max(0, point);
  const tail = digits.slice(place);
  return `${sign}${digits.slice(0, place).padEnd(place, '0') || '0'}${tail === '' ? '' : `.${tail}`}`;
}

/** Whether one amount is a hundred times the other, both as `amountOf` writes them. */
export function isHundredfold(amount: string, of: string): boolean {
  return amount === plainAmount(withoutExponent(`${of}e2`));
}

const timeShape =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** An RFC 3339 time → milliseconds since the epoch; undefined for any other text. */
export function parseTime(text: string): number | undefined {
  const date = timeShape.exec(text)?.[1];
  return date === undefined || !isCalendarDate(date) ? undefined : Date.parse(text.toUpperCase());
}
