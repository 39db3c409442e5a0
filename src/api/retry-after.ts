import type { Answer } from './observation.ts';

/** IMF-fixdate and RFC 850 name GMT; asctime names no zone, and means GMT too. */
const namedGmt = /^[A-Za-z]{3,9}, \d{2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/;
const asctime = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** The wait that an answer asks for, in milliseconds: a number of seconds or a date; undefined when it asks for none. */
export function retryAfterMilliseconds(answer: Answer, now: number): number | undefined {
  const value = answer.headers['retry-after']?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  const moment = parseHttpDate(value);
  if (moment === undefined) return undefined;
  return Math.max(0, moment - (parseHttpDate(answer.headers.date ?? '') ?? now));
}

function parseHttpDate(text: string): number | undefined {
  const moment = Date.parse(asctime.test(text) ? `${text} GMT` : namedGmt.test(text) ? text : '');
  return Number.isNaN(moment) ? undefined : moment;
}
