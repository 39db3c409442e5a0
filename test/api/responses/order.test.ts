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
    ['data.order', '{"data":{"order":{"id":"X","total":"1"}}}'],
    [
      'beside other things',
      '{"success":true,"message":"ok","data":{"id":"X","total":"1"},"meta":{"id":"Y"}}',
    ],
    ['under an envelope that has an empty id', '{"id":"","order":{"id":"X","total":"1"}}'],
    ['under an envelope that has an id', '{"id":"req_1","data":{"id":"X","total":"1"}}'],
  ])('finds one: %s', (_name, text) => {
    expect(read(text)).toEqual({ id: 'X', order: { id: 'X', total: '1' } });
  });

  it('takes what looks like an order before what is inside it', () => {
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
    '{"id":7}',
    '{"id":null}',
    '{"id":{"id":"X"}}',
    '{"data":null}',
    '{"data":[{"id":"X"}]}',
    '{"data":{"data":{"id":"X"}}}',
    '{"customer":{"id":"X"}}',
    '{"success":false,"error":{"code":"BUSY","id":"X"}}',
  ])('finds none: %s', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('finds none where there is no JSON', () => {
    expect(readOrder(undefined)).toBeUndefined();
  });

  it('never throws, and what it finds has its id', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const found = read(text);
        if (found !== undefined) expect([typeof found.id, found.order.id]).toEqual(['string', found.id]);
      }),
    );
  });
});
