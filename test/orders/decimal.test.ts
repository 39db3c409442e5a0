import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  createSum,
  isDecimal,
  isSameAmount,
  isZeroDecimal,
  subtractDecimals,
} from '../../src/orders/decimal.ts';
import cases from './decimal.json' with { type: 'json' };

const whole = fc.bigInt({ min: 0n, max: 10n ** 40n - 1n });
const decimal = fc
  .tuple(whole, fc.option(fc.integer({ min: 0, max: 99 })))
  .map(([units, rest]) => (rest === null ? `${units}` : `${units}.${String(rest).padStart(2, '0')}`));

function hundredths(text: string): bigint {
  const [units = '', rest = '00'] = text.split('.');
  return BigInt(units) * 100n + BigInt(rest);
}

test.each([
  ['100.50', ['0.50'], '100.00'],
  ['100', ['0.50'], '99.50'],
  ['100', ['50', '50.00'], '0'],
  ['100', ['100.01'], undefined],
])('%s less %j', (from, parts, expected) => {
  expect(subtractDecimals(from, parts)).toBe(expected);
});

describe('isDecimal', () => {
  it.each(['0', '0.00', '0.05', '5', '10', '45000', '45000.50', '9'.repeat(200)])('accepts %s', (text) => {
    expect(isDecimal(text)).toBe(true);
  });

  it.each([
    '',
    ' ',
    '.',
    '.50',
    '5.',
    '5.5',
    '5.500',
    '5.50.50',
    '00',
    '00.50',
    '045000',
    '-5',
    '+5',
    '-0',
    '1e5',
    '1E5',
    '0x10',
    '25,000',
    '25 000',
    '25000,50',
    '25_000',
    '₮45000',
    '45000₮',
    ' 45000',
    '45000 ',
    '45000\n',
    '４５',
    'NaN',
    'Infinity',
  ])('rejects %j', (text) => {
    expect(isDecimal(text)).toBe(false);
  });
});

describe('isZeroDecimal', () => {
  it.each([
    ['0', true],
    ['0.00', true],
    ['0.01', false],
    ['0.10', false],
    ['10', false],
    ['100.00', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isZeroDecimal(text)).toBe(expected);
  });
});

describe('isSameAmount', () => {
  it.each(cases.sameAmounts as [string, string, boolean][])('%j and %j: %s', (left, right, expected) => {
    expect(isSameAmount(left, right)).toBe(expected);
    expect(isSameAmount(right, left)).toBe(expected);
  });

  it('agrees with integer arithmetic, however the amounts are written', () => {
    const near = fc.bigInt({ min: -300n, max: 300n });
    const far = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    const pair = fc.oneof(fc.tuple(near, near), fc.tuple(far, near).map(sumToPair), fc.tuple(far, far));
    const zeros = fc.nat({ max: 3 });
    fc.assert(
      fc.property(pair, zeros, zeros, ([left, right], leading, trailing) => {
        expect(isSameAmount(format(left, leading, 0), format(right, 0, trailing))).toBe(left === right);
      }),
      { numRuns: 500 },
    );
  });

  function sumToPair([amount, step]: [bigint, bigint]): [bigint, bigint] {
    return [amount, amount + step / 100n];
  }

  function format(amount: bigint, leading: number, trailing: number): string {
    const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
    const units = '0'.repeat(leading) + digits.slice(0, -2);
    return `${amount < 0n ? '-' : ''}${units}.${digits.slice(-2)}${'0'.repeat(trailing)}`;
  }
});

describe('createSum', () => {
  const sumOf = (decimals: (string | undefined)[]) => {
    const sum = createSum();
    for (const decimal of decimals) sum.add(decimal);
    return sum.value();
  };

  it.each([
    [[], undefined],
    [['0'], '0'],
    [[undefined, 'two', '5,00', '-1'], undefined],
    [['1', 'two', '2.50'], '3.50'],
    [['0.00'], '0'],
    [['0.05'], '0.05'],
    [['45000'], '45000'],
    [['45000.00'], '45000'],
    [['0.10', '0.20'], '0.30'],
    [['0.99', '0.01'], '1'],
    [['8900', '6450.50', '0.05'], '15350.55'],
    [['9007199254740993', '0.01'], '9007199254740993.01'],
  ])('of %j is %s', (decimals, expected) => {
    expect(sumOf(decimals)).toBe(expected);
  });

  it('is exact for lists of numbers of up to 40 digits', () => {
    fc.assert(
      fc.property(fc.array(decimal), (decimals) => {
        const sum = sumOf(['0', ...decimals]) ?? '';
        expect(isDecimal(sum)).toBe(true);
        expect(hundredths(sum)).toBe(decimals.reduce((total, text) => total + hundredths(text), 0n));
      }),
    );
  });
});
