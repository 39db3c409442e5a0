import { parseHttpDate } from './http-date.ts';
import type { Answer } from './observation.ts';

const prefixes = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];
/** A larger number of seconds is a moment since the epoch; a still larger one is in milliseconds. */
const earliestEpochSeconds = 1e9;
const earliestEpochMilliseconds = 1e12;

/**
 * The wait until a used-up quota is filled again, in milliseconds, as `RateLimit`, `RateLimit-*` or
 * `X-RateLimit-*` tell it; undefined while there is some left, and for what cannot be read.
 */
export function rateLimitMilliseconds({ headers }: Answer, now: number): number | undefined {
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
