import { parseHttpDate } from '../../orders/shown-values.ts';
import type { AttemptResult, ServiceResponse } from '../http/attempt-result.ts';

/** Milliseconds, for all requests of this client; `Retry-After` wins over `RateLimit`. */
export function serverRequestedWait(attemptResult: AttemptResult, now: number): number | undefined {
  if (attemptResult.kind === 'failure') return undefined;
  const { status } = attemptResult;
  // With other statuses, `Retry-After` means something else.
  const isRetryable = status >= 500 || [408, 409, 425, 429].includes(status);
  const retryAfter = isRetryable ? retryAfterMilliseconds(attemptResult, now) : undefined;
  const wait = retryAfter ?? rateLimitMilliseconds(attemptResult, now);
  return wait === undefined ? undefined : Math.min(wait, maxWaitMilliseconds);
}

/** A year; more could not be shown in sensible hours. */
const maxWaitMilliseconds = 365 * 86_400_000;

export function retryAfterMilliseconds({ headers }: ServiceResponse, now: number): number | undefined {
  return longest([
    parseRetryAfter(headers['retry-after'], headers.date, now),
    parseCount(headers['retry-after-ms']),
  ]);
}

function longest(waits: (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function parseRetryAfter(
  value: string | undefined,
  date: string | undefined,
  now: number,
): number | undefined {
  const seconds = parseCount(value);
  if (seconds !== undefined) return seconds * 1000;
  const moment = parseHttpDate(value?.trim() ?? '');
  // The date is by the clock of the service, which may differ from ours.
  return moment === undefined ? undefined : Math.max(0, moment - (parseHttpDate(date ?? '') ?? now));
}

function parseCount(value: string | undefined): number | undefined {
  const text = value?.trim() ?? '';
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const prefixes = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];
/** From these values on, a reset is seconds or milliseconds since the epoch. */
const minEpochSeconds = 1e9;
const minEpochMilliseconds = 1e12;

/** Until an exhausted quota is renewed; undefined while some of it is left. */
export function rateLimitMilliseconds({ headers }: ServiceResponse, now: number): number | undefined {
  const clock = parseHttpDate(headers.date ?? '') ?? now;
  return longest([
    ...itemWaits(headers.ratelimit ?? '', headers['ratelimit-policy'] ?? ''),
    ...prefixes.map((prefix) => waitOf(headers[`${prefix}-remaining`], headers[`${prefix}-reset`], clock)),
  ]);
}

function waitOf(remaining: string | undefined, reset: string | undefined, clock: number): number | undefined {
  if (!/^\s*0+(?:\.0+)?\s*$/.test(remaining ?? '') || !/^\s*\d+(?:\.\d+)?\s*$/.test(reset ?? ''))
    return undefined;
  const until = Number(reset);
  if (until < minEpochSeconds) return until * 1000;
  return Math.max(0, (until < minEpochMilliseconds ? until * 1000 : until) - clock);
}

/** IETF drafts: `"name";r=0;t=30`, where `t` defaults to the window of the policy; earlier `remaining=0, reset=30`. */
function itemWaits(limits: string, policies: string): (number | undefined)[] {
  const earlierForm = waitOf(parameter(limits, 'remaining'), parameter(limits, 'reset'), 0);
  const windows = new Map(items(policies).map((item) => [policyName(item), parameter(item, 'w')]));
  const waits = items(limits).map((item) =>
    waitOf(parameter(item, 'r'), parameter(item, 't') ?? windows.get(policyName(item)), 0),
  );
  return [earlierForm, ...waits];
}

function items(list: string): string[] {
  return list.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
}

function policyName(item: string): string {
  return (item.split(';')[0] ?? '').trim();
}

const shapes = {
  remaining: parameterShape('remaining'),
  reset: parameterShape('reset'),
  r: parameterShape('r'),
  t: parameterShape('t'),
  w: parameterShape('w'),
};

function parameterShape(name: string): RegExp {
  return new RegExp(`(?:^|[;,\\s])${name}\\s*=\\s*(\\d+)(?![\\w.])`);
}

function parameter(item: string, name: keyof typeof shapes): string | undefined {
  return shapes[name].exec(item.replaceAll(/"[^"]*"/g, ''))?.[1];
}
