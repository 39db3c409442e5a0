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
