import { isCalendarDate } from './calendar-date.ts';
import { amountOf, decimalOf, plainAmount, withoutCurrency } from './decimal.ts';
import {
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonNumber,
  type JsonObject,
  jsonText,
  member,
} from './json.ts';

/** A value may be in an object or a list, such as `{"$date":{"$numberLong":…}}`. */
const maxLevels = 3;
export const maxLength = 100;
const maxMembers = 50;
const dayMilliseconds = 86_400_000;

/**
 * The calendar day that a service shows in any form: a text, its parts, or a moment that is midnight in UTC (interface
 * section 2.2). Undefined for a value that cannot be read as a day, or as more than one.
 */
export function readDay(value: Json | undefined): string | undefined {
  const moment = onlyOf(momentsIn(value));
  const isMidnight = moment !== undefined && moment % dayMilliseconds === 0;
  return isMidnight ? new Date(moment).toISOString().slice(0, 10) : undefined;
}

/** Every moment that a value may mean, in milliseconds since the epoch: midnight if it shows no time, UTC if no zone. */
export function momentsIn(value: Json | undefined): number[] {
  return readingsOf(value, (part) => {
    if (typeof part === 'string') return momentsOfText(part.slice(0, maxLength).trim());
    if (isJsonNumber(part)) return momentsOfNumber(part.toString());
    return Array.isArray(part) ? momentsOfList(part) : momentsOfParts(part);
  });
}

/**
 * The amount in any form, as `amountOf` writes it. Undefined for a value that cannot be read as an amount, or as more than
 * one.
 */
export function readAmount(value: Json | undefined): string | undefined {
  const amounts = readingsOf(
    value,
    (part) => {
      if (isJsonNumber(part)) return [amountOf(withoutExponent(part.toString()))];
      if (typeof part === 'string') return amountsIn(part.slice(0, maxLength));
      return isJsonObject(part) ? amountsOfObject(part) : undefined;
    },
    withoutCurrencies,
  );
  return onlyOf(amounts);
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
  return onlyOf(found.filter((text) => words.includes(text)));
}

export function onlyOf<Reading>(readings: readonly Reading[]): Reading | undefined {
  const [only, ...others] = new Set(readings);
  return others.length === 0 ? only : undefined;
}

type Part = string | JsonNumber | JsonObject | Json[];

/** What a value may mean: as a whole, or else what its members may. Nothing when a part of it has no known meaning. */
export function readingsOf<Reading>(
  value: Json | undefined,
  readPart: (part: Part) => Reading[] | 'unknown' | undefined,
  membersIn: (part: JsonObject | Json[]) => Json[] = Object.values,
): Reading[] {
  const readings: Reading[] = [];
  let level: Json[] = value === undefined ? [] : [value];
  for (let depth = 0; depth <= maxLevels; depth += 1) {
    const inner: Json[] = [];
    for (const part of level) {
      if (!isPart(part)) continue;
      const own = isNotValid(part) ? [] : readPart(part);
      if (own === 'unknown') return [];
      const members =
        own === undefined && typeof part === 'object' && !isJsonNumber(part)
          ? membersIn(part).slice(0, maxMembers)
          : [];
      readings.push(...(own ?? []));
      inner.push(...members);
    }
    level = inner;
  }
  return readings;
}

function isPart(value: Json): value is Part {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

/** As Go writes a NULL of a database: `{"Int64":0,"Valid":false}`. */
function isNotValid(part: Part): boolean {
  return isJsonObject(part) && membersOf(part).get('valid') === false;
}

/** By their names in lower case with letters alone: `numberdecimal` for `$numberDecimal`. */
function membersOf(object: JsonObject): ReadonlyMap<string, Json> {
  return new Map(
    Object.entries(object)
      .slice(0, maxMembers)
      .map(([name, value]) => [plainName(name), value]),
  );
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

function hasOnly(members: ReadonlyMap<string, Json>, names: RegExp): boolean {
  return [...members.keys()].every((name) => names.test(name));
}

const dotNetDate = /^\/?Date\((-?\d+)(?:[+-]\d{4})?\)\/?$/;
/** The year first, or the name of the month: only these have one order of their parts. */
const datedText =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const zoneName = /\s*(?:\[[^\]]{0,60}\]|\([^)]{0,60}\))$/;
const statesZone = /Z$|UTC|GMT|\d[+-]\d{2}(?::?\d{2})?$|\s[+-]\d{4}/i;

/** What `Date` reads, in UTC if the text names no zone. */
function momentsOfText(text: string): number[] | 'unknown' {
  const stated = dotNetDate.exec(text)?.[1];
  if (stated !== undefined) return [Number(stated)];
  const found = datedText.exec(text);
  if (found === null) {
    // The time of a day that stands beside it.
    if (/^\d{1,2}:\d{2}/.test(text)) return midnight.test(text) ? [] : 'unknown';
    return /^[\d.eE+-]+$/.test(text) ? momentsOfNumber(text) : [];
  }
  const [start, year, ...others] = found;
  const date = year === undefined ? start : calendarDate([year, ...others]);
  if (date === undefined) return [];
  const bare = text.replace(zoneName, '').replace(start, date);
  const moment = Date.parse(statesZone.test(bare.slice(date.length)) ? bare : `${bare} UTC`);
  return Number.isNaN(moment) ? [] : [moment];
}

