import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptResult, Operation } from '../../../src/api/http/attempt-result.ts';
import type { AttemptPolicy, CallOptions } from '../../../src/api/pacing/attempts.ts';
import { badCertificate, lost, notSent, responseOf, throttled } from '../response.ts';
import { aPolicy, clientWith, createTestClock } from '../stub-service.ts';

const done = responseOf(201, '{"id":"X"}');

interface Scene extends Partial<AttemptPolicy>, Partial<CallOptions> {
  operation?: Operation;
  /** Milliseconds of each attempt. */
  takes?: number;
  /** Milliseconds of the timeout that earlier calls left; by default, all. */
  left?: number;
  /** Called during each attempt, counted from 1. */
  during?: (attempts: number) => void;
}

/** Plays the results of the attempts in order; the last one repeats. */
async function play(script: readonly AttemptResult[], scene: Scene = {}) {
  const { operation = 'create', takes = 0, during, accepts = () => true, resendsUnknown = true } = scene;
  const { clock, sleeps, pass } = createTestClock();
  const deadlines: number[] = [];
  const aborts: AbortSignal[] = [];
  const policy = aPolicy({ clock, ...scene });
  const client = clientWith(async (_request, deadline, abort) => {
    deadlines.push(deadline);
    aborts.push(abort);
    pass(takes);
    during?.(deadlines.length);
    return script[Math.min(deadlines.length, script.length) - 1] as AttemptResult;
  }, policy);
  const result = await client
    .forOneOrder({ milliseconds: scene.left ?? policy.timeoutMilliseconds })
    .call(operation, { method: 'GET', path: '' }, { accepts, resendsUnknown });
  expect(result.attempts).toBe(deadlines.length);
  return { ...result, deadlines, aborts, sleeps };
}

