/** IMF-fixdate and RFC 850 name GMT; asctime names no zone, and means GMT too. */
const namedGmt = /^[A-Za-z]{3,9}, \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
const asctime = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** A date of HTTP in any of its three forms → milliseconds since the epoch; undefined for anything else. */
export function parseHttpDate(text: string): number | undefined {
  const moment = Date.parse(asctime.test(text) ? `${text} GMT` : namedGmt.test(text) ? text : '');
  return Number.isNaN(moment) ? undefined : moment;
}
