import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateLimitMilliseconds, serverRequestedWait } from '../../../src/api/pacing/server-wait.ts';
import { responseOf } from '../response.ts';
import cases from './rate-limit.json' with { type: 'json' };

const now = Date.parse('2026-11-25T08:00:00Z');
const epoch = now / 1000;
const wait = (headers: Record<string, string>) => rateLimitMilliseconds(responseOf(200, '', headers), now);

describe('an exhausted quota', () => {
  it.each(cases.exhausted as [Record<string, string>, number][])('%j', (headers, milliseconds) => {
    expect(wait(headers)).toBe(milliseconds);
  });

  it('is renewed by the clock of the service when the response has a date', () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${epoch + 12}` };
    expect(wait({ ...headers, date: 'Wed, 25 Nov 2026 08:00:10 GMT' })).toBe(2000);
    expect(wait({ ...headers, date: 'Wed, 25 Nov 2026 07:00:00 GMT' })).toBe(3_612_000);
    expect(wait({ ...headers, date: 'long ago' })).toBe(12_000);
  });
});

describe('headers that request no wait', () => {
  it.each(cases.withoutWait as [Record<string, string>][])('%j', (headers) => {
    expect(wait(headers)).toBeUndefined();
  });

  it('are parsed quickly, whatever they hold', () => {
    const text = fc.string({
      unit: fc.constantFrom('"', ';', ',', 'r', 't', '=', '1', ' ', 'a'),
      maxLength: 200,
    });
    fc.assert(
      fc.property(text, text, (ratelimit, policy) => void wait({ ratelimit, 'ratelimit-policy': policy })),
    );
    const started = performance.now();
    wait({ ratelimit: '";r='.repeat(4000), 'ratelimit-policy': ',"'.repeat(8000) });
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('the server-requested wait', () => {
  const quota = { ratelimit: '"default";r=0;t=30' };

  it.each([429, 503, 408, 409, 425, 500, 504])('is that of Retry-After if there is one (%i)', (status) => {
    for (const [retryAfter, milliseconds] of [
      ['5', 5000],
      ['0', 0],
      ['soon', 30_000],
    ] as const) {
      const response = responseOf(status, '', { ...quota, 'retry-after': retryAfter });
      expect(serverRequestedWait(response, now)).toBe(milliseconds);
    }
  });

  it.each([200, 202, 301, 401, 404, 422])(
    'ignores Retry-After with a status that gives it another meaning (%i)',
    (status) => {
      expect(serverRequestedWait(responseOf(status, '', { 'retry-after': '5' }), now)).toBeUndefined();
      expect(serverRequestedWait(responseOf(status, '', { ...quota, 'retry-after': '5' }), now)).toBe(30_000);
    },
  );
});

it.each<[string, Record<string, string>]>([
  ['Retry-After', { 'retry-after': '9'.repeat(12_000) }],
  ['Retry-After in milliseconds', { 'retry-after-ms': '9'.repeat(400) }],
  ['RateLimit', { ratelimit: `"all";r=0;t=${'9'.repeat(400)}` }],
  ['X-RateLimit-Reset', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9'.repeat(400) }],
])('a year is the longest wait: %s', (_, headers) => {
  expect(serverRequestedWait(responseOf(429, '', headers), now)).toBe(365 * 86_400_000);
});
