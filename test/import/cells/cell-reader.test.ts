import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCellReader } from '../../../src/import/cells/cell-reader.ts';
import { readDate } from '../../../src/import/columns/dates.ts';
import { checkMoneyText, describeReadings, readMoney } from '../../../src/import/columns/money.ts';
import { isSameAmount } from '../../../src/orders/decimal.ts';
import '../../support/fast-check.ts';

const column = { index: 0, header: 'X', type: 'text', isLine: false, isExtra: false } as const;

describe('readMoney', () => {
  it.each([
    ['25000', '25000', '25000'],
    ['25,000', '25000', '25.00'],
    ['25.000', '25.00', '25000'],
    ['1,250,000.50', '1250000.50', undefined],
    ['1.250.000,50', undefined, '1250000.50'],
    ['1 250 000,5', undefined, '1250000.50'],
    ['25\u00a0000', '25000', '25000'],
    ["1'250.5", '1250.50', undefined],
    ['100.5', '100.50', undefined],
    ['37990,5', undefined, '37990.50'],
    ['2400.0', '2400.00', undefined],
    ['2400.5000', '2400.50', undefined],
    ['25,000₮', '25000', '25.00'],
    ['MNT 25000', '25000', '25000'],
    ['25 000 төгрөг', '25000', '25000'],
    ['0', '0', '0'],
    ['1,25', undefined, '1.25'],
    ['12,34,567', undefined, undefined],
    ['1,250 000', undefined, undefined],
    ['1.250', '1.25', '1250'],
    ['25.500', '25.50', '25500'],
    ['25.123', undefined, '25123'],
    ['45000.0000', '45000.00', undefined],
    ['45000,0000', undefined, '45000.00'],
    ['45,000.0000', '45000.00', undefined],
    ['45000.1250', undefined, undefined],
    ['-5', undefined, undefined],
    ['$36.39', undefined, undefined],
    ['1e5', undefined, undefined],
    ['007', undefined, undefined],
    ['', undefined, undefined],
  ])('%s is %s with a dot and %s with a comma', (text, dot, comma) => {
    expect([readMoney(text, 'dot'), readMoney(text, 'comma')]).toEqual([dot, comma]);
  });
});

describe('an amount of a sheet, in which numbers have a dot', () => {
  it.each([
    ['18500.5', 'comma', '18500.50'],
    ['18500.25', 'comma', '18500.25'],
    ['0.5', 'comma', '0.50'],
    ['18500.5', 'dot', '18500.50'],
    ['1.500', 'comma', '1500'],
    ['1.500,5', 'comma', '1500.50'],
    ['18.50₮', 'comma', '18.50₮'],
    ['0.333333', 'comma', '0.333333'],
    ['1.500', undefined, '1.500'],
    ['1,500', undefined, '1,500'],
  ] as const)('%s with a decimal %s is %s', (text, decimal, read) => {
    const total = { ...column, path: ['total'] };
    expect(createCellReader(total, { decimal, hasNumberCells: true })(text)).toBe(read);
  });

  it('is not read so in CSV', () => {
    expect(createCellReader({ ...column, path: ['total'] }, { decimal: 'comma' })('18500.5')).toBe('18500.5');
  });
});

describe('readMoney without a decimal mark', () => {
  it.each([
    ['25000', '25000'],
    ['25000.50', '25000.50'],
    ['45000.5', '45000.50'],
    ['45000.0', '45000.00'],
    ['45000.0000', '45000.00'],
    ['45000.5000', '45000.50'],
    ['25000₮', '25000'],
    ['₮ 25000', '25000'],
    ['25000 төг', '25000'],
    ['MNT 25000.5', '25000.50'],
    ['45.000', undefined],
    ['45,000', undefined],
    ['0.000', '0.00'],
    ['10.000', undefined],
    ['0.500', undefined],
    ['0,000', undefined],
    ['45000,5', undefined],
    ['45000,0000', undefined],
    ['45000.1250', undefined],
    ['25,000.50', undefined],
    ['25 000', undefined],
    ['045000.0', undefined],
    ['-45000.0', undefined],
    ['₮', undefined],
    ['', undefined],
  ])('%s: %s', (text, amount) => {
    expect(readMoney(text)).toBe(amount);
  });
});

