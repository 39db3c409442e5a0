import { describe, expect, it } from 'vitest';
import type { AttemptResult, Failure } from '../../../src/api/http/attempt-result.ts';
import { createCircuitBreaker, type Health, healthOf } from '../../../src/api/pacing/outage.ts';
import { outcomeOf } from '../../../src/api/responses/outcome.ts';
import { responseOf } from '../response.ts';

const reset: Failure = { kind: 'failure', mayHaveBeenSent: true, isCertificate: false, reason: 'reset' };

describe('the health of the service', () => {
  it.each<[string, AttemptResult, Health]>([
    ['the order', responseOf(201, '{"id":"S-1"}'), 'healthy'],
    ['an accepted request without the order', responseOf(202, 'later'), 'inconclusive'],
    ['no content', responseOf(204), 'inconclusive'],
    ['a rejected order', responseOf(422, '{"code":"PRODUCT_SKU_INACTIVE"}'), 'healthy'],
    ['a rejected key', responseOf(401), 'healthy'],
    ['a conflict', responseOf(409), 'healthy'],
    ['a web page', responseOf(200, '<html><h1>Sign in</h1>'), 'unexpected'],
    ['a success with other text', responseOf(200, 'OK'), 'inconclusive'],
    ['an empty success', responseOf(200), 'inconclusive'],
    ['a success with other JSON', responseOf(200, '[1]'), 'inconclusive'],
    ['408', responseOf(408), 'inconclusive'],
    ['425', responseOf(425), 'inconclusive'],
    ['429', responseOf(429), 'throttled'],
    ['500', responseOf(500), 'failing'],
    ['503 with a wait', responseOf(503, '', { 'retry-after': '5' }), 'failing'],
    ['a reset connection', reset, 'failing'],
    ['no connection', { ...reset, mayHaveBeenSent: false }, 'failing'],
    ['an idle connection that was closed', { ...reset, closedWhileIdle: true }, 'idle_close'],
  ])('%s', (_name, attemptResult, health) => {
    const outcome = outcomeOf('create', attemptResult, { accepts: ({ text }) => text.startsWith('{') });
    expect(healthOf(attemptResult, outcome)).toBe(health);
  });
});

const fail = (breaker: ReturnType<typeof createCircuitBreaker>, count: number, now = 0) => {
  for (let failure = 0; failure < count; failure++)
    breaker.record({ health: 'failing', isProbe: false, isCreate: false }, now);
};

describe('the health after a read', () => {
  it.each<[string, AttemptResult, Health]>([
    ['the list', responseOf(200, '{"data":[]}'), 'healthy'],
    ['a web page', responseOf(200, '<h1>Sign in</h1>'), 'unexpected'],
    ['other JSON', responseOf(200, '[1]'), 'unexpected'],
    ['no content', responseOf(204), 'unexpected'],
    ['500 with a web page', responseOf(500, '<h1>Sorry</h1>'), 'failing'],
  ])('%s', (_name, attemptResult, health) => {
    const outcome = outcomeOf('list', attemptResult, { accepts: ({ text }) => text.startsWith('{') });
    expect(healthOf(attemptResult, outcome)).toBe(health);
  });
});

describe('the circuit breaker', () => {
  it('opens at the twentieth failure in a row', () => {
    const breaker = createCircuitBreaker();
    fail(breaker, 19);
    expect(breaker.nextProbeAt()).toBeUndefined();
    fail(breaker, 1, 500);
    expect(breaker.nextProbeAt()).toBe(1500);
  });

  it.each(['healthy', 'throttled'] as const)(
    'starts counting again after an attempt that was %s',
    (health) => {
      const breaker = createCircuitBreaker();
      fail(breaker, 19);
      breaker.record({ health: health, isProbe: false, isCreate: false }, 0);
      fail(breaker, 19);
      expect(breaker.nextProbeAt()).toBeUndefined();
      fail(breaker, 1);
      expect(breaker.nextProbeAt()).toBe(1000);
      breaker.record({ health: health, isProbe: true, isCreate: false }, 0);
      expect(breaker.nextProbeAt()).toBeUndefined();
    },
  );

  it('spaces its probes from 1 s to 60 s, even when other attempts fail in between', () => {
    const breaker = createCircuitBreaker();
    fail(breaker, 20);
    const spacings = Array.from({ length: 9 }, () => {
      const now = breaker.nextProbeAt() ?? 0;
      fail(breaker, 3, now);
      breaker.record({ health: 'failing', isProbe: true, isCreate: false }, now);
      fail(breaker, 3, now + 10);
      return ((breaker.nextProbeAt() ?? 0) - now) / 1000;
    });
    expect(spacings).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 60]);
    breaker.record({ health: 'healthy', isProbe: false, isCreate: false }, 0);
    fail(breaker, 20);
    expect(breaker.nextProbeAt()).toBe(1000);
  });

  it('records when the trouble began', () => {
    const breaker = createCircuitBreaker();
    expect(breaker.trouble()?.since).toBeUndefined();
    breaker.record({ health: 'throttled', isProbe: false, isCreate: false }, 7);
    breaker.record({ health: 'failing', isProbe: false, isCreate: false }, 8);
    breaker.record({ health: 'throttled', isProbe: false, isCreate: false }, 9);
    expect(breaker.trouble()?.since).toBe(7);
    breaker.record({ health: 'healthy', isProbe: false, isCreate: false }, 10);
    expect(breaker.trouble()?.since).toBeUndefined();
  });
});
