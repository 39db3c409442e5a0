import { describe, expect, it, vi } from 'vitest';
import { type RetryAfterForm, retryAfterForms } from '../../../src/sandbox/behaviour/fault-actions.ts';
import { admin } from '../admin/admin-client.ts';
import { anOrder, orders, start } from '../start.ts';
import { openConnection } from './raw-request.ts';

const now = Date.parse('2026-11-05T08:00:00.250Z');
/** 2.5 s later is 08:00:02.750; dates have whole seconds. */
const nextSecond = Date.parse('2026-11-05T08:00:03.000Z');

const table: Record<RetryAfterForm, [Record<string, string>, number | undefined]> = {
  seconds: [{ 'Retry-After': '3' }, now + 3000],
  fraction: [{ 'Retry-After': '2.500' }, now + 2500],
  http_date: [{ 'Retry-After': 'Thu, 05 Nov 2026 08:00:03 GMT' }, nextSecond],
  rfc_850_date: [{ 'Retry-After': 'Thursday, 05-Nov-26 08:00:03 GMT' }, nextSecond],
  asctime_date: [{ 'Retry-After': 'Thu Nov  5 08:00:03 2026' }, nextSecond],
  iso_date: [{ 'Retry-After': '2026-11-05T08:00:03Z' }, nextSecond],
  milliseconds: [{ 'Retry-After-Ms': '2500' }, now + 2500],
  ratelimit: [{ RateLimit: '"default";r=0;t=3', 'RateLimit-Policy': '"default";q=100;w=60' }, now + 3000],
  ratelimit_reset: [
    { 'RateLimit-Limit': '100', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '3' },
    now + 3000,
  ],
  x_ratelimit_reset: [
    {
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(nextSecond / 1000),
    },
    nextSecond,
  ],
  zero: [{ 'Retry-After': '0' }, now],
  negative: [{ 'Retry-After': '-5' }, undefined],
  past_date: [{ 'Retry-After': 'Thu, 01 Jan 2015 00:00:00 GMT' }, undefined],
  garbage: [{ 'Retry-After': 'soon' }, undefined],
};

describe('a limit', () => {
  it.each([
    [429, 'error_object'],
    [503, 'problem_details'],
  ] as const)(
    'responds %i in the error form of the behaviour (%s), processes nothing and logs the request',
    async (status, error) => {
      const faults = { limits: { requestsPerSecond: 1, burst: 1, status } };
      const { create, store, clock } = await start({ behaviour: { answers: { error }, faults } });
      await create(anOrder());
      const rejected = await create(anOrder({ externalOrderId: 'B' }));
      expect([rejected.status, rejected.headers['retry-after']]).toEqual([status, '1']);
      expect(rejected.text).toContain(status === 429 ? 'TOO_MANY_REQUESTS' : 'There are too many requests');
      expect(store.orders.count()).toBe(1);
      expect(store.requests.all()[1]).toMatchObject({
        status,
        subject: 'B',
        notBefore: clock.now + 1000,
        orderId: null,
      });
      clock.now += 1000;
      expect((await create(anOrder({ externalOrderId: 'B' }))).status).toBe(201);
    },
  );

  it.each(retryAfterForms)('announces a wait of 2.5 s as %s', async (retryAfter) => {
    const faults = { limits: { requestsPerSecond: 0.4, burst: 1, retryAfter } };
    const { get, store, clock } = await start({ behaviour: { faults } });
    clock.now = now;
    await get(orders);
    const { headers } = await get(orders);
    const [announced, notBefore] = table[retryAfter];
    for (const [name, value] of Object.entries(announced)) expect(headers[name.toLowerCase()]).toBe(value);
    expect(store.requests.all()[1]?.notBefore).toBe(notBefore ?? null);
  });

  const formsWithWait = retryAfterForms.filter((form) => table[form][1] !== undefined && form !== 'zero');

  it.each(formsWithWait)('announces no shorter wait, and at most a second more: %s', async (retryAfter) => {
    const { get, store, clock, sandbox } = await start();
    for (const [requestsPerSecond, offset] of [
      [30, 0],
      [30, 999],
      [1, 500],
      [1 / 3600, 1],
    ] as const) {
      clock.now = now + offset;
      await admin(sandbox).put('/faults', { limits: { requestsPerSecond, burst: 1, retryAfter } });
      await get(orders);
      expect((await get(orders)).status).toBe(429);
      const wait = (store.requests.all().at(-1)?.notBefore ?? 0) - clock.now;
      expect(wait).toBeGreaterThanOrEqual(1000 / requestsPerSecond - 1e-6);
      expect(wait).toBeLessThan(1000 / requestsPerSecond + 1001);
    }
  });

  it('announces no wait when retryAfter is null', async () => {
    const faults = { limits: { requestsPerSecond: 1, burst: 1, retryAfter: null } };
    const { get, store } = await start({ behaviour: { faults } });
    await get(orders);
    const { status, headers } = await get(orders);
    expect(status).toBe(429);
    expect(Object.keys(headers).filter((name) => /retry|limit/.test(name))).toEqual([]);
    expect(store.requests.all()[1]?.notBefore).toBe(null);
  });

  it('does not apply to requests without a known key or to the admin API', async () => {
    const { get, sandbox } = await start({
      behaviour: { faults: { limits: { requestsPerSecond: 1, burst: 1 } } },
    });
    await get(orders);
    expect((await get(orders, { key: 'sandbox_unknown' })).status).toBe(401);
    expect((await get('/_sandbox/info', { key: sandbox.adminToken })).status).toBe(200);
  });
});

describe('a limit of concurrency', () => {
  const limits = { concurrency: 1 };
  const stalled = { match: { route: 'create' }, when: 'before_commit', do: { kind: 'stall' } } as const;
  const delayed = { ...stalled, do: { kind: 'wait', seconds: 600_000 } } as const;

  it.each([
    ['stalls', stalled],
    ['is delayed', delayed],
  ])('rejects requests while one %s, until its client disconnects', async (_what, rule) => {
    const { sandbox, get, store } = await start({ behaviour: { faults: { limits, rules: [rule] } } });
    const connection = await openConnection(sandbox.baseUrl);
    const body = JSON.stringify(anOrder());
    connection.send('POST', orders, { key: sandbox.apiKey, headers: { 'Idempotency-Key': 'K' }, body });
    await vi.waitUntil(() => sandbox.requestCount() === 1);
    const rejected = await get(orders);
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '1']);
    connection.leave();
    await vi.waitUntil(async () => (await get(orders)).status === 200);
    const { peakConcurrency } = store.requests.totals();
    expect(peakConcurrency).toBe(2);
    expect((await get(orders)).status).toBe(200);
    expect(store.orders.count()).toBe(0);
  });
});
