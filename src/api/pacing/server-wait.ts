import type { ServiceResponse } from '../http/attempt-result.ts';

/** The wait that a service asks of all who send with this client, in milliseconds; `Retry-After` goes before the rest. */
export function askedWait(answer: ServiceResponse, now: number): number | undefined {
  const told = canBeRetried(answer.status) ? retryAfterMilliseconds(answer, now) : undefined;
  return told ?? rateLimitMilliseconds(answer, now);
}

/** On any other status `Retry-After` speaks of something else. */
function canBeRetried(status: number): boolean {
  return status >= 500 || [408, 409, 425, 429].includes(status);
}

/**
 * The wait that an answer asks for, in milliseconds: `retry-after` with a number of seconds or a date,
 * `retry-after-ms`, or the longer of both; undefined when it asks for none.
 */
export function retryAfterMilliseconds({ headers }: ServiceResponse, now: number): number | undefined {
  const asked = [
    parseRetryAfter(headers['retry-after'], headers.date, now),
    parseCount(headers['retry-after-ms']),
  ];
  const waits = asked.filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function parseRetryAfter(
  value: string | undefined,
  date: string | undefined,
  now: number,
): number | undefined {
  const seconds = parseCount(value);
  if (seconds !== undefined) return seconds * 1000;
  const moment = parseHttpDate(value?.trim() ?? '');
  // A date is meant by the clock of the service, which may be another one than ours.
  return moment === undefined ? undefined : Math.max(0, moment - (parseHttpDate(date ?? '') ?? now));
}

function parseCount(value: string | undefined): number | undefined {
  const text = value?.trim() ?? '';
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const prefixes = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];
/** A larger number of seconds is a moment since the epoch; a still larger one is in milliseconds. */
const earliestEpochSeconds = 1e9;
const earliestEpochMilliseconds = 1e12;

/**
 * The wait until a used-up quota is filled again, in milliseconds, as `RateLimit`, `RateLimit-*` or
 * `X-RateLimit-*` tell it; undefined while there is some left, and for what cannot be read.
 */
export function rateLimitMilliseconds({ headers }: ServiceResponse, now: number): number | undefined {
  const clock = parseHttpDate(headers.date ?? '') ?? now;
  const waits = [
    ...itemWaits(headers.ratelimit ?? '', headers['ratelimit-policy'] ?? ''),
    ...prefixes.map((prefix) => waitOf(headers[`${prefix}-remaining`], headers[`${prefix}-reset`], clock)),
  ].filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function waitOf(remaining: string | undefined, reset: string | undefined, clock: number): number | undefined {
  if (!/^\s*0+(?:\.0+)?\s*$/.test(remaining ?? '') || !/^\s*\d+(?:\.\d+)?\s*$/.test(reset ?? ''))
    return undefined;
  const until = Number(reset);
  if (until < earliestEpochSeconds) return until * 1000;
  return Math.max(0, (until < earliestEpochMilliseconds ? until * 1000 : until) - clock);
}

/** `"name";r=0;t=30` of the IETF draft, with the window of its policy when it tells no time, and `remaining=0, reset=30` of earlier ones. */
function itemWaits(limits: string, policies: string): (number | undefined)[] {
  const earlier = waitOf(parameter(limits, 'remaining'), parameter(limits, 'reset'), 0);
  const windows = new Map(items(policies).map((item) => [nameOf(item), parameter(item, 'w')]));
  const waits = items(limits).map((item) =>
    waitOf(parameter(item, 'r'), parameter(item, 't') ?? windows.get(nameOf(item)), 0),
  );
  return [earlier, ...waits];
}

function items(list: string): string[] {
  return list.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
}

function nameOf(item: string): string {
  return (item.split(';')[0] ?? '').trim();
}

function parameter(item: string, name: string): string | undefined {
  return new RegExp(`(?:^|[;,\\s])${name}\\s*=\\s*(\\d+)(?![\\w.])`).exec(
    item.replaceAll(/"[^"]*"/g, ''),
  )?.[1];
}

/** IMF-fixdate and RFC 850 name GMT; asctime names no zone, and means GMT too. */
const namedGmt = /^[A-Za-z]{3,9}, \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
const asctime = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** No form of HTTP, and sent all the same. */
const iso8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** A date of HTTP in any of its three forms, or of ISO 8601 → milliseconds since the epoch; undefined for anything else. */
export function parseHttpDate(text: string): number | undefined {
  const isKnown = namedGmt.test(text) || iso8601.test(text);
  const moment = Date.parse(asctime.test(text) ? `${text} GMT` : isKnown ? text : '');
  return Number.isNaN(moment) ? undefined : moment;
}
