import { describe, expect, it } from 'vitest';
import { operations } from '../../src/api/http/attempt-result.ts';
import type { Outcome } from '../../src/api/responses/outcome.ts';
import { callOnce, goodJson } from './calls.ts';
import { lost, type Reply, startWithClient } from './stub-service.ts';

const code = { code: 'SOMETHING_ELSE', message: 'no' };
const known = { error: { code: 'PRODUCT_SKU_NOT_FOUND', message: 'no' } };
const elsewhere = { location: 'https://other.example/' };

/** The outcomes of create, get, list and cancel in this order, or one for all. */
const rows: [string, Reply, string][] = [
  ['200', { json: goodJson }, 'succeeded'],
  ['201', { status: 201, json: goodJson }, 'succeeded'],
  ['202 with an order', { status: 202, json: goodJson }, 'succeeded'],
  ['202 without an order', { status: 202, json: {} }, 'no_order unreadable unreadable unknown'],
  ['204', { status: 204 }, 'no_order unknown unknown unknown'],
  ['200 without a body', { text: '' }, 'no_order unknown unknown unknown'],
  [
    '200 with a truncated body',
    { text: JSON.stringify(goodJson).slice(0, -9) },
    'no_order unknown unknown unknown',
  ],
  ['200 with HTML', { text: '<html></html>' }, 'no_order unknown unknown unknown'],
  ['200 with an error', { json: { error: { code: 'BUSY' } } }, 'no_order unknown unknown unknown'],
  ['200 with other JSON', { json: { message: 'ok' } }, 'no_order unreadable unreadable unknown'],
  ...[300, 301, 302, 303, 304, 307, 308].map((status): [string, Reply, string] => {
    return [`${status}`, { status, headers: elsewhere }, 'wrong_base_url'];
  }),
  ['400', { status: 400 }, 'rejected_or_exists rejected rejected rejected'],
  ['401', { status: 401 }, 'key_refused'],
  ['401 with a code', { status: 401, json: code }, 'key_refused'],
  ['402', { status: 402 }, 'rejected_or_exists rejected rejected rejected'],
  ['403', { status: 403 }, 'forbidden'],
  ['403 with a code', { status: 403, json: code }, 'forbidden'],
  ['404', { status: 404 }, 'wrong_base_url not_found wrong_base_url not_found'],
  ['404 with HTML', { status: 404, text: '<html>' }, 'wrong_base_url not_found wrong_base_url not_found'],
  ['404 with a code', { status: 404, json: code }, 'rejected_or_exists not_found rejected not_found'],
  ['405', { status: 405 }, 'wrong_base_url'],
  ['405 with a code', { status: 405, json: code }, 'rejected_or_exists rejected rejected rejected'],
  ...[408, 425, 500, 501, 502, 503, 504, 505, 507, 520, 522, 524, 530, 598, 599].flatMap(
    (status): [string, Reply, string][] => [
      [`${status}`, { status }, 'unknown'],
      [`${status} with a code`, { status, json: code }, 'unknown'],
    ],
  ),
  ['503 with a wait', { status: 503, headers: { 'retry-after': '1' } }, 'unknown'],
  ...[409, 410, 413, 415, 422, 428, 431, 451, 499].flatMap((status): [string, Reply, string][] => [
    [`${status}`, { status }, 'rejected_or_exists rejected rejected rejected'],
    [`${status} with a code`, { status, json: code }, 'rejected_or_exists rejected rejected rejected'],
  ]),
  ...[400, 404, 405, 409, 422].map((status): [string, Reply, string] => [
    `${status} with a code of the interface`,
    { status, json: known },
    'rejected',
  ]),
  ['401 with a code of the interface', { status: 401, json: known }, 'key_refused'],
  ['403 with a code of the interface', { status: 403, json: known }, 'forbidden'],
  ['408 with a code of the interface', { status: 408, json: known }, 'unknown'],
  ['600', { status: 600 }, 'unknown'],
  ['999', { status: 999 }, 'unknown'],
];
const retried = new Set<Outcome>(['unknown', 'not_sent']);

describe.each(operations.map((operation, index) => [operation, index] as const))(
  'a %s',
  (operation, index) => {
    it.each(rows)('%s', async (_name, reply, expected) => {
      const words = expected.split(' ');
      const outcome = (words[index] ?? words[0]) as Outcome;
      const { client, received } = await startWithClient(() => reply);
      const result = await callOnce(client, operation);
      const attempts = operation !== 'cancel' && retried.has(outcome) ? 5 : 1;
      const sawUnknown = outcome === 'unknown' || outcome === 'no_order';
      expect({ ...result, attemptResult: undefined }).toEqual({
        outcome,
        attempts,
        sawUnknown,
        attemptResult: undefined,
        firstAttemptAt: expect.any(Number),
        completedAt: expect.any(Number),
      });
      expect(received.length).toBe(attempts);
    });

    it('429 is retried after its Retry-After and does not count as an attempt', async () => {
      const replies: Reply[] = [
        ...Array(9).fill({ status: 429, headers: { 'retry-after': '2' } }),
        { json: goodJson },
      ];
      const { client, received } = await startWithClient(() => replies.shift() as Reply);
      expect(await callOnce(client, operation)).toMatchObject({ outcome: 'succeeded', sawUnknown: false });
      expect(received.length).toBe(10);
    });

    it.each([401, 429, 403, 302, 422])('stays unknown when %i follows an unknown attempt', async (status) => {
      const replies: Reply[] = [lost, { status, headers: { 'retry-after': '301' } }];
      const { client } = await startWithClient(() => replies.shift() as Reply);
      expect((await callOnce(client, operation)).sawUnknown).toBe(true);
    });
  },
);
