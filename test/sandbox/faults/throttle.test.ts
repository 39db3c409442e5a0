import { describe, expect, it, vi } from 'vitest';
import { retryAfterForms } from '../../../src/sandbox/behaviour/fault-actions.ts';
import { writeRetryAfter } from '../../../src/sandbox/faults/retry-after.ts';
import { anOrder, orders, start } from '../start.ts';
import { openConnection } from './raw-request.ts';

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

  it.each(retryAfterForms)('announces the wait as %s', async (retryAfter) => {
    const faults = { limits: { requestsPerSecond: 0.4, burst: 1, retryAfter } };
    const { get, store, clock } = await start({ behaviour: { faults } });
    await get(orders);
    const { headers } = await get(orders);
    const announced = writeRetryAfter[retryAfter](2.5, clock.now);
    for (const [name, value] of Object.entries(announced.headers))
      expect(headers[name.toLowerCase()]).toBe(value);
    expect(store.requests.all()[1]?.notBefore).toBe(announced.notBefore ?? null);
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
