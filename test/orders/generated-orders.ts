import fc from 'fast-check';
import { JsonNumber, type JsonObject } from '../../src/orders/json.ts';
import type { Order } from '../../src/orders/order.ts';

export const today = '2026-11-20';

const otherValues = fc.constantFrom(
  '',
  ' ',
  '\t',
  '\u00a0',
  'x',
  null,
  true,
  [],
  {},
  { value: '1' },
  ['x'],
  ...['0', '1', '25000', '25000.50', '1e5', '-5', '99112233'].map((text) => new JsonNumber(text)),
);

const ids = ['A-1', '1', ' A 1 ', 'Ы-1', 'A\u001b1', '\u0000', 'A\t1', 'A\u00851', '\r'];
const phones = [
  ...['99112233', '9911 2233', '9911-2233', '+97699112233', '00976 99112233', '(976) 88112233', ' 99112233 '],
  ...['99112233 ', '70112233', '1199112233', '9911223', '12345', '99112233;88112233', '99112233 88112233'],
  ...['+1 212 555 1212', '+999 1234567', '9.91E+07', ' 9,91e+07', '9.9112233E+07', '1E+2', 'none', '*'],
  ...['9911****', '９９１１２２３３', '99112233x', '-', '99112233 ext 5', '0', '+', '2125551212'],
];
const amounts = ['0', '0.00', '5', '25000', '25000.50', '0.01', '00', '00.00', '-0', '5,000', '0,00', '1e3'];
const moreAmounts = ['12345678901234567890123', '5.5', '5.500', ' 5', '5\n', '+5', '.50', '05', '٥'];
const dates = [
  '2030-01-15',
  '2026-11-20',
  '2026-11-19',
  '2020-01-15',
  '2028-02-29',
  '2027-02-29',
  '2030-04-31',
];
const moreDates = [
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '2030-1-5',
  '2030-01-15T00:00:00Z',
  '2030-01-15\n',
];
const quantities = [
  '1',
  '12',
  '0',
  '01',
  '2.0',
  '2.00',
  '1.5',
  '1,5',
  '.5',
  '-1',
  '+2',
  ' 2 ',
  'two',
  '2 kg',
  '2\n',
];
const modes = ['NONE', 'COLLECT', 'none', 'COLLECT ', 'CASH', 'toString'];

/** One of the texts, of which the first are the usual ones; sometimes missing, or something else. */
function field(texts: readonly string[], weight: number) {
  return fc.oneof(
    { weight: weight ** 2, arbitrary: fc.constantFrom(...texts.slice(0, 2)) },
    { weight, arbitrary: fc.constantFrom(...texts) },
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: otherValues },
  );
}

const numberOf = (text: string) => (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? new JsonNumber(text) : text);

function withoutMissing(fields: Record<string, unknown>): JsonObject {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as JsonObject;
}

const lines = (weight: number) =>
  fc.oneof(
    { weight: 2 * weight, arbitrary: fc.array(line(weight), { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.oneof(fc.constant(undefined), otherValues) },
  );

const line = (weight: number) =>
  fc.oneof(
    {
      weight: 3 * weight,
      arbitrary: fc
        .record({
          sku: field(['TEA-001', 'TEA 2'], weight),
          quantity: fc.oneof(
            field(quantities, weight),
            field(quantities, weight).map((value) => {
              return typeof value === 'string' ? numberOf(value) : value;
            }),
          ),
          name: fc.constantFrom(undefined, 'Tea'),
        })
        .map(withoutMissing),
    },
    { weight: 1, arbitrary: otherValues },
  );

/** Orders of which the higher weight makes more right. */
function orders(weight: number): fc.Arbitrary<Order> {
  return fc
    .record({
      externalOrderId: field(ids, weight),
      customer: fc.oneof(
        {
          weight: 4 * weight,
          arbitrary: fc
            .record({
              phone: field(phones, weight),
              externalCustomerId: field(['C-1', 'C 2'], weight),
              name: fc.constantFrom(undefined, 'Bat', null),
            })
            .map(withoutMissing),
        },
        { weight: 1, arbitrary: fc.oneof(fc.constant(undefined), otherValues) },
      ),
      items: lines(weight),
      collectionMode: field(modes, weight),
      collectionAmount: field([...amounts, ...moreAmounts], weight),
      total: field(['25000', '25000.50', ...amounts, ...moreAmounts], weight),
      requestedDeliveryDate: field([...dates, ...moreDates], weight),
      note: fc.constantFrom<unknown>(undefined, 'x', { value: new JsonNumber('1.50') }),
      deep: fc.oneof(
        { weight: 30, arbitrary: fc.constant(undefined) },
        fc.constantFrom(478, 479, 480, 481).map(nested),
      ),
    })
    .map(withoutMissing);
}

function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
}

export const generatedOrders = fc.oneof(orders(1), orders(4), orders(30));
