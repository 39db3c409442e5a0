import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { readTypedDate } from '../../../src/import/words/typed-date.ts';

/** A text, the day on which it is typed, and the date that it means or what is said of it. 2026-11-22 is a Sunday. */
const rows: Record<string, string>[] = parse(readFileSync(new URL('typed-dates.csv', import.meta.url)), {
  columns: true,
});

it.each(rows)('"$text", typed on $today, is $read', ({ text = '', today = '', read = '' }) => {
  const found = readTypedDate(text, today);
  if (/^\d/.test(read)) expect(found).toBe(read);
  else expect(typeof found === 'string' ? found : String(found.problem)).toContain(read);
});
