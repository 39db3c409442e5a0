import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptResult, Failure, Operation } from '../../../src/api/http/attempt-result.ts';
import { createAdmission } from '../../../src/api/pacing/admission.ts';
import { type AttemptPolicy, attempt, type CallOptions } from '../../../src/api/pacing/attempts.ts';
import { responseOf } from '../response.ts';
import { aPolicy, createTestClock } from '../stub-service.ts';

const failure = (mayHaveBeenSent: boolean, isCertificate = false): Failure => {
  return { kind: 'failure', mayHaveBeenSent, isCertificate, reason: 'gone' };
};
const gone = failure(true);
const notSent = failure(false);
const done = responseOf(201, '{"id":"X"}');
const throttled = (retryAfter: string) => responseOf(429, '', { 'retry-after': retryAfter });
const busy = (retryAfter: string) => responseOf(503, '', { 'retry-after': retryAfter });

interface Scene extends Partial<AttemptPolicy>, Partial<CallOptions> {
  operation?: Operation;
  /** How long each attempt takes. */
  takes?: number;
  /** What happens during an attempt, counted from 1. */
  during?: (attempts: number) => void;
}

/** Plays what is seen, attempt by attempt; the last of it for ever. */
async function play(script: readonly AttemptResult[], scene: Scene = {}) {
  const { operation = 'create', takes = 0, during, accepts = () => true, resendsUnknown = true } = scene;
  const { clock, sleeps, pass } = createTestClock();
  const deadlines: number[] = [];
  const aborts: AbortSignal[] = [];
  const policy = aPolicy({ clock, ...scene });
  const send = async (deadline: number, abort: AbortSignal) => {
    deadlines.push(deadline);
    aborts.push(abort);
    pass(takes);
    during?.(deadlines.length);
    return script[Math.min(deadlines.length, script.length) - 1] as AttemptResult;
  };
  const ending = await attempt(operation, send, { accepts, resendsUnknown }, policy, createAdmission(policy));
  expect(ending.attempts).toBe(deadlines.length);
  return { ...ending, deadlines, aborts, sleeps };
}

describe('the next attempt', () => {
  it.each([
    ['unknown', gone],
    ['unknown', responseOf(500)],
    ['unknown', responseOf(408)],
    ['not_sent', notSent],
    ['throttled', responseOf(429)],
  ])('comes after %s', async (_name, first) => {
    expect(await play([first, done])).toMatchObject({ outcome: 'succeeded', attempts: 2 });
  });

  it.each([
    ['succeeded', done],
    ['rejected', responseOf(422, '{"code":"PRODUCT_SKU_INACTIVE"}')],
    ['rejected_or_exists', responseOf(409)],
    ['key_refused', responseOf(401)],
    ['forbidden', responseOf(403)],
    ['wrong_base_url', responseOf(302)],
    ['bad_certificate', failure(false, true)],
  ])('does not come after %s', async (outcome, first) => {
    expect(await play([first])).toMatchObject({ outcome, attempts: 1, sawUnknown: false, sleeps: [] });
  });

  it.each([gone, responseOf(500), notSent])('is the fifth at most: %j', async (attemptResult) => {
    const { attempts, sleeps } = await play([attemptResult]);
    expect([attempts, sleeps.length]).toEqual([5, 4]);
  });

  it('comes after a success that is not what was asked for', async () => {
    const accepts = (answer: { text: string }) => answer.text !== '';
    expect(await play([responseOf(200), done], { accepts })).toMatchObject({
      outcome: 'succeeded',
      attempts: 2,
      sawUnknown: true,
    });
    expect(await play([responseOf(200)], { accepts })).toMatchObject({ outcome: 'unknown', attempts: 5 });
  });

  it('is not asked to judge what is no success', async () => {
    const accepts = () => false;
    expect((await play([responseOf(401)], { accepts })).outcome).toBe('key_refused');
  });

  it('does not come after an unknown one when a person has to decide, but after one that was not sent', async () => {
    const scene = { resendsUnknown: false };
    expect(await play([gone], scene)).toMatchObject({ outcome: 'unknown', attempts: 1, sawUnknown: true });
    for (const [status, outcome] of [
      [200, 'unknown'],
      [202, 'unconfirmed'],
    ] as const) {
      const first = await play([responseOf(status)], { ...scene, accepts: () => false });
      expect(first).toMatchObject({ outcome, attempts: 1, sawUnknown: true });
    }
    expect(await play([notSent, throttled('1'), done], scene)).toMatchObject({
      outcome: 'succeeded',
      attempts: 3,
    });
  });
});

