import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldExternalId,
  isPhoneReference,
  isUuid,
  newestNumber,
  readingsOf,
  readOrderNumber,
} from '../../src/orders/order-reference.ts';
import cases from './order-reference.json' with { type: 'json' };

describe('readingsOf', () => {
  it.each(cases.readings as [string, string[]][])('%s: %j', (reference, expected) => {
    expect(readingsOf(reference)).toEqual(expected);
  });
});

describe('isUuid', () => {
  it.each([
    ['1b4e28ba-2fa1-41d2-883f-0016d3cca427', true],
    ['1b4e28ba-2fa1-41d2-883f-0016d3cca427\n', false],
    [' 1b4e28ba-2fa1-41d2-883f-0016d3cca427', false],
    ['ORD-2026-000123', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isUuid(text)).toBe(expected);
  });
});

describe('foldExternalId', () => {
  it('reads an ordinary ID as it reads one behind a sign', () => {
    const characters = fc.constantFrom(...'0019.AZaz-_ #№АЯаяё（Ａ'.split(''), '\u007f', '\t');
    const id = fc.array(characters, { maxLength: 8 }).map((all) => all.join(''));
    const ordinary = fc.tuple(fc.constantFrom('A', 'Z', '1', 'a', '0'), id).map((parts) => parts.join(''));
    fc.assert(
      fc.property(ordinary, (text) => {
        expect(foldExternalId(text)).toBe(foldExternalId(`#${text}`));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['12', '12.0', '0012', '#12', '№ 12', '№12', '１２', '＃12', '012.00'],
    ['A-1', 'a-1', 'А-1', 'а-1', 'Ａ－１', '#A-1', 'A 1', '#a 1', 'A - 1', 'A–1', 'A\u00a01'],
    ['10-01', '10 01', '№10 01'],
    ['CHEX-7', 'СНЕХ-7', 'снех-7'],
    ['0', '00', '0.0'],
  ])('is the same for %s, %s, %s ...', (...ids) => {
    expect(new Set(ids.map(foldExternalId)).size).toBe(1);
  });

  it.each([
    ['12', '120'],
    ['12', '1.2'],
    ['12', '12.5'],
    ['12', '-12'],
    ['A-1', 'A-01'],
    ['A-1', 'Д-1'],
    ['A-1', 'A1'],
    ['A-1', 'A-11'],
    ['A-1001', 'B-1001'],
    ['10-01', '1001'],
    ['10 01', '1001'],
    ['0', 'O'],
    ['1', '10'],
  ])('differs for %s and %s', (left, right) => {
    expect(foldExternalId(left)).not.toBe(foldExternalId(right));
  });
});

describe('an order number as people write it', () => {
  const newest = 'ORD-2026-000236';
  it.each(cases.typedNumbers)('%s is ORD-2026-000009', (text) => {
    expect(readOrderNumber(text, newest)).toBe('ORD-2026-000009');
  });

  it.each([
    ['ORD-2025-9', newest, 'ORD-2025-000009'],
    ['2025000009', newest, 'ORD-2025-000009'],
    ['2026', newest, 'ORD-2026-002026'],
    ['1000000', newest, 'ORD-2026-1000000'],
    ['9', 'ORD-2027-04', 'ORD-2027-09'],
    ['9', 'ORD-2027-4', 'ORD-2027-9'],
    ['20279', 'ORD-2027-4', 'ORD-2027-9'],
  ])('%s after %s is %s', (text, last, number) => {
    expect(readOrderNumber(text, last)).toBe(number);
  });

  it.each([
    ...[
      '',
      'ord',
      '0',
      '000',
      '9-1',
      '9a',
      '9-р',
      '9.5',
      '1,000',
      '99112233',
      '+97699112233',
      '2026-',
      '9,10',
    ],
    ...['1999-9', '26-9', '2026-9-1', '0d0f7cc0-9a0e-4d5c-8a51-2f7a2a1d2c3b', '20260000009'],
  ])('%s is none', (text) => {
    expect(readOrderNumber(text, newest)).toBeUndefined();
  });

  it('has the form of the newest number of the service, if that has one', () => {
    expect(newestNumber(['ORD-2026-000001', 'X-9', 'ORD-2027-000003', 'ORD-2026-000236'])).toBe(
      'ORD-2027-000003',
    );
    expect(newestNumber(['X-9', 'ord-2026-1'])).toBeUndefined();
    expect(readOrderNumber('9', 'X-9')).toBeUndefined();
  });
});

it.each<[string, boolean]>([
  ['99112233', true],
  ['9911 2233', true],
  ['9911-2233', true],
  ['+97699112233', true],
  ['+976 9911-2233', true],
  ['97699112233', true],
  ['+1 500 555 0006', true],
  ['9911223', false],
  ['991122334', false],
  ['2026000009', false],
  ['9911 2233 or 9911 2234', false],
  ['UB-99112233', false],
  ['', false],
])('%j may be a phone: %s', (text, expected) => {
  expect(isPhoneReference(text)).toBe(expected);
});