const midnight = /^[0:.]*$/;

function calendarDate(day: readonly (string | undefined)[]): string | undefined {
  const date = day.map((part = '') => part.padStart(2, '0')).join('-');
  return isCalendarDate(date) ? date : undefined;
}

function moments(day: readonly string[]): number[] {
  const date = calendarDate(day);
  return date === undefined ? [] : [Date.parse(date)];
}

/** Seconds or milliseconds since the epoch, between the years 2000 and 2100, which the two do not share. */
function momentsOfNumber(text: string): number[] {
  const inMilliseconds = [1000 * Number(text), Number(text)];
  return inMilliseconds.filter((moment) => moment >= firstMoment && moment < lastMoment);
}

const firstMoment = Date.UTC(2000, 0);
const lastMoment = Date.UTC(2100, 0);

/** `[2027,1,15]`, and a time of day of zeros. */
function momentsOfList(list: readonly Json[]): number[] | undefined {
  const numbers = list.map((part) => (isPart(part) ? jsonText(part) : ''));
  if (numbers.length < 3 || numbers.length > 7 || !numbers.every((text) => /^\d{1,9}$/.test(text)))
    return undefined;
  return numbers.slice(3).every((text) => Number(text) === 0) ? moments(numbers.slice(0, 3)) : [];
}

const utcNames = /^(?:z|utc|gmt|etc\/utc|[+-]?00:?00|0s?)$/i;
const zoneNames = ['timezone', 'zone', 'tz', 'offset', 'utcoffset'];
const timeNames = ['time', 'hours', 'hour', 'minutes', 'minute'];
const dayNames =
  /^(?:year|month(?:value)?|day(?:ofmonth|ofweek|ofyear|number)?|date|leapyear|era|chronology|calendar|(?:time)?zone|timezonetype|tz|(?:utc)?offset|time|(?:hour|minute|second|(?:nano|milli)second|nano)s?|iso|epoch|number(?:long|int)|value|text|formatted|valid)$/;

/** `{"year":2027,"month":1,"day":15}`, as libraries name them; unknown for a time of another zone, or another member. */
function momentsOfParts(object: JsonObject): number[] | 'unknown' | undefined {
  const members = membersOf(object);
  const textOf = (name: string) => jsonText(members.get(name) ?? '');
  const isElsewhere = zoneNames.some((name) => textOf(name) !== '' && !utcNames.test(textOf(name)));
  const hasTime = timeNames.some((name) => !midnight.test(textOf(name)));
  if (isElsewhere || hasTime || !hasOnly(members, dayNames)) return 'unknown';
  if (!members.has('year')) return undefined;
  // Where a library calls the day another name, its months may count from 0.
  const names = members.has('monthvalue') ? ['monthvalue', 'dayofmonth'] : ['month', 'day'];
  return moments(['year', ...names].map(textOf));
}

const currencyNames = ['currency', 'currencycode', 'symbol'];
const amountNames =
  /^(?:currency(?:code)?|symbol|amount|value|decimal|number(?:decimal|long|int|double)?|int|float|string|valid|units|nanos|formatted|display|text)$/;

function withoutCurrencies(part: JsonObject | Json[]): Json[] {
  if (Array.isArray(part)) return part;
  // The billionths of `google.type.Money` are none.
  const isOther = (name: string, value: Json) =>
    currencyNames.includes(plainName(name)) || (name === 'nanos' && jsonText(value) === '0');
  return Object.entries(part).flatMap(([name, value]) => (isOther(name, value) ? [] : [value]));
}

/** Unknown for another currency, and for another member, such as a scale. */
function amountsOfObject(object: JsonObject): 'unknown' | undefined {
  const members = membersOf(object);
  const isOther = currencyNames.some((name) => {
    const currency = members.get(name) ?? null;
    return currency !== null && readWord(currency, ['MNT', '₮']) === undefined;
  });
  if (isOther || !hasOnly(members, amountNames)) return 'unknown';
  return undefined;
}

const scientificShape = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?[eE]([+-]?\d{1,2})$/;
const dotGroupedShape = /^[+-]?\d{1,3}(?:\.\d{3}){2,}$/;
const amountShape = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const oneDotGroupShape = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

/** Every amount that a text may mean, as `amountOf` writes it: `45.000` is 45 or 45,000. None for other text. */
function amountsIn(text: string): string[] | 'unknown' {
  const amount = withoutCurrency(text);
  // The currency of an amount that stands beside it.
  if (/^[A-Z]{3}$/.test(amount)) return 'unknown';
  const whole = plainAmount(amount.replaceAll('.', ''));
  if (dotGroupedShape.test(amount)) return [whole];
  const plain = amountOf(withoutExponent(amount));
  if (!amountShape.test(plain)) return [];
  return oneDotGroupShape.test(amount) ? [plain, whole] : [plain];
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