describe('a retry', () => {
  it.each([
    ['unknown', lost],
    ['unknown', responseOf(500)],
    ['unknown', responseOf(408)],
    ['not_sent', notSent],
    ['throttled', responseOf(429)],
  ])('follows %s', async (_name, first) => {
    expect(await play([first, done])).toMatchObject({ outcome: 'succeeded', attempts: 2 });
  });

  it.each([
    ['succeeded', done],
    ['rejected', responseOf(422, '{"code":"PRODUCT_SKU_INACTIVE"}')],
    ['rejected_or_exists', responseOf(409)],
    ['key_refused', responseOf(401)],
    ['forbidden', responseOf(403)],
    ['wrong_base_url', responseOf(404)],
    ['bad_certificate', badCertificate],
  ])('does not follow %s', async (outcome, first) => {
    expect(await play([first])).toMatchObject({ outcome, attempts: 1, sawUnknown: false, sleeps: [] });
  });

  it.each([lost, responseOf(500), notSent])('ends with the fifth attempt: %j', async (attemptResult) => {
    const { attempts, sleeps } = await play([attemptResult]);
    expect([attempts, sleeps.length]).toEqual([5, 4]);
  });

  it('follows a success that does not hold what was requested', async () => {
    const accepts = (response: { text: string }) => response.text !== '';
    const scene = { accepts, operation: 'get' } as const;
    expect(await play([responseOf(200), done], scene)).toMatchObject({
      outcome: 'succeeded',
      attempts: 2,
      sawUnknown: true,
    });
    expect(await play([responseOf(200)], scene)).toMatchObject({ outcome: 'unknown', attempts: 5 });
  });

  it('without `resendsUnknown` follows only attempts that were not processed', async () => {
    const scene = { resendsUnknown: false };
    expect(await play([lost], scene)).toMatchObject({ outcome: 'unknown', attempts: 1, sawUnknown: true });
    for (const [status, outcome] of [
      [408, 'unknown'],
      [200, 'no_order'],
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

describe('the wait before a retry', () => {
  it('is never shorter than the server-requested wait, and at most a tenth longer', async () => {
    const requestedWaits = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        requestedWaits,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        async (seconds, draw) => {
          const script = [...seconds.map((second) => throttled(`${second}`)), done];
          const { sleeps } = await play(script, { random: () => draw });
          const waits = sleeps.values();
          let unstated = 0;
          for (const second of seconds) {
            const backoff = Math.ceil(draw * 250 * (second === 0 ? 2 ** unstated++ : 1));
            const wait = second + backoff === 0 ? 0 : (waits.next().value ?? 0);
            expect(wait).toBeGreaterThanOrEqual(Math.max(backoff, second * 1000));
            expect(wait).toBeLessThanOrEqual(Math.max(backoff, Math.ceil(second * 1100)));
          }
          expect(waits.next().done).toBe(true);
        },
      ),
    );
  });
});

describe('a server-requested wait', () => {
  it.each(['0', '1', 'soon', ''])(
    'that is requested for ever ends the call at last: Retry-After %j',
    async (value) => {
      const { outcome, attempts } = await play([throttled(value)], { random: () => 0.01 });
      expect(outcome).toBe('throttled');
      expect(attempts).toBeGreaterThan(5);
    },
  );
});

describe('the timeout of a call', () => {
  it('includes every attempt and every backoff', async () => {
    const scene = { timeoutMilliseconds: 20_000, takes: 4000, random: () => 1 - Number.EPSILON };
    expect(await play([lost], scene)).toMatchObject({
      attempts: 4,
      deadlines: [20_000, 15_750, 11_250, 6250],
    });
    expect(await play([lost], { ...scene, operation: 'get' })).toMatchObject({
      attempts: 5,
      deadlines: [20_000, 15_750, 11_250, 6250, 250],
    });
  });

  it.each<[Operation, timeout: number, left: number, attempts: number]>([
    ['create', 60_000, 1000, 0],
    ['create', 60_000, 1006, 1],
    ['cancel', 3000, 1000, 0],
    ['create', 1000, 500, 0],
    ['create', 1000, 506, 1],
    ['create', 1, 1, 1],
    ['get', 60_000, 0, 0],
    ['get', 60_000, 5, 0],
    ['get', 60_000, 6, 1],
    ['get', 1, 1, 1],
  ])('%s: with --timeout %i and %i ms left, %i attempts', async (operation, timeout, left, attempts) => {
    const result = await play([done], { operation, timeoutMilliseconds: timeout, left });
    expect(result).toMatchObject(
      attempts === 0
        ? { attempts, outcome: 'not_sent', spentTimeoutMilliseconds: timeout }
        : { attempts, outcome: 'succeeded' },
    );
  });

  it('leaves one attempt at most 30 s', async () => {
    expect((await play([done])).deadlines).toEqual([30_000]);
    expect((await play([done], { timeoutMilliseconds: 7000 })).deadlines).toEqual([7000]);
  });

  it('ends the call when an attempt or the next wait uses it up', async () => {
    expect(await play([lost], { timeoutMilliseconds: 1000, takes: 1000 })).toMatchObject({
      attempts: 1,
      sleeps: [],
    });
    expect(await play([lost], { timeoutMilliseconds: 1125, takes: 1000 })).toMatchObject({
      attempts: 1,
      sleeps: [],
    });
    expect(await play([lost], { operation: 'get', timeoutMilliseconds: 1131, takes: 1000 })).toMatchObject({
      attempts: 2,
      sleeps: [125],
      deadlines: [1131, 6],
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
    'starts no further attempt of a %s',
    async (operation) => {
      const { outcome, attempts, sleeps } = await play([lost], scene(operation));
      expect([outcome, attempts, sleeps]).toEqual(['unknown', 2, [125]]);
    },
  );

  it('aborts a read at once, and a write only when repeated', async () => {
    const interrupted = scene('get');
    const signalOf = async (operation: Operation) =>
      (await play([done], { ...interrupted, operation })).aborts[0];
    expect([await signalOf('get'), await signalOf('list')]).toEqual([
      interrupted.stopping,
      interrupted.stopping,
    ]);
    expect([await signalOf('create'), await signalOf('cancel')]).toEqual([
      interrupted.leaving,
      interrupted.leaving,
    ]);
    expect(interrupted.stopping).not.toBe(interrupted.leaving);
  });

  it.each(['get', 'list'] as const)('begins no %s where nothing was written', async (operation) => {
    const interrupted = { ...scene(operation), stopping: AbortSignal.abort() };
    expect(await play([done], interrupted)).toMatchObject({ outcome: 'not_sent', attempts: 0 });
  });
});
