import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { readCount } from '../../../src/commands/create/items.ts';
import { readAmount, saysNothingCollected } from '../../../src/commands/create/typed-values.ts';
import { textOf } from '../../support/advice.ts';

const notAnAmount = 'That is not an amount. Write it as 25000, 25,000, 25k or 25 мянга.';
/** What is read of a text, or nothing when it is asked for again. */
const readers: Record<string, (text: string) => string> = {
  amount: (text) => {
    const read = readAmount(text);
    if (typeof read === 'string') return read;
    expect(textOf(read?.problem)).toBe(notAnAmount);
    return '';
  },
  'nothing to collect': (text) => String(saysNothingCollected(text)),
  count: (text) => readCount(text) ?? '',
};
const rows: string[][] = parse(readFileSync(new URL('typed-values.csv', import.meta.url)), { from: 2 });

it.each(rows)('of the kind %s, %s is read as %j', (kind, text, read) => {
  expect(readers[kind ?? '']?.(text ?? '')).toBe(read);
});
