import type { ServiceResponse } from '../http/attempt-result.ts';

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

/** By how many milliseconds the clock of the service is ahead of ours, as the `Date` of a response shows. */
export function clockAhead({ headers }: ServiceResponse, completedAt: number): number | undefined {
  const respondedAt = headers.date === undefined ? undefined : parseHttpDate(headers.date);
  return respondedAt === undefined ? undefined : respondedAt - completedAt;
}
