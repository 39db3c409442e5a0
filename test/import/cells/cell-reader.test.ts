import { describe, expect, it } from 'vitest';
import { readDate, readMoney } from '../../../src/import/cells/column-facts.ts';

describe('readMoney', () => {
  it.each([
    ['25000', '25000', '25000'],
    ['25,000', '25000', undefined],
    ['25.000', undefined, '25000'],
    ['1,250,000.50', '1250000.50', undefined],
    ['1.250.000,50', undefined, '1250000.50'],
    ['1 250 000,5', undefined, '1250000.50'],
    ['25\u00a0000', '25000', '25000'],
    ["1'250.5", '1250.50', undefined],
    ['100.5', '100.50', undefined],
    ['37990,5', undefined, '37990.50'],
    ['2400.0', '2400.00', undefined],
    ['25,000₮', '25000', undefined],
    ['MNT 25000', '25000', '25000'],
    ['25 000 төгрөг', '25000', '25000'],
    ['0', '0', '0'],
    ['1,25', undefined, '1.25'],
    ['12,34,567', undefined, undefined],
    ['1,250 000', undefined, undefined],
    ['1.250', undefined, '1250'],
    ['-5', undefined, undefined],
    ['$36.39', undefined, undefined],
    ['1e5', undefined, undefined],
    ['007', undefined, undefined],
    ['', undefined, undefined],
  ])('%s is %s with a dot and %s with a comma', (text, dot, comma) => {
    expect([readMoney(text, 'dot'), readMoney(text, 'comma')]).toEqual([dot, comma]);
  });
});

describe('readDate', () => {
  it.each([
    ['2026-11-25', '2026-11-25', '2026-11-25', '2026-11-25'],
    ['2026/11/25', '2026-11-25', '2026-11-25', '2026-11-25'],
    ['2026.1.5', '2026-01-05', '2026-01-05', '2026-01-05'],
    ['25/11/2026', undefined, '2026-11-25', undefined],
    ['11/25/2026', undefined, undefined, '2026-11-25'],
    ['5.11.2026', undefined, '2026-11-05', '2026-05-11'],
    ['2026-11/25', undefined, undefined, undefined],
    ['31-04-2026', undefined, undefined, undefined],
    ['2026/02/29', undefined, undefined, undefined],
    ['25/11/26', undefined, undefined, undefined],
    ['2026-11-25 10:00', undefined, undefined, undefined],
    ['45972', undefined, undefined, undefined],
  ])('%s: %s, %s or %s', (text, ymd, dmy, mdy) => {
    expect([readDate(text, 'ymd'), readDate(text, 'dmy'), readDate(text, 'mdy')]).toEqual([ymd, dmy, mdy]);
  });
});
