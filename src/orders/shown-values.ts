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

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dotNetDate = /^\/?Date\((-?\d+)(?:[+-]\d{4})?\)\/?$/;
/** `T08:00:00.000+08:00`, ` 12:00:00 AM`, ` 00:00:00 UTC`. */
const timeOfDay =
  /[T\s,]{0,3}(?<!\d)(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?(?:\s{0,3}([AP])M)?\s{0,3}(?:Z|UTC|GMT)?\s{0,3}(?:([+-])(\d{2}):?(\d{2})?)?(?:\s{0,3}(?:\[[^\]]{0,60}\]|\([^)]{0,60}\)))?(?![:\d])/i;

function momentsOfText(text: string): number[] | 'unknown' {
  const stated = dotNetDate.exec(text)?.[1];
  if (stated !== undefined) return [Number(stated)];
  if (/^[\d.eE+-]+$/.test(text) && !/\d[.-]\d+[.-]/.test(text)) return momentsOfNumber(text);
  const time = timeOfDay.exec(text);
  const [
    matched = '',
    hour = '0',
    minute = '0',
    second = '0',
    half,
    sign,
    zoneHours = '0',
    zoneMinutes = '0',
  ] = time ?? [];
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  const offset = (sign === '-' ? -1 : 1) * (Number(zoneHours) * 60 + Number(zoneMinutes));
  const minutes = hours * 60 + Number(minute) - offset;
  const milliseconds = (minutes * 60 + Number(second.replace(',', '.'))) * 1000;
  // The time of a day that stands beside it.
  if (matched !== '' && matched === text) return milliseconds === 0 ? [] : 'unknown';
  return daysOfText(text.replace(matched, ' ')).map((day) => day + milliseconds);
}

const compactDay = /^(\d{4})(\d{2})(\d{2})$/;

/** With the year first; with the name of the month; or with the year last, if only one of the others can be the month. */
function daysOfText(text: string): number[] {
  const compact = compactDay.exec(text.trim());
  const parts = compact?.slice(1) ?? text.match(/\d+|\p{L}+/gu) ?? [];
  const numbers = parts.filter((part) => /^\d/.test(part));
  const month = monthNames.indexOf(parts.find(isMonthName)?.slice(0, 3).toLowerCase() ?? '') + 1;
  const [first = '', second = '', third = ''] = numbers;
  const isRead = parts.every((part) => !/[a-z]/i.test(part) || isMonthName(part) || otherWord.test(part));
  if (numbers.length !== (month > 0 ? 2 : 3) || parts.length > 6 || !isRead) return [];
  if (month > 0) return isYear(first) ? moments([first, month, second]) : moments([second, month, first]);
  if (isYear(first)) return moments([first, second, third]);
  return isYear(third) ? [...moments([third, second, first]), ...moments([third, first, second])] : [];
}

const otherWord = /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|st|nd|rd|th|z|utc|gmt)$/i;

function isMonthName(word: string): boolean {
  return word.length >= 3 && monthNames.includes(word.slice(0, 3).toLowerCase());
}

function isYear(digits: string): boolean {
  return /^[12]\d{3}$/.test(digits);
}

/** `minutes`, `seconds`: of the time of day. */
function moments(day: readonly (string | number)[], hours = 0, minutes = 0, seconds = 0): number[] {
  const [year = '', month = '', date = ''] = day.map((part) => String(part).padStart(2, '0'));
  if (!isCalendarDate(`${year}-${month}-${date}`)) return [];
  return [Date.UTC(Number(year), Number(month) - 1, Number(date), hours, minutes, seconds)];
}

/** A moment in seconds, or in a smaller unit, since the epoch, between the years 2000 and 2100, which no two units share. */
function momentsOfNumber(text: string): number[] {
  const number = Number(text);
  const [, year = '', month = '', date = ''] = compactDay.exec(text) ?? [];
  const inMilliseconds = [1000, 1, 1e-3, 1e-6].map((unit) => number * unit);
  return [
    ...moments([year, month, date]),
    ...inMilliseconds.filter((moment) => moment >= firstMoment && moment < lastMoment),
  ];
}

