import { describe, expect, it } from 'vitest';
import { isReplay } from '../../../src/api/responses/replay.ts';
import { responseOf } from '../response.ts';

const order = { id: 'S-1', order: { id: 'S-1' } };
const now = { firstAttemptAt: 0, completedAt: 0 };

describe('isReplay', () => {
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
    expect(isReplay(responseOf(200, '{}', headers), order, now)).toBe(expected);
  });
});
