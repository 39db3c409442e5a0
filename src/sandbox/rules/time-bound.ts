import { isCalendarDate } from '../../orders/calendar-date.ts';

const dayMilliseconds = 86_400_000;
const timeShape =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

export interface TimeBound {
  /** Epoch milliseconds, both inclusive. */
  first: number;
  last: number;
}

/** A calendar date as its whole UTC day, or an RFC 3339 time as its millisecond; undefined for anything else. */
export function parseTimeBound(text: string): TimeBound | undefined {
  const date = timeShape.exec(text)?.[1] ?? text;
  if (!isCalendarDate(date)) return undefined;
  const first = Date.parse(text.toUpperCase());
  return { first, last: date === text ? first + dayMilliseconds - 1 : first };
}