describe('sawUnknown', () => {
  it.each([
    [[gone, done], true],
    [[gone, responseOf(401)], true],
    [[gone, notSent, responseOf(422)], true],
    [[busy('1'), responseOf(422)], true],
    [[notSent, done], false],
    [[throttled('1'), responseOf(401)], false],
  ])('%#: %s', async (script, sawUnknown) => {
    expect((await play(script)).sawUnknown).toBe(sawUnknown);
  });
});

describe('the wait', () => {
  const longScene = { timeoutMilliseconds: 3_600_000 };

  it('doubles, each time with the whole of it at random', async () => {
    const { sleeps } = await play([gone], { random: () => 1 - Number.EPSILON });
    expect(sleeps).toEqual([250, 500, 1000, 2000]);
    expect(await play([gone], { random: () => 0 })).toMatchObject({ attempts: 5, sleeps: [] });
    const draws = [0.1, 0.9, 0.5, 0.25];
    expect((await play([gone], { random: () => draws.shift() as number })).sleeps).toEqual([
      25, 450, 500, 500,
    ]);
  });

  it('is never longer than 30 s by itself', async () => {
    const { sleeps } = await play([...Array(12).fill(throttled('0')), done], {
      ...longScene,
      random: () => 1 - Number.EPSILON,
    });
    expect(sleeps).toEqual([
      250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000,
    ]);
  });

  it.each([throttled, busy])('is what the service asks for, at least', async (asking) => {
    const sleepsOf = async (value: string, random: number) =>
      (await play([asking(value), done], { random: () => random })).sleeps;
    expect(await sleepsOf('7', 0)).toEqual([7000]);
    expect(await sleepsOf('0.3001', 0)).toEqual([301]);
    expect(await sleepsOf('Wed, 25 Nov 2026 08:01:00 GMT', 0)).toEqual([60_000]);
    // Those who leave together are spread over a tenth; the draw of our own counts when it is longer.
    expect(await sleepsOf('7', 0.5)).toEqual([7350]);
    expect(await sleepsOf('0.1', 1 - Number.EPSILON)).toEqual([250]);
  });

  it('is not made longer by throttles that say how long', async () => {
    const random = () => 1 - Number.EPSILON;
    const throttles = Array(6).fill(throttled('0.001'));
    expect((await play([gone, ...throttles, gone, done], { random })).sleeps).toEqual([
      250,
      ...Array(6).fill(250),
      500,
    ]);
  });

  it('is never shorter than what the service asks for, and a tenth longer at most', async () => {
    const asked = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(asked, fc.double({ min: 0, max: 0.999, noNaN: true }), async (seconds, draw) => {
        const script = [...seconds.map((second) => throttled(`${second}`)), done];
        const { sleeps } = await play(script, { random: () => draw });
        const waits = sleeps.values();
        let untold = 0;
        for (const second of seconds) {
          const own = Math.ceil(draw * 250 * (second === 0 ? 2 ** untold++ : 1));
          const wait = second + own === 0 ? 0 : (waits.next().value ?? 0);
          expect(wait).toBeGreaterThanOrEqual(Math.max(own, second * 1000));
          expect(wait).toBeLessThanOrEqual(Math.max(own, Math.ceil(second * 1100)));
        }
        expect(waits.next().done).toBe(true);
      }),
    );
  });
});

