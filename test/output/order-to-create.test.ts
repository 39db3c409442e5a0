import { expect, it } from 'vitest';
import type { Order } from '../../src/orders/order.ts';
import { parseJson } from '../../src/orders/parse-json.ts';
import { defaultPlaces } from '../../src/orders/unnamed-fields.ts';
import { formatOrderToCreate } from '../../src/output/order-to-create.ts';

const show = (text: string, places = {}) =>
  formatOrderToCreate(parseJson(text) as Order, { ...defaultPlaces, ...places }).split('\n');

it('an order is shown in the words of the questions, and every other field by its path', () => {
  const order = `{"externalOrderId":"A-1","tags":[],"customer":{"phone":"99112233","vip":true},
    "items":[{"sku":"TEA-1","quantity":1.10,"gift":{"wrap":"red"}},{"name":"Бэлэг"}],
    "collectionMode":"COLLECT","collectionAmount":"25000.50","total":"1000000",
    "requestedDeliveryDate":"2026-12-25","deliveryAddress":{"city":"Дархан","gate":"2"}}`;
  expect(show(order)).toEqual([
    'your order ID         A-1',
    'phone number          99112233',
    'item 1                1.10 × TEA-1, gift.wrap: red',
    'item 2                Бэлэг',
    'courier collects      25,000.50 ₮',
    'total                 1,000,000 ₮',
    'delivery date         Friday 25 December 2026',
    'city                  Дархан',
    'tags                  []',
    'customer.vip          true',
    'deliveryAddress.gate  2',
  ]);
});

it('fields are known where the profile sends them', () => {
  const order = '{"items":[{"sku":"TEA-1","qty":2}],"to":{"town":"Дархан"}}';
  const places = { quantity: 'items[].qty', 'address.city': 'to.town' };
  expect(show(order, places)).toEqual(['item  2 × TEA-1', 'city  Дархан']);
});

it.each([
  ['{"collectionMode":"NONE"}', ['courier collects  nothing, it is prepaid']],
  ['{"collectionMode":"COLLECT"}', ['collectionMode  COLLECT']],
  ['{"collectionMode":"NONE","collectionAmount":"5"}', ['collectionMode    NONE', 'collectionAmount  5']],
  ['{"requestedDeliveryDate":"soon"}', ['delivery date  soon']],
  ['{"note.x":"1","note":{"x":"2"}}', ['note.x  1', 'note.x  2']],
  ['{"items":["TEA-1"]}', ['items[0]  TEA-1']],
  ['{"items":{"sku":"TEA-1"}}', ['items.sku  TEA-1']],
])('what is not as usual is shown as it is: %s', (order, lines) => {
  expect(show(order)).toEqual(lines);
});

it('a text that would fill the screen is clipped', () => {
  const text = 'x'.repeat(3_000_000);
  expect(formatOrderToCreate({ note: text, items: [{ sku: text }], [text]: text }, defaultPlaces)).toMatch(
    /^item {59}x{400}…\nnote {59}x{400}…\nx{60}… {2}x{400}…$/,
  );
});

it('each field has one line, whatever the order contains', () => {
  const hostile = 'a\nb\u001b[2J\u202e';
  expect(formatOrderToCreate({ [hostile]: hostile }, defaultPlaces)).toBe('a b  a b');
});
