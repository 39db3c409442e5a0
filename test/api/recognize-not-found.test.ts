import { describe, expect, it } from 'vitest';
import { operations } from '../../src/api/http/attempt-result.ts';
import { type Outcome, outcomeOf } from '../../src/api/responses/outcome.ts';
import { recognizeNotFound } from '../../src/api/to-cli-error.ts';
import { responseOf } from './response.ts';

const recognized = (operation: (typeof operations)[number], status: number, code = '') => {
  const response = responseOf(status, JSON.stringify({ code, message: 'no' }));
  return recognizeNotFound(operation, outcomeOf(operation, response), response);
};

describe('a read', () => {
  it.each<[number, string, Outcome]>([
    [404, '', 'not_found'],
    [404, 'ANYTHING', 'not_found'],
    [410, '', 'not_found'],
    [410, 'ORDER_GONE', 'not_found'],
    [400, 'ResourceNotFoundException', 'not_found'],
    [400, 'NO_SUCH_ORDER', 'not_found'],
    [422, 'order.does-not-exist', 'not_found'],
    [405, 'NOT_FOUND', 'not_found'],
    [451, 'ORDER_NOT_FOUND_2', 'not_found'],
    [400, 'BAD_ID', 'rejected'],
    [400, '', 'rejected'],
    [400, 'PRODUCT_SKU_NOT_FOUND', 'rejected'],
    [405, '', 'rejected'],
    [401, 'KEY_NOT_FOUND', 'key_refused'],
    [403, 'SCOPE_NOT_FOUND', 'forbidden'],
    [408, 'NOT_FOUND', 'unknown'],
    [425, 'NOT_FOUND', 'unknown'],
    [429, 'NOT_FOUND', 'throttled'],
    [500, 'NOT_FOUND', 'unknown'],
    [200, 'NOT_FOUND', 'succeeded'],
    [302, 'NOT_FOUND', 'wrong_base_url'],
  ])('%i %s: %s', (status, code, outcome) => {
    expect(recognized('get', status, code)).toBe(outcome);
  });
});

describe('a cancellation', () => {
  it.each<[number, string, Outcome]>([
    [404, '', 'not_found'],
    [400, 'ResourceNotFoundException', 'not_found'],
    [410, 'ORDER_DELIVERED', 'rejected'],
    [405, '', 'rejected'],
    [409, '', 'rejected'],
  ])('%i %s: %s', (status, code, outcome) => {
    expect(recognized('cancel', status, code)).toBe(outcome);
  });
});

it('leaves the outcomes of create and list unchanged', () => {
  for (const operation of ['create', 'list'] as const) {
    for (const status of [400, 404, 405, 410, 422]) {
      const response = responseOf(status, '{"code":"NOT_FOUND"}');
      const outcome = outcomeOf(operation, response);
      expect(recognizeNotFound(operation, outcome, response)).toBe(outcome);
    }
  }
});

it('leaves the outcome of a failure unchanged', () => {
  const failure = { kind: 'failure', mayHaveBeenSent: true, isCertificate: false, reason: '' } as const;
  for (const operation of operations)
    expect(recognizeNotFound(operation, 'unknown', failure)).toBe('unknown');
});
