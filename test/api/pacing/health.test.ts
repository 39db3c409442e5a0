import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '../../../src/api/http/attempt-result.ts';
import { createOverloadDetector, type Health, healthOf } from '../../../src/api/pacing/outage.ts';
import { outcomeOf } from '../../../src/api/responses/outcome.ts';
import { closedWhileIdle, lost, notSent, responseOf } from '../response.ts';

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
    ['a reset connection', lost, 'failing'],
    ['no connection', notSent, 'failing'],
    ['an idle connection that was closed', closedWhileIdle, 'idle_close'],
  ])('%s', (_name, attemptResult, health) => {
    const outcome = outcomeOf('create', attemptResult, { accepts: ({ text }) => text.startsWith('{') });
    expect(healthOf(attemptResult, outcome)).toBe(health);
  });
});

type Attempt = { health: Health; isUnavailable: boolean; tookMilliseconds: number; serverWait?: number };
const success: Attempt = { health: 'healthy', isUnavailable: false, tookMilliseconds: 20 };
const unavailable: Attempt = { health: 'failing', isUnavailable: true, tookMilliseconds: 5 };
const failure: Attempt = { health: 'failing', isUnavailable: false, tookMilliseconds: 5 };
const repeat = (count: number, attempt: Attempt) => Array<Attempt>(count).fill(attempt);

/** What the last of these attempts, one each second, is judged to be. */
function judgeAll(attempts: readonly Attempt[], isLimited = false): Health | undefined {
  const detector = createOverloadDetector();
  let now = 1_000_000;
  let judged: Health | undefined;
  for (const attempt of attempts) {
    judged = detector.judge({ serverWait: undefined, ...attempt, isLimited }, now);
    now += 1000;
  }
  return judged;
}

describe('503', () => {
  it.each<[string, Attempt[], Health]>([
    ['a burst among successes', [...repeat(3, success), ...repeat(4, unavailable)], 'throttled'],
    ['a single one among successes', [...repeat(50, success), unavailable], 'failing'],
    [
      'a single one that requests a wait of seconds',
      [...repeat(3, success), { ...unavailable, serverWait: 10_000 }],
      'throttled',
    ],
    [
      'a single one that requests a longer wait',
      [...repeat(50, success), { ...unavailable, serverWait: 10_001 }],
      'failing',
    ],
    [
      'every tenth attempt',
      Array.from({ length: 200 }, (_, n) => (n % 10 === 9 ? unavailable : success)),
      'failing',
    ],
    [
      'a single one 60 s after a burst',
      [...repeat(3, success), ...repeat(4, unavailable), ...repeat(59, success), unavailable],
      'throttled',
    ],
    [
      'a single one later than that',
      [...repeat(3, success), ...repeat(4, unavailable), ...repeat(60, success), unavailable],
      'failing',
    ],
    ['without any success', repeat(50, unavailable), 'failing'],
    ['after too few successes', [...repeat(2, success), ...repeat(50, unavailable)], 'failing'],
    ['60 s after the last success', [...repeat(3, success), ...repeat(60, unavailable)], 'throttled'],
    ['more than 60 s after the last success', [...repeat(3, success), ...repeat(61, unavailable)], 'failing'],
    [
      'slower than 50 ms and than the successes',
      [...repeat(3, success), ...repeat(8, { ...unavailable, tookMilliseconds: 51 })],
      'failing',
    ],
    [
      'slower than 50 ms, but not than the successes',
      [
        ...repeat(3, { ...success, tookMilliseconds: 200 }),
        ...repeat(4, { ...unavailable, tookMilliseconds: 150 }),
      ],
      'throttled',
    ],
    ['other failures', [...repeat(3, success), ...repeat(8, failure)], 'failing'],
  ])('%s', (_name, attempts, health) => {
    expect(judgeAll(attempts)).toBe(health);
  });
});

it('503 is throttling among the successes of a service with a known limit', () => {
  expect(judgeAll([...repeat(3, success), unavailable], true)).toBe('throttled');
  expect(judgeAll([...repeat(2, success), unavailable], true)).toBe('failing');
});

it.each<Health>(['healthy', 'inconclusive', 'throttled', 'idle_close'])(
  'any other attempt stays %s',
  (health) => {
    const attempt = { health, isUnavailable: false, tookMilliseconds: 1 };
    expect(judgeAll([...repeat(3, success), ...repeat(4, unavailable), attempt])).toBe(health);
  },
);
