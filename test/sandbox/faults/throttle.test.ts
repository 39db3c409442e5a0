import { describe, expect, it, vi } from 'vitest';
import { admin } from '../admin/admin-client.ts';
import { anOrder, orders, start } from '../start.ts';
import { openConnection } from './raw-request.ts';

const now = Date.parse('2026-11-05T08:00:00.250Z');
describe('a limit', () => {
  it.each([
    ['error_object', 'TOO_MANY_REQUESTS'],
    ['problem_details', 'There are too many requests'],
  ] as const)(
    'responds 429 in the error form of the behaviour (%s), processes nothing and logs the request',
    async (error, text) => {
      const faults = { limits: { requestsPerSecond: 1, burst: 1 } };
      const { create, store, clock } = await start({ behaviour: { responses: { error }, faults } });
      await create(anOrder());
      const rejected = await create(anOrder({ externalOrderId: 'B' }));
      expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '1']);
      expect(rejected.text).toContain(text);
      expect(store.orders.count()).toBe(1);
      expect(store.requests.all()[1]).toMatchObject({
        status: 429,
        subject: 'B',
        notBefore: clock.now + 1000,
        orderId: null,
      });
      clock.now += 1000;
      expect((await create(anOrder({ externalOrderId: 'B' }))).status).toBe(201);
    },
  );

  it('announces no shorter wait, and at most a second more', async () => {
    const { get, store, clock, sandbox } = await start();
    for (const [requestsPerSecond, offset] of [
      [30, 0],
      [30, 999],
      [1, 500],
      [1 / 3600, 1],
    ] as const) {
      clock.now = now + offset;
      await admin(sandbox).put('/faults', { limits: { requestsPerSecond, burst: 1 } });
      await get(orders);
      const { status, headers } = await get(orders);
      const wait = (store.requests.all().at(-1)?.notBefore ?? 0) - clock.now;
      expect([status, headers['retry-after']]).toEqual([429, String(wait / 1000)]);
      expect(wait).toBeGreaterThanOrEqual(1000 / requestsPerSecond - 1e-6);
      expect(wait).toBeLessThan(1000 / requestsPerSecond + 1001);
    }
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
