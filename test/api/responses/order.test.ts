import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOrder } from '../../../src/api/responses/order.ts';
import { parseJson } from '../../../src/orders/json.ts';

const read = (text: string) => readOrder(parseJson(text));

describe('readOrder', () => {
  it.each([
    ['of 200 characters', 'Ө'.repeat(200), true],
    ['of 201 characters', 'x'.repeat(201), false],
    ['with a line break', 'X\n', false],
    ['with NUL', '\u0000X', false],
    ['with a C1 control', 'X\u009b', false],
    ['empty', '', false],
  ])('an id %s: %#', (_name, id, isId) => {
    const order = { id, orderNumber: 'ORD-1' };
    expect(read(JSON.stringify(order))).toEqual(isId ? { id, order } : undefined);
  });

  const numbered = { id: 'X', orderNumber: 'ORD-2026-000007', externalOrderId: 'UB-7' };

  it('unwraps attributes, beside all that the service sent for the order', () => {
    const links = { self: '/orders/X' };
    const { id, ...attributes } = numbered;
    expect(read(JSON.stringify({ data: { type: 'orders', id, attributes, links } }))).toEqual({
      id: 'X',
      order: { type: 'orders', links, ...numbered },
    });
    expect(read(JSON.stringify({ data: { id, attributes: { ...attributes, id: 12 } } }))?.order.id).toBe('X');
    const own = { ...numbered, attributes: { id: 'Y', colour: 'red' } };
    expect(read(JSON.stringify(own))).toEqual({ id: 'X', order: own });
  });

  it('prefers an order to an object inside it', () => {
    const order = { id: 'X', orderNumber: 'ORD-2026-1', data: { id: 'Y' } };
    expect(read(JSON.stringify(order))).toEqual({ id: 'X', order });
  });

  it.each([
    'null',
    '"X"',
    '7',
    '[]',
    '[{"id":"X"}]',
    '{}',
    '{"id":""}',
    '{"id":7.5}',
    '{"id":null}',
    '{"id":{"id":"X"}}',
    '{"data":null}',
    '{"data":[{"id":"X"}]}',
    '{"data":{"data":{"data":{"data":{"id":"X"}}}}}',
    '{"orderId":"X","orderNumber":"ORD-2026-000007","externalOrderId":"UB-7"}',
    '{"id":"req_1","order":{"orderId":"X","orderNumber":"ORD-2026-000007"}}',
    '{"id":"req_1","order":null}',
    '{"id":"req_1","data":[]}',
    '{"id":"req_1","items":[{"id":"X","orderNumber":"ORD-2026-000007"}],"total":1}',
    '{"id":"req_1","orders":[]}',
    '{"id":"req_1","items":[],"total":0}',
    '{"id":"req_1","items":[],"page":1}',
    '{"id":"req_1","items":[{"id":"X","externalOrderId":"UB-7"}]}',
    '{"orderId":"X","orderNumber":"ORD-2026-000007","replaces":{"id":"Y","orderNumber":"ORD-2026-000006"}}',
    '{"customer":{"id":"X"}}',
    '{"data":{"id":"X","phone":"99112233"}}',
    '{"data":{"customer":{"id":"X","phone":"99112233"}}}',
    '{"item":{"id":"X","sku":"TEA-1"}}',
    '{"items":[{"id":"X","sku":"TEA-1"}]}',
    '{"warning":{"id":"X"}}',
    '{"receipt":{"id":"X","externalOrderId":"UB-7"}}',
    '{"request":{"id":"X","orderNumber":"ORD-2026-000007"}}',
    '{"delivery":{"id":"X","orderNumber":"ORD-2026-000007"}}',
    '[{"id":"X","externalOrderId":"UB-7"},{"id":"Y","externalOrderId":"UB-8"}]',
    '[{"id":"X","orderNumber":"ORD-2026-000007"}]',
    '{"data":{"id":"X","externalOrderId":"UB-7"},"result":{"id":"Y","externalOrderId":"UB-7"}}',
    '{"one":{"id":"X","orderNumber":"ORD-1"},"other":{"id":"Y","orderNumber":"ORD-2"}}',
    '{"data":{"success":false,"order":{"id":"X"}}}',
    '{"result":{"error":{"code":"BUSY"},"order":{"id":"X"}}}',
    '{"data":[{"id":"X","externalOrderId":"UB-7"}],"errors":[{"message":"no"}]}',
    '{"success":false,"id":"X","orderNumber":"ORD-2026-000007"}',
    '{"id":"req_1","externalOrderId":"UB-7","error":{"code":"BUSY"}}',
    '{"success":false,"error":{"code":"BUSY","id":"X"}}',
  ])('finds no order: %s', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('finds no order without JSON', () => {
    expect(readOrder(undefined)).toBeUndefined();
  });

  it('never finds one in a body of which no object has an id', () => {
    const value = fc.jsonValue({
      maxDepth: 5,
      stringUnit: fc.constantFrom('a', 'b', 'data', 'order', 'items'),
    });
    const names = ['data', 'order', 'attributes', 'orderNumber', 'customer', 'items', 'x'];
    const tree = fc.letrec((tie) => ({
      body: fc.oneof(
        { maxDepth: 5 },
        value,
        fc.array(tie('body'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom(...names), tie('body'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(fc.property(tree.body, (body) => void expect(read(JSON.stringify(body))).toBeUndefined()));
  });

  it('never throws, and returns the id of the order', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const found = read(text);
        if (found !== undefined) expect([typeof found.id, found.order.id]).toEqual(['string', found.id]);
      }),
    );
  });
});
