import { parseHttpDate } from './http-date.ts';
import type { Answer } from './observation.ts';

/**
 * The wait that an answer asks for, in milliseconds: `retry-after` with a number of seconds or a date,
 * `retry-after-ms`, or the longer of both; undefined when it asks for none.
 */
export function retryAfterMilliseconds({ headers }: Answer, now: number): number | undefined {
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
