import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { createTransport, type Transport } from '../../src/api/http/transport.ts';
import type { AttemptPolicy, CallResult } from '../../src/api/pacing/attempts.ts';
import { createRequest } from '../../src/api/requests.ts';
import { systemClock } from '../../src/system/system.ts';
import { aPolicy, apiKey, lost, type Reply, startStubService } from './stub-service.ts';
import { createVirtualClock } from './virtual-clock.ts';

const created: Reply = { status: 201, json: { id: 'S-1' } };
const minutes = 60;

/** An import of `count` orders on a virtual clock; `respond` gets the seconds passed and the number of requests before. */
async function importOrders(
  count: number,
  respond: (seconds: number, requests: number) => Reply,
  policy: Partial<AttemptPolicy> = {},
) {
  const { clock, run, passed } = createVirtualClock();
  const times: number[] = [];
  const { baseUrl } = await startStubService(() => respond(times.at(-1) ?? 0, times.push(passed())));
  const transport = createTransport({
    baseUrl: new URL(baseUrl),
    apiKey,
    userAgent: 'test',
    env: {},
    clock: systemClock,
  });
  let inFlight = 0;
  const send: Transport['send'] = async (...args) => {
    inFlight++;
    return transport.send(...args).finally(() => inFlight--);
  };
  let draw = 0;
  const random = () => (draw = (draw + 0.618034) % 1);
  const client = createClient(
    { ...transport, send },
    aPolicy({ clock, random, waitsForOutages: true, ...policy }),
    'http://127.0.0.1',
  );
  onTestFinished(() => client.close());
  const results: CallResult[] = [];
  const work = async () => {
    while (results.length < count && results.every(({ stop }) => stop === undefined)) {
      const options = { accepts: () => true, resendsUnknown: true };
      results.push(await client.call('create', createRequest('{}', 'K'), options));
    }
  };
  const workers = Array.from({ length: 64 }, work);
  await run(Promise.all(workers), () => inFlight > 0);
  return { results, times, seconds: passed() };
}

const within = (times: number[], seconds: number) => times.filter((time) => time < seconds).length;

describe('an outage of five minutes, with 64 concurrent requests', () => {
  it.each<[string, Reply]>([
    ['500', { status: 500 }],
    ['503 without a wait', { status: 503, headers: { 'retry-after': '0' } }],
    ['no response', lost],
  ])(
    '%s: at most 500 requests reach the service, and every order is created afterwards',
    async (_name, reply) => {
      const { results, times, seconds } = await importOrders(1000, (now) =>
        now < 5 * minutes ? reply : created,
      );
      expect(within(times, 5 * minutes)).toBeLessThanOrEqual(500);
      // Probes are sent during the outage.
      expect(within(times, 5 * minutes)).toBeGreaterThan(64);
      expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => 'succeeded'));
      expect(results.length).toBeGreaterThanOrEqual(1000);
      expect(seconds).toBeLessThan(7 * minutes);
    },
  );

  it('in which one request of ten succeeds gets at most three requests per second', async () => {
    const respond = (_now: number, requests: number) => (requests % 10 === 0 ? created : { status: 500 });
    const { times, seconds } = await importOrders(110, respond);
    expect(seconds).toBeGreaterThan(2 * minutes);
    expect(times.length).toBeLessThanOrEqual(64 + 100 + 3 * seconds);
  });
});

describe('an outage that does not end', () => {
  it.each([900, 120])(
    'stops the run after --max-outage %i, so that it can be continued later',
    async (maxOutage) => {
      const maxOutageMilliseconds = maxOutage * 1000;
      const { results, times, seconds } = await importOrders(1000, () => lost, { maxOutageMilliseconds });
      expect(results.length).toBe(64);
      for (const { outcome, stop } of results) {
        expect([outcome, stop?.reason]).toEqual(['unknown', 'outage']);
      }
      expect(seconds).toBe(maxOutage);
      expect(times.length).toBeLessThan(100);
    },
  );

  it.each([
    ['10', 900, 1000],
    ['0', 900, 1000],
  ])(
    'with only 429 responses (Retry-After %s) stops the run as well',
    async (retryAfter, minSeconds, maxSeconds) => {
      const throttled: Reply = { status: 429, headers: { 'retry-after': retryAfter } };
      for (const waitsForOutages of [true, false]) {
        const policy = { waitsForOutages, timeoutMilliseconds: 1e9 };
        const { results, seconds } = await importOrders(100, () => throttled, policy);
        for (const { outcome, stop } of results) {
          expect(outcome).toMatch(/throttled|not_sent/);
          expect(stop).toMatchObject({ reason: 'outage', maxMilliseconds: 900_000, isThrottling: true });
        }
        expect(seconds).toBeGreaterThanOrEqual(minSeconds);
        expect(seconds).toBeLessThan(maxSeconds);
      }
    },
  );

  it('does not start again after a 429 in between', async () => {
    const respond = (_now: number, requests: number): Reply => (requests % 3 === 0 ? { status: 429 } : lost);
    const { results, seconds } = await importOrders(1e6, respond, { maxOutageMilliseconds: 120_000 });
    expect(results.at(-1)?.stop).toMatchObject({ reason: 'outage', isThrottling: false });
    expect(seconds).toBeGreaterThanOrEqual(120);
    expect(seconds).toBeLessThan(150);
  });
});
