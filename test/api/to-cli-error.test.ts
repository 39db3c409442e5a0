import { describe, expect, it } from 'vitest';
import type { operations } from '../../src/api/http/attempt-result.ts';
import { outcomeOf } from '../../src/api/responses/outcome.ts';
import { describeResult, toCliError } from '../../src/api/to-cli-error.ts';
import { textOf } from '../support/advice.ts';
import { responseOf } from './response.ts';

type CallResult = Parameters<typeof toCliError>[1];

const errorOf = (operation: (typeof operations)[number], ...response: Parameters<typeof responseOf>) => {
  const attemptResult = responseOf(...response);
  return toCliError(operation, { outcome: outcomeOf(operation, attemptResult), attemptResult } as CallResult);
};

describe('one attempt result in words', () => {
  it.each([
    [400, '{"message":"Phone is missing."}', 'Phone is missing'],
    [404, '404 page not found\n', '404 page not found'],
    [503, '', 'status 503'],
    [422, 'null', 'status 422'],
    [200, '{"id":"7","message":"Thank you"}', 'status 200'],
    [200, '{"error":"Try again"}', 'Try again'],
  ])('%i %s: %s', (status, text, words) => {
    expect(describeResult(responseOf(status, text))).toBe(words);
  });

  it('is the reason of a failure', () => {
    const reason = 'the connection was reset';
    expect(describeResult({ kind: 'failure', mayHaveBeenSent: true, isCertificate: false, reason })).toBe(
      reason,
    );
  });
});

it.each([
  ['create', 'create orders', 'Ask for a key that can (scope orders:write), then run: merchant-orders login'],
  ['get', 'read orders', 'Ask for a key that can, then run: merchant-orders login'],
  ['list', 'list orders', 'Ask for a key that can, then run: merchant-orders login'],
  ['cancel', 'cancel orders', 'Ask for a key that can, then run: merchant-orders login'],
] as const)('%s without permission: cannot %s', (operation, thing, hint) => {
  const error = errorOf(operation, 403, '{"message":"Forbidden"}');
  expect([error.message, textOf(error.details.hint)]).toEqual([`This key cannot ${thing}: Forbidden.`, hint]);
});

it.each([
  [404, '404 page not found\n', 'status 404: 404 page not found'],
  [404, '{"message":"no Route matched with those values"}', 'status 404: no Route matched with those values'],
  [405, '', 'status 405'],
  [302, '<html><body>Moved to https://e.mn/a/secret</body></html>', 'it redirects to e.mn'],
])('a create that is answered %i %j: %s', (status, text, words) => {
  const error = errorOf('create', status, text, status === 302 ? { location: 'https://e.mn/a/secret' } : {});
  expect(error.message).toBe(`The merchant orders API is not at this address: ${words}.`);
});
