import { describe, expect, it } from 'vitest';
import { createOverloadDetector, type Health } from '../../../src/api/pacing/outage.ts';

type Attempt = { health: Health; isUnavailable: boolean; tookMilliseconds: number; serverWait?: number };
const success: Attempt = { health: 'healthy', isUnavailable: false, tookMilliseconds: 20 };
const unavailable: Attempt = { health: 'failing', isUnavailable: true, tookMilliseconds: 5 };
const failure: Attempt = { health: 'failing', isUnavailable: false, tookMilliseconds: 5 };
const repeat = (count: number, attempt: Attempt) => Array<Attempt>(count).fill(attempt);

/** What the last of these attempts, one each second, is judged to be. */
function judgeAll(attempts: readonly Attempt[], millisecondsApart = 1000): Health | undefined {
  const detector = createOverloadDetector();
  let now = 1_000_000;
  let judged: Health | undefined;
  for (const attempt of attempts) {
    judged = detector.judge(attempt, now);
    now += millisecondsApart;
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
      'a single one after a burst',
      [...repeat(3, success), ...repeat(4, unavailable), ...repeat(50, success), unavailable],
      'throttled',
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

it.each<Health>(['healthy', 'inconclusive', 'throttled', 'idle_close'])(
  'any other attempt stays %s',
  (health) => {
    const attempt = { health, isUnavailable: false, tookMilliseconds: 1 };
    expect(judgeAll([...repeat(3, success), ...repeat(4, unavailable), attempt])).toBe(health);
  },
);
