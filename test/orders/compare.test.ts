import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compareOrders } from '../../src/orders/compare.ts';
import { type JsonObject, parseJson } from '../../src/orders/json.ts';
import { defaultPaths, type FieldPaths, resolvePaths } from '../../src/orders/unnamed-fields.ts';

function compare(sent: string, found: string, fieldPaths: FieldPaths = defaultPaths): string {
  const { differences, notCompared } = compareOrders(
    parseJson(sent) as JsonObject,
    parseJson(found) as JsonObject,
    fieldPaths,
  );
  const named = (what: string, fields: readonly string[]) =>
    fields.length === 0 ? [] : [`${what}: ${fields.join(', ')}`];
  const differing = differences.map(({ field }) => field);
  return [...named('differs', differing), ...named('not compared', notCompared)].join('; ') || 'equal';
}

/** What a case is about, the order that was sent, the one that the service shows, and what the comparison says. */
const cases = readFileSync(new URL('compare.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'));

it.each(cases)('%s: %s and %s: %s', (_, sent = '', found = '', expected = '') => {
  expect(compare(sent, found)).toBe(expected);
});

it('compares the name of the recipient where the profile sends it', () => {
  const fieldPaths = resolvePaths({ name: 'recipient' });
  expect(compare('{"recipient":"Бат"}', '{"recipient":"Дорж"}', fieldPaths)).toBe('differs: recipient');
});

it('looks at the paths of the profile', () => {
  const fieldPaths = resolvePaths({ quantity: 'items[].qty', 'address.city': 'delivery.city' });
  const order = (qty: number, city: string) => `{"items":[{"qty":${qty}}],"delivery":{"city":"${city}"}}`;
  expect(compare(order(1, 'УБ'), order(1, 'УБ'), fieldPaths)).toBe('equal');
  const paths = 'delivery.city, items[].qty';
  expect(compare(order(1, 'УБ'), order(2, 'Дархан'), fieldPaths)).toBe(`differs: ${paths}`);
  const elsewhere = '{"items":[{"quantity":2}],"deliveryAddress":{"city":"Дархан"}}';
  expect(compare(order(1, 'УБ'), elsewhere, fieldPaths)).toMatch(`not compared: ${paths}`);
});
