import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, type JsonObject, parseJson } from '../../src/orders/json.ts';
import { writeOrderBody } from '../../src/orders/order.ts';

const stated = [
  'externalOrderId',
  'customer',
  'items',
  'collectionMode',
  'collectionAmount',
  'total',
  'requestedDeliveryDate',
];
const write = (text: string) => writeOrderBody(parseJson(text) as JsonObject);

describe('writeOrderBody', () => {
  it.each([
    ['{}', '{}'],
    [
      '{"total":"45000.50","note":"Ө, Ү","requestedDeliveryDate":"2030-02-28","collectionAmount":"0","items":[{"unitPrice":"8900","sku":"TEA-001","quantity":2.0}],"collectionMode":"NONE","customer":{"externalCustomerId":"C-1","name":"Б.Үүрцайх","phone":"99112233"},"externalOrderId":"A-1"}',
      '{"externalOrderId":"A-1","customer":{"phone":"99112233","externalCustomerId":"C-1","name":"Б.Үүрцайх"},"items":[{"sku":"TEA-001","quantity":2.0,"unitPrice":"8900"}],"collectionMode":"NONE","collectionAmount":"0","total":"45000.50","requestedDeliveryDate":"2030-02-28","note":"Ө, Ү"}',
    ],
    ['{"items":[{"sku":"B"},{"sku":"A"}]}', '{"items":[{"sku":"B"},{"sku":"A"}]}'],
    ['{"x":[3,1,2],"b":null,"a":true}', '{"a":true,"b":null,"x":[3,1,2]}'],
    ['{"weight":1.10,"code":12345678901234567890}', '{"code":12345678901234567890,"weight":1.10}'],
  ])('writes fixed bytes: case %#', (order, body) => {
    expect(write(order)).toBe(body);
  });

  it.each([
    ['{"b":1,"a":1,"B":1,"A":1,"_":1}', '{"A":1,"B":1,"_":1,"a":1,"b":1}'],
    ['{"10":1,"9":1,"a":1}', '{"10":1,"9":1,"a":1}'],
    ['{"ү":1,"я":1,"ө":1,"а":1}', '{"а":1,"я":1,"ү":1,"ө":1}'],
    ['{"\uff5e":1,"\u{1f40e}":1}', '{"\u{1f40e}":1,"\uff5e":1}'],
    ['{"ä":1,"z":1}', '{"z":1,"ä":1}'],
    [
      '{"deliveryAddress":{"street":1,"city":1,"note":{"z":1,"a":1}}}',
      '{"deliveryAddress":{"city":1,"note":{"a":1,"z":1},"street":1}}',
    ],
    ['{"b":1,"__proto__":{"d":1,"c":1}}', '{"__proto__":{"c":1,"d":1},"b":1}'],
  ])('sorts other keys by code unit: %s', (order, body) => {
    expect(write(order)).toBe(body);
  });

  it('writes the stated fields first, in the order of the interface', () => {
    const keys = fc.shuffledSubarray([...stated, 'aaa', 'zzz', 'Z'], { minLength: 10 });
    fc.assert(
      fc.property(keys, (shuffled) => {
        const body = writeOrderBody(Object.fromEntries(shuffled.map((key) => [key, ''])));
        expect(Object.keys(JSON.parse(body))).toEqual([...stated, 'Z', 'aaa', 'zzz']);
      }),
    );
  });

  it('is the same for any order of keys at every depth, and keeps all values', () => {
    const order = fc.dictionary(fc.oneof(fc.constantFrom(...stated), fc.string()), fc.jsonValue());
    const rankLists = fc.array(fc.nat(), { minLength: 1 });
    fc.assert(
      fc.property(order, rankLists, (value, ranks) => {
        let next = 0;
        const shuffled = reorder(value as Json, () => ranks[next++ % ranks.length] ?? 0) as JsonObject;
        const body = writeOrderBody(shuffled);
        expect(body).toBe(writeOrderBody(value as JsonObject));
        expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 300 },
    );
  });
});

/** The same value with the members of every object in an order drawn by `rank`. */
function reorder(value: Json, rank: () => number): Json {
  if (Array.isArray(value)) return value.map((item) => reorder(item, rank));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, item]) => ({ key, item, rank: rank() }));
  members.sort((left, right) => left.rank - right.rank);
  return Object.fromEntries(members.reverse().map(({ key, item }) => [key, reorder(item as Json, rank)]));
}