const firstMoment = Date.UTC(2000, 0);
const lastMoment = Date.UTC(2100, 0);

/** `[2027,1,15]`, and the time of day. */
function momentsOfList(list: readonly Json[]): number[] | undefined {
  const numbers = list.map((part) => (isPart(part) ? jsonText(part) : ''));
  if (numbers.length < 3 || numbers.length > 7 || !numbers.every((text) => /^\d{1,9}$/.test(text)))
    return undefined;
  const [hours, minutes, seconds] = numbers.slice(3).map(Number);
  return moments(numbers.slice(0, 3), hours, minutes, seconds);
}

const utcNames = /^(?:z|utc|gmt|etc\/utc|[+-]?00:?00|0s?)$/i;
const zoneNames = ['timezone', 'zone', 'tz', 'offset', 'utcoffset'];
const timeNames = ['hours', 'hour', 'minutes', 'minute'];
const dayNames =
  /^(?:year|month(?:value)?|day(?:ofmonth|ofweek|ofyear|number)?|date|leapyear|era|chronology|calendar|(?:time)?zone|timezonetype|tz|(?:utc)?offset|time|(?:hour|minute|second|(?:nano|milli)second|nano)s?|iso|epoch|number(?:long|int)|value|text|formatted|valid)$/;

/** `{"year":2027,"month":1,"day":15}`, as libraries name them; unknown for a time of another zone, or another member. */
function momentsOfParts(object: JsonObject): number[] | 'unknown' | undefined {
  const members = membersOf(object);
  if (!hasOnly(members, dayNames)) return 'unknown';
  const textOf = (...names: string[]) => {
    const value = names.map((name) => members.get(name)).find((one) => one !== undefined);
    return value === undefined ? '' : jsonText(value);
  };
  const zone = textOf(...zoneNames);
  if (zone !== '' && !utcNames.test(zone)) return 'unknown';
  const [year, month, day] = [
    textOf('year'),
    textOf('monthvalue', 'month'),
    textOf('dayofmonth', 'day', 'date'),
  ];
  if (year === '' || month === '' || day === '') {
    const hasTime = timeNames.some((name) => !/^0*$/.test(textOf(name)));
    return hasTime ? 'unknown' : undefined;
  }
  // Some libraries count months from 0 beside these names.
  if (/^\d+$/.test(month) && !members.has('day') && !members.has('monthvalue')) return 'unknown';
  const number = isMonthName(month) ? monthNames.indexOf(month.slice(0, 3).toLowerCase()) + 1 : month;
  const [hours, minutes] = [Number(textOf('hours', 'hour')), Number(textOf('minutes', 'minute'))];
  return moments([year, number, day], hours, minutes);
}

const currencyNames = ['currency', 'currencycode', 'symbol'];
const amountNames =
  /^(?:currency(?:code)?|symbol|amount|value|decimal|number(?:decimal|long|int|double)?|int|float|string|valid|units|nanos|formatted|display|text)$/;

function withoutCurrencies(part: JsonObject | Json[]): Json[] {
  if (Array.isArray(part)) return part;
  const isCurrency = ([name]: [string, Json]) => currencyNames.includes(plainName(name));
  return Object.entries(part).flatMap((entry) => (isCurrency(entry) ? [] : [entry[1]]));
}

/** Unknown for another currency, and for another member, such as a scale; also the units and billionths of `google.type.Money`. */
function amountsOfObject(object: JsonObject): string[] | 'unknown' | undefined {
  const members = membersOf(object);
  const isOther = currencyNames.some((name) => {
    const currency = members.get(name) ?? null;
    return currency !== null && readWord(currency, ['MNT', '₮']) === undefined;
  });
  if (isOther || !hasOnly(members, amountNames)) return 'unknown';
  const [units, nanos] = [members.get('units'), members.get('nanos')];
  if (units === undefined && nanos === undefined) return undefined;
  return amountsIn(`${jsonText(units ?? '0')}.${jsonText(nanos ?? '0').padStart(9, '0')}`);
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
