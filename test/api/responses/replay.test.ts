import { describe, expect, it } from 'vitest';
import { isReplayed } from '../../../src/api/responses/order.ts';
import { answerOf } from '../answer.ts';

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
    expect(isReplayed(answerOf(200, '{}', headers))).toBe(expected);
  });
});