describe('a service that asks to wait', () => {
  it('spends no attempt', async () => {
    const script = [...Array(9).fill(throttled('1')), gone, gone, gone, gone, throttled('1'), done];
    expect(await play(script, { random: () => 0 })).toMatchObject({ outcome: 'succeeded', attempts: 15 });
  });

  it('spends no time of ours', async () => {
    const script = [throttled('200'), throttled('200'), busy('200'), done];
    const { outcome, deadlines } = await play(script, { timeoutMilliseconds: 10_000, random: () => 0 });
    expect([outcome, ...deadlines]).toEqual(['succeeded', 10_000, 10_000, 10_000, 10_000]);
  });

  it.each([
    ['300', 2],
    ['300.001', 1],
    ['Wed, 25 Nov 2026 08:05:00 GMT', 2],
    ['Wed, 25 Nov 2026 08:05:01 GMT', 1],
    ['99999999999999999999', 1],
  ])('is left when it asks for more than --max-wait: %s', async (value, attempts) => {
    const { sleeps, ...ending } = await play([throttled(value), done]);
    expect([ending.attempts, sleeps.length]).toEqual([attempts, attempts - 1]);
    expect(ending.outcome).toBe(attempts === 1 ? 'throttled' : 'succeeded');
    expect(ending.stop?.reason).toBe(attempts === 1 ? 'wait_too_long' : undefined);
  });

  it.each(['0', '1', 'soon', ''])('for ever is left in the end: Retry-After %j', async (value) => {
    const { outcome, attempts } = await play([throttled(value)], { random: () => 0.01 });
    expect(outcome).toBe('throttled');
    expect(attempts).toBeGreaterThan(5);
  });
});

describe('the time that one call may take', () => {
  it('goes down with every attempt and every wait', async () => {
    const scene = { timeoutMilliseconds: 20_000, takes: 4000, random: () => 1 - Number.EPSILON };
    expect(await play([gone], scene)).toMatchObject({
      attempts: 5,
      deadlines: [20_000, 15_750, 11_250, 6250, 250],
    });
  });

  it('gives one attempt 30 s at most', async () => {
    expect((await play([done])).deadlines).toEqual([30_000]);
    expect((await play([done], { timeoutMilliseconds: 7000 })).deadlines).toEqual([7000]);
  });

  it('ends it when it is used up, by an attempt or by the wait that would follow', async () => {
    expect(await play([gone], { timeoutMilliseconds: 1000, takes: 1000 })).toMatchObject({
      attempts: 1,
      sleeps: [],
    });
    expect(await play([gone], { timeoutMilliseconds: 1125, takes: 1000 })).toMatchObject({
      attempts: 1,
      sleeps: [],
    });
    expect(await play([gone], { timeoutMilliseconds: 1126, takes: 1000 })).toMatchObject({
      attempts: 2,
      sleeps: [125],
      deadlines: [1126, 1],
    });
  });
});

describe('an interruption', () => {
  const scene = (operation: Operation) => {
    const [stopping, leaving] = [new AbortController(), new AbortController()];
    const during = (attempts: number) => (attempts === 2 ? stopping.abort() : undefined);
    return { operation, stopping: stopping.signal, leaving: leaving.signal, during };
  };

  it.each(['create', 'get', 'list', 'cancel'] as const)(
    'no attempt of a %s begins after it',
    async (operation) => {
      const { outcome, attempts, sleeps } = await play([gone], scene(operation));
      expect([outcome, attempts, sleeps]).toEqual(['unknown', 2, [125]]);
    },
  );

  it('ends a wait at once', async () => {
    const stopping = new AbortController();
    const { clock } = createTestClock();
    const signals: (AbortSignal | undefined)[] = [];
    const sleep = async (_milliseconds: number, signal?: AbortSignal) => {
      signals.push(signal);
      stopping.abort();
    };
    const policy = { clock: { ...clock, sleep }, stopping: stopping.signal };
    expect(await play([throttled('60'), done], policy)).toMatchObject({ outcome: 'throttled', attempts: 1 });
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it('gives a read up when it comes, a write only when it comes again', async () => {
    const given = scene('get');
    const signalOf = async (operation: Operation) => (await play([done], { ...given, operation })).aborts[0];
    expect([await signalOf('get'), await signalOf('list')]).toEqual([given.stopping, given.stopping]);
    expect([await signalOf('create'), await signalOf('cancel')]).toEqual([given.leaving, given.leaving]);
    expect(given.stopping).not.toBe(given.leaving);
  });

  it('leaves time to a read that settles what was in flight when it came', async () => {
    const given = { ...scene('list'), stopping: AbortSignal.abort() };
    expect((await play([done], given)).aborts).toEqual([given.leaving]);
  });
});

describe('the trace', () => {
  it('tells each retry with its wait', async () => {
    const lines: string[] = [];
    await play([gone, throttled('2'), done], { trace: (line) => lines.push(line) });
    expect(lines).toEqual([
      'create: unknown, next attempt in 0.1 s',
      'create: throttled, next attempt in 2.1 s',
    ]);
  });
});
