import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '../../../src/api/http/attempt-result.ts';
import type { CallResult } from '../../../src/api/pacing/attempts.ts';
import { responseOf } from '../response.ts';
import { aPolicy, clientWith } from '../stub-service.ts';
import { createVirtualClock } from '../virtual-clock.ts';
import {
  leakyBucket,
  type RequestLimit,
  randomRejections,
  slidingWindow,
  tokenBucket,
} from './limited-services.ts';
import { createRandom } from './simulation.ts';

const done = responseOf(201, '{"id":"X"}');
const workers = 16;

/** Sends orders one after the other by some workers, as an import does, to a service that rejects what exceeds its limit. */
async function runOrders(
  count: number,
  limit: RequestLimit,
  rejection: AttemptResult,
  resultOf: (order: number, seconds: number) => AttemptResult | undefined = () => undefined,
) {
  const { clock, run, passed } = createVirtualClock();
  let draw = 0;
  const random = () => (draw = (draw + 0.618034) % 1);
  const policy = aPolicy({ clock, random, waitsForOutages: true, limits: { concurrency: 'auto' } });
  const results: CallResult[] = [];
  const seconds: number[] = [];
  const statuses: number[] = [];
  const client = clientWith(async ({ path: order }, _deadline, _abort, onSending) => {
    onSending?.();
    await clock.sleep(2);
    const result = resultOf(Number(order), passed()) ?? (limit.accepts(clock.now()) ? done : rejection);
    if (result === done) await clock.sleep(10);
    await clock.sleep(2);
    statuses.push(result.kind === 'response' ? result.status : 0);
    return result;
  }, policy);
  let next = 0;
  const work = async () => {
    while (next < count) {
      const order = next++;
      const started = passed();
      const options = { accepts: () => true, resendsUnknown: true };
      results[order] = await client.call('create', { method: 'POST', path: `${order}` }, options);
      seconds[order] = passed() - started;
    }
  };
  await run(Promise.all(Array.from({ length: workers }, work)));
  return { results, seconds, statuses, passed: passed() };
}

describe('a run of orders against a limit', () => {
  it.each<[string, number, AttemptResult]>([
    ['429', 429, responseOf(429)],
    ['503', 503, responseOf(503)],
  ])('loses none of them when it is rejected with %s', async (_name, status, rejection) => {
    const { results, seconds, statuses, passed } = await runOrders(1000, leakyBucket(50), rejection);
    expect(results.filter(({ outcome }) => outcome !== 'succeeded')).toEqual([]);
    expect(statuses.filter((seen) => seen === status).length).toBeGreaterThan(3);
    expect(passed).toBeLessThan(1000 / 50 / 0.75);
    expect(Math.max(...seconds)).toBeLessThan(3);
  });

  it('loses little time when every twentieth request at random gets 429 or 503', async () => {
    const free = await runOrders(20_000, { accepts: () => true }, done);
    for (const status of [429, 503]) {
      const random = randomRejections(0.05, createRandom(1));
      const { results, passed } = await runOrders(20_000, random, responseOf(status));
      expect(results.filter(({ outcome }) => outcome !== 'succeeded')).toEqual([]);
      expect([status, free.passed / passed > 0.6]).toEqual([status, true]);
    }
  });

  it('finds a low rate as well from 503 as from 429', async () => {
    const [{ passed: by429 }, { passed: by503 }] = [
      await runOrders(200, leakyBucket(5), responseOf(429)),
      await runOrders(200, leakyBucket(5), responseOf(503)),
    ];
    expect(by429).toBeLessThan(200 / 5 / 0.8);
    expect(by503).toBeLessThan(200 / 5 / 0.75);
  });

  it.each([1, 10])('finds the rate of a window of %i s as well from 503', async (windowSeconds) => {
    const { passed } = await runOrders(1500, slidingWindow(50, windowSeconds), responseOf(503));
    expect(passed).toBeLessThan(1500 / 50 / 0.85);
  });

  it('finds a rate as well from 503 with Retry-After', async () => {
    for (const status of [429, 503]) {
      const rejection = responseOf(status, '', { 'retry-after': '1' });
      const { passed } = await runOrders(1000, tokenBucket(50, 10), rejection);
      expect([status, passed < 20 / 0.7]).toEqual([status, true]);
    }
  });

  it('leaves an order that 503 was the response to unknown until it is known', async () => {
    const { results } = await runOrders(300, tokenBucket(50, 10), responseOf(503));
    const sawUnknown = results.filter((result) => result.sawUnknown);
    expect(sawUnknown.length).toBeGreaterThan(0);
    for (const { outcome, attempts } of sawUnknown)
      expect([outcome, attempts > 1]).toEqual(['succeeded', true]);
  });

  it('ends the order that alone gets 503, again and again', async () => {
    const { results } = await runOrders(200, tokenBucket(50, 10), responseOf(503), (order) =>
      order === 100 ? responseOf(503) : undefined,
    );
    expect(results[100]).toMatchObject({ outcome: 'unknown', sawUnknown: true });
    expect(results[100]?.attempts).toBeLessThanOrEqual(25);
    expect(results.filter(({ outcome }) => outcome === 'succeeded').length).toBe(199);
  });

  it('sends little while a service that worked before has nothing but 503', async () => {
    const isDown = (seconds: number) => seconds > 5 && seconds < 305;
    let during = 0;
    const { results } = await runOrders(400, leakyBucket(50), responseOf(503), (_order, seconds) => {
      if (!isDown(seconds)) return undefined;
      during += 1;
      return responseOf(503);
    });
    expect(during).toBeLessThan(100);
    expect(results.filter(({ outcome }) => outcome !== 'succeeded')).toEqual([]);
  });

  it('does not let the last orders wait longer than the others', async () => {
    const { seconds } = await runOrders(120, leakyBucket(5), responseOf(429));
    expect(Math.max(...seconds.slice(-workers))).toBeLessThan(10);
  });
});
