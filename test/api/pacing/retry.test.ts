import { describe, expect, it } from 'vitest';
import { firstAttempt, planNext } from '../../../src/api/pacing/retry.ts';
import { aPolicy } from '../stub-service.ts';

type Budget = typeof firstAttempt.budget;
type Completed = Parameters<typeof planNext>[1];

const failure: Completed = { step: 'send_again', health: 'failing', serverWait: undefined, isFree: false };
const wait: Completed = { step: 'wait', health: 'throttled', serverWait: undefined, isFree: false };
/** 503 as a rejection of one request too many. */
const rejection: Completed = { ...failure, health: 'throttled' };
const idleClose: Completed = { ...failure, health: 'idle_close' };
const waitsForOutages = { waitsForOutages: true };
const limits = { limits: { concurrency: 'auto' } } as const;

/** The backoff before the next attempt with a full draw, how much of it counts, and the attempts that are left. */
type Decision = [backoff: number, counted: number, attemptsLeft: number, isRetry: boolean];

describe('when the next attempt leaves, and what it costs', () => {
  it.each<[string, Completed, Partial<Budget>, Parameters<typeof aPolicy>[0], Decision]>([
    ['a first failure', failure, {}, {}, [250, 250, 4, true]],
    ['a second failure', failure, { failures: 1, attempts: 4 }, {}, [500, 500, 3, true]],
    ['the last failure', failure, { failures: 4, attempts: 1 }, {}, [4000, 4000, 0, true]],
    ['after many failures', failure, { failures: 7 }, {}, [30_000, 30_000, 4, true]],
    ['no failure more than 30 s', failure, { failures: 50 }, {}, [30_000, 30_000, 4, true]],
    ['with a requested wait', { ...failure, serverWait: 200 }, {}, {}, [250, 50, 4, true]],
    ['with a longer requested wait', { ...failure, serverWait: 5000 }, {}, {}, [250, 0, 4, true]],
    ['that costs no attempt', { ...failure, isFree: true }, {}, {}, [250, 0, 5, true]],
    ['429', wait, {}, {}, [250, 250, 5, false]],
    ['a third 429', wait, { throttles: 2 }, {}, [1000, 1000, 5, false]],
    ['429 after failures', wait, { failures: 3 }, {}, [250, 250, 5, false]],
    ['no 429 more than 30 s', wait, { throttles: 50 }, {}, [30_000, 30_000, 5, false]],
    ['429 with Retry-After', { ...wait, serverWait: 5000 }, { throttles: 5 }, {}, [250, 0, 5, false]],
    ['429 in an import', wait, { throttles: 2 }, waitsForOutages, [1000, 0, 5, false]],
    ['429 where a limiter spaces the attempts', wait, { throttles: 2 }, limits, [250, 250, 5, false]],
    ['503 among successes', rejection, {}, {}, [250, 250, 5, false]],
    ['the 20th of them', rejection, { rejections: 19 }, limits, [250, 250, 5, false]],
    ['the 21st of them', rejection, { rejections: 20 }, limits, [250, 250, 4, true]],
    ['an idle connection was closed', idleClose, {}, {}, [0, 0, 5, false]],
    ['for the third time', idleClose, { idleCloses: 2 }, {}, [0, 0, 5, false]],
    ['for the fourth time', idleClose, { idleCloses: 3 }, {}, [250, 250, 4, true]],
  ])('%s', (_name, completed, before, policy, decision) => {
    const budget = { ...firstAttempt.budget, ...before };
    const given = { ...budget };
    const next = planNext(budget, completed, aPolicy({ random: () => 1 - Number.EPSILON, ...policy }));
    expect([next.backoffMilliseconds, next.countedMilliseconds, next.budget.attempts, next.isRetry]).toEqual(
      decision,
    );
    expect(budget).toEqual(given);
  });

  it('counts each kind of attempt for itself', () => {
    let { budget } = firstAttempt;
    for (const completed of [failure, wait, { ...wait, serverWait: 1 }, rejection, idleClose]) {
      budget = planNext(budget, completed, aPolicy()).budget;
    }
    expect(budget).toEqual({ attempts: 4, failures: 1, throttles: 2, rejections: 1, idleCloses: 1 });
  });

  it.each([
    [0, 0],
    [0.1, 50],
    [0.5001, 251],
  ])('draws the backoff from the whole range: %d', (draw, backoff) => {
    const { budget } = firstAttempt;
    const next = planNext({ ...budget, failures: 1 }, failure, aPolicy({ random: () => draw }));
    expect(next.backoffMilliseconds).toBe(backoff);
  });
});
