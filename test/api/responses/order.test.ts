import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOrder } from '../../../src/api/responses/order.ts';
import { parseJson } from '../../../src/orders/json.ts';

const read = (text: string) => readOrder(parseJson(text));

describe('readOrder', () => {
  it.each([
    ['bare', '{"id":"X","total":"1"}'],
    ['data', '{"data":{"id":"X","total":"1"}}'],
    ['order', '{"order":{"id":"X","total":"1"}}'],
    ['result', '{"result":{"id":"X","total":"1"}}'],
    ['merchantOrder', '{"merchantOrder":{"id":"X","total":"1"}}'],
    ['payload', '{"ok":true,"payload":{"id":"X","total":"1"}}'],
    ['item', '{"item":{"id":"X","total":"1"}}'],
    ['response', '{"response":{"id":"X","total":"1"}}'],
    ['body', '{"statusCode":200,"body":{"id":"X","total":"1"}}'],
    ['data.data', '{"data":{"data":{"id":"X","total":"1"}}}'],
    ['result.order', '{"result":{"order":{"id":"X","total":"1"}}}'],
    ['response.body.order', '{"response":{"body":{"order":{"id":"X","total":"1"}}}}'],
    ['data.order', '{"data":{"order":{"id":"X","total":"1"}}}'],
    [
      'beside other fields',
      '{"success":true,"message":"ok","data":{"id":"X","total":"1"},"meta":{"id":"Y"}}',
    ],
    ['under an envelope that has an empty id', '{"id":"","order":{"id":"X","total":"1"}}'],
    ['under an envelope that has an id', '{"id":"req_1","data":{"id":"X","total":"1"}}'],
  ])('finds the order: %s', (_name, text) => {
    expect(read(text)).toEqual({ id: 'X', order: { id: 'X', total: '1' } });
  });

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
  it.each<[string, object]>([
    ['a list of one', [numbered]],
    ['data as a list of one', { data: [numbered] }],
    ['a list of one under data.order', { data: { order: [numbered] } }],
    ['an unknown name', { purchase: numbered, customer: { id: 'C' } }],
    ['an unknown name under data (GraphQL)', { data: { createMerchantOrder: { order: numbered } } }],
    ['order, beside its customer', { order: numbered, customer: { id: 'C', phone: '99112233' } }],
    ['order, in an envelope with an id', { id: 'req_1', customer: { id: 'C' }, order: numbered }],
    ['order, beside the ID that was sent', { externalOrderId: 'UB-7', order: numbered }],
    ['order, beside data that is no order', { order: numbered, data: { id: 'evt_1' } }],
    ['order, beside an empty list', { order: numbered, data: [] }],
    ['the same order twice', { data: numbered, order: numbered }],
    ['Strapi', { data: { id: 7, attributes: numbered }, meta: {} }],
    ['Strapi, a list of one', { data: [{ id: 7, attributes: numbered }] }],
  ])('finds the order among others: %s', (_name, body) => {
    expect(read(JSON.stringify(body))).toEqual({ id: 'X', order: numbered });
  });

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

  it('finds an order without lines', () => {
    expect(read('{"id":"X","items":[]}')?.id).toBe('X');
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
