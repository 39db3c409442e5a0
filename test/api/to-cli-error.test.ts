import { describe, expect, it } from 'vitest';
import type { operations } from '../../src/api/http/attempt-result.ts';
import { outcomeOf } from '../../src/api/responses/outcome.ts';
import { describeResult, toCliError, unreadableResponse } from '../../src/api/to-cli-error.ts';
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
    [200, '{"code":1042,"msg":"The account is blocked","data":null}', 'The account is blocked'],
    [200, '{"orders":[{"note":"Call me"}]}', 'status 200'],
    [207, '{"results":[{"status":422,"error":{"code":"X","message":"The tea is gone"}}]}', 'The tea is gone'],
    [207, '{"results":[{"status":"409","detail":"The ID is taken"}]}', 'The ID is taken'],
    [
      207,
      '{"results":[{"status":201,"order":{"id":"7","externalOrderId":"A","message":"Hi"}}]}',
      'status 207',
    ],
    [200, '<html><title>Sign in</title></html>', 'status 200 with the web page "Sign in"'],
  ])('%i %s: %s', (status, text, words) => {
    expect(textOf(describeResult(responseOf(status, text)))).toBe(words);
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

it.each<[string, string, Record<string, string>, string]>([
  [
    'a page',
    '<html><head><title>Blocked</title></head><body><p>Ray 8a1</p></body></html>',
    {},
    'Blocked Ray 8a1',
  ],
  ['a page of XHTML', '<?xml version="1.0"?>\n<!DOCTYPE html>\n<html><p>Blocked</p></html>', {}, 'Blocked'],
  ['the text of Cloudflare', 'error code: 1020\n', { 'content-type': 'text/plain' }, 'error code: 1020'],
  [
    'a page of WordPress',
    '<html><body><p>A potentially unsafe operation has been detected</p></body></html>',
    {},
    'A potentially unsafe operation has been detected',
  ],
  [
    'a page of nginx',
    '<html><head><title>403 Forbidden</title></head><body><center><h1>403 Forbidden</h1></center><hr><center>nginx</center></body></html>',
    {},
    '403 Forbidden nginx',
  ],
])('a 403 with %s is of a firewall, not of the key', (_name, text, headers, words) => {
  const error = errorOf('create', 403, text, headers);
  expect([error.code, error.details.outcome, error.message, textOf(error.details.hint)]).toEqual([
    'request_blocked',
    'rejected',
    `A firewall or gateway in front of the service blocked the request: ${words}.`,
    'Try another network, without a VPN or proxy. If it is blocked there, too, send this message to the operator of the service.',
  ]);
});

it.each([
  ['no body', '', { 'content-type': 'text/html' }, 'status 403'],
  ['no body of any type', '', {}, 'status 403'],
  ['an empty page', '<html><head></head><body></body></html>', {}, 'status 403'],
  [
    'a page of its own',
    '<h1>403</h1><p>This action is unauthorized.</p>',
    {},
    '403 This action is unauthorized',
  ],
  ['a page about an account', '<p>Your account is blocked.</p>', {}, 'Your account is blocked'],
  [
    'a page with a script of a CDN',
    '<script src="https://cdnjs.cloudflare.com/x.js"></script><p>Not for this merchant</p>',
    {},
    'Not for this merchant',
  ],
  [
    'a challenge',
    '',
    {
      'www-authenticate':
        'Bearer error="insufficient_scope", error_description="The key cannot write", scope="orders:write"',
    },
    'The key cannot write',
  ],
  [
    'a challenge with quotes',
    '',
    { 'www-authenticate': 'Bearer error_description="Key \\"k1\\" was revoked, ask support"' },
    'Key "k1" was revoked, ask support',
  ],
  ['a challenge without words', '', { 'www-authenticate': 'Bearer realm="orders"' }, 'status 403'],
])('a 403 with %s is of the key', (_name, text, headers, words) => {
  const error = errorOf('create', 403, text, headers as Record<string, string>);
  expect([error.code, error.message]).toEqual([
    'permission_missing',
    `This key cannot create orders: ${words}.`,
  ]);
});

it.each([
  ['{"message":"Hello"}', 'an order: Hello'],
  [
    '{"success":false,"error":{"code":"LOCKED","message":"The account is locked."}}',
    'an order: The account is locked',
  ],
  ['[]', 'an order'],
])('a response without an order, %s, is told with its words', (text, words) => {
  const error = unreadableResponse('an order', responseOf(200, text));
  expect(error.message).toBe(`The response of the service does not contain ${words}.`);
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