describe('an amount', () => {
  const amounts = fc.record({
    whole: fc.bigInt({ min: 0n, max: 10n ** 30n }),
    hundredths: fc.integer({ min: 0, max: 99 }),
    zeros: fc.integer({ min: 0, max: 6 }),
  });
  const styles = { dot: [',', '.'], comma: ['.', ','] } as const;

  it.each(['dot', 'comma'] as const)('keeps its value when it is written with a %s', (mark) => {
    const [thousands, point] = styles[mark];
    fc.assert(
      fc.property(amounts, fc.boolean(), ({ whole, hundredths, zeros }, isGrouped) => {
        const digits = isGrouped ? String(whole).replace(/\B(?=(?:\d{3})+$)/g, thousands) : String(whole);
        const fraction = String(hundredths).padStart(2, '0');
        const text = `${digits}${point}${fraction}${'0'.repeat(zeros)}`;
        expect(readMoney(text, mark)).toBe(`${whole}.${fraction}`);
      }),
    );
  });

  it('is never read as another value without a mark', () => {
    const cell = fc.stringMatching(/^\d{1,7}(?:[.,]\d{1,6}){0,2}$/);
    fc.assert(
      fc.property(cell, (text) => {
        const read = readMoney(text);
        if (read === undefined) return;
        expect(isSameAmount(read, text)).toBe(true);
        expect(text).toMatch(/^\d+(?:\.\d+)?$/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('checkMoneyText', () => {
  it.each([
    '$25',
    '25 USD',
    '25usd',
    '€',
    'EUR 90',
    'AU $3,013.00',
    '¥100',
    '100 юань',
    '25 US dollars',
    'MNT 25 USD',
  ])('finds another currency in %s, with any flag', (text) => {
    for (const mark of [undefined, 'dot', 'comma'] as const) {
      expect(checkMoneyText(text, mark)?.code).toBe('currency_not_mnt');
    }
  });

  it.each(['25000', '25000.00', '25 000₮', 'MNT 25,00', 'free', '25 төгрөг!', '', '1e5', '25,000.50'])(
    'finds nothing in %j',
    (text) => {
      expect(checkMoneyText(text, undefined)).toBeUndefined();
    },
  );

  it.each([
    ['45.000', 'decimal_ambiguous', '45.000 ₮ is 45 with dot, 45,000 with comma'],
    ['45,500', 'decimal_ambiguous', '45,500 ₮ is 45,500 with dot, 45.50 with comma'],
    ['45.123₮', 'decimal_ambiguous', '45.123 ₮ is 45,123 with comma'],
    ['1234.000', 'decimal_ambiguous', '1234.000 ₮ is 1,234 with dot'],
    ['1234.567', undefined, '1234.567 ₮ is '],
  ])('%s: %s, %s', (text, code, readings) => {
    expect(checkMoneyText(text, undefined)?.code).toBe(code);
    expect(checkMoneyText(text, 'dot')).toBeUndefined();
    expect(describeReadings(text)).toBe(readings);
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
    ['2026-11-25 00:00:00', '2026-11-25', '2026-11-25', '2026-11-25'],
    ['2026-11-25T00:00', '2026-11-25', '2026-11-25', '2026-11-25'],
    ['2026-11-25T00:00:00.000Z', '2026-11-25', '2026-11-25', '2026-11-25'],
    ['2026/11/25 0:00', '2026-11-25', '2026-11-25', '2026-11-25'],
    ['25.11.2026 00:00', undefined, '2026-11-25', undefined],
    ['11/25/2026 12:00:00 AM', undefined, undefined, '2026-11-25'],
    ['2026-11-25 00:00:01', undefined, undefined, undefined],
    ['2026-11-25T00:00:00.001Z', undefined, undefined, undefined],
    ['2026-11-25T00:00:00+08:00', undefined, undefined, undefined],
    ['2026-11-25 12:00', undefined, undefined, undefined],
    ['2026-11-25 24:00', undefined, undefined, undefined],
    ['2026-02-29 00:00', undefined, undefined, undefined],
    ['00:00', undefined, undefined, undefined],
    ['45972', undefined, undefined, undefined],
  ])('%s: %s, %s or %s', (text, ymd, dmy, mdy) => {
    expect([readDate(text, 'ymd'), readDate(text, 'dmy'), readDate(text, 'mdy')]).toEqual([ymd, dmy, mdy]);
  });
});

describe('a phone cell', () => {
  const read = createCellReader({ ...column, path: ['customer', 'phone'] }, {});

  it.each([
    ['99112233.0', '99112233'],
    ['+97699112233.0', '+97699112233'],
    ['99112233.00', '99112233'],
    ['99112233', '99112233'],
    ['99.11.22.00', '99.11.22.00'],
    ['991122.00', '991122.00'],
    ['99112233.000', '99112233.000'],
    ['99112233.5', '99112233.5'],
  ])('%s is read as %s', (text, phone) => {
    expect(read(text)).toBe(phone);
  });
});

describe('a quantity cell', () => {
  const quantity = { ...column, path: ['items', null, 'quantity'] };
  const readings = [undefined, 'dot', 'comma'] as const;

  it.each([
    ['2', ['2', '2', '2']],
    ['2.0', ['2', '2', '2']],
    ['2,00', ['2', '2', '2']],
    ['2.0000', ['2', '2', '2']],
    ['2.000', ['2.000', '2', '2.000']],
    ['2,000', ['2,000', '2,000', '2']],
    ['1.5', ['1.5', '1.5', '1.5']],
    ['0.0', ['0.0', '0.0', '0.0']],
    ['2ш', ['2', '2', '2']],
    ['12 pcs.', ['12', '12', '12']],
    ['0 ш', ['0 ш', '0 ш', '0 ш']],
    ['2 шил', ['2 шил', '2 шил', '2 шил']],
  ])('%s is read as %j', (text, expected) => {
    expect(readings.map((decimal) => createCellReader(quantity, { decimal })(text))).toEqual(expected);
  });
});
