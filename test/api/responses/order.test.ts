import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isReplayed, readOrder } from '../../../src/api/responses/order.ts';
import { parseJson } from '../../../src/orders/json.ts';
import { responseOf } from '../response.ts';

const read = (text: string) => readOrder(parseJson(text));

describe('readOrder', () => {
  it.each([
    ['bare', '{"id":"X","total":"1"}'],
    ['data', '{"data":{"id":"X","total":"1"}}'],
    ['order', '{"order":{"id":"X","total":"1"}}'],
    ['result', '{"result":{"id":"X","total":"1"}}'],
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
    '{"id":7}',
    '{"id":null}',
    '{"id":{"id":"X"}}',
    '{"data":null}',
    '{"data":[{"id":"X"}]}',
    '{"data":{"data":{"id":"X"}}}',
    '{"customer":{"id":"X"}}',
    '{"success":false,"error":{"code":"BUSY","id":"X"}}',
  ])('finds no order: %s', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('finds no order without JSON', () => {
    expect(readOrder(undefined)).toBeUndefined();
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

describe('isReplayed', () => {
  it.each([
    [{ 'idempotent-replayed': 'true' }, true],
    [{ 'idempotency-replayed': 'TRUE' }, true],
    [{ 'idempotency-replay': '1' }, true],
    [{ 'x-idempotency-replayed': 'yes' }, true],
    [{ 'x-idempotency-status': 'replayed' }, true],
    [{ 'request-idempotency': 'true' }, true],
    [{ 'idempotency-status': 'Replayed' }, true],
    [{ 'idempotent-replayed': 'false' }, false],
    [{ 'idempotency-status': 'replayed-never' }, false],
    [{ 'idempotency-status': 'created' }, false],
    [{ 'idempotency-status': 'not replayed' }, false],
    [{ 'idempotent-replayed': '' }, false],
    [{ 'x-cache': 'true' }, false],
    [{}, false],
  ])('%j: %s', (headers: Record<string, string>, expected) => {
    expect(isReplayed(responseOf(200, '{}', headers))).toBe(expected);
  });
});
