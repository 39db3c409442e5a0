import { expect, test } from 'vitest';
import { type JsonObject, parseJson } from '../../src/orders/json.ts';
import { flattenFields, pickCells } from '../../src/output/fields.ts';

const order = parseJson(`{
  "id": "1",
  "customer": { "phone": "99112233", "tags": [] },
  "items": [{ "sku": "TEA-1", "quantity": 2.0 }, { "meta": { "a.b": true } }],
  "grid": [[1, 2]],
  "big": 123456789012345678901234567890,
  "delivery": null,
  "extra": {}
}`) as JsonObject;

test('flattens every field in the order of the record', () => {
  expect(flattenFields(order).map(({ path, text }) => `${path}=${text}`)).toEqual([
    'id=1',
    'customer.phone=99112233',
    'customer.tags=[]',
    'items[0].sku=TEA-1',
    'items[0].quantity=2.0',
    'items[1].meta.a.b=true',
    'grid[0][0]=1',
    'grid[0][1]=2',
    'big=123456789012345678901234567890',
    'delivery=',
    'extra={}',
  ]);
  expect(flattenFields({})).toEqual([]);
});

test('every flattened path can be picked', () => {
  const fields = flattenFields(order);
  expect(
    pickCells(
      order,
      fields.map(({ path }) => path),
    ),
  ).toEqual(fields.map(({ text }) => text));
});

test.each([
  ['customer', '{"phone":"99112233","tags":[]}'],
  ['items[0]', '2 × TEA-1'],
  ['grid[0]', '[1,2]'],
  ['items[2].sku', ''],
  ['items.sku', ''],
  ['items[x]', ''],
  ['id.deeper', ''],
  ['nothing', ''],
  ['.id', ''],
  ['constructor', ''],
  ['customer.toString', ''],
  ['__proto__', ''],
  ['items.length', ''],
])('%s is %j', (path, text) => {
  expect(pickCells(order, [path])).toEqual([text]);
});
