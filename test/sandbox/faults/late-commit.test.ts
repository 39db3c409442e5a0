import { describe, expect, it, vi } from 'vitest';
import { anOrder, orders, start, temporaryFile } from '../start.ts';
import { singleRule } from './faulty-request.ts';

const later = 600_000;

function late(seconds: number, status?: number) {
  const action = { kind: 'late_commit', seconds, ...(status === undefined ? {} : { status }) } as const;
  return { behaviour: { faults: singleRule('before_commit', action, { route: 'create', attempt: 1 }) } };
}

const headers = { 'idempotency-key': 'K' };

describe('late_commit', () => {
  it('responds 504 before the commit, and commits once', async () => {
    const { create, store } = await start(late(0.05));
    const order = anOrder({ externalOrderId: 'A' });
    const { status, json } = await create(order, { headers });
    expect([status, json.error.code]).toEqual([504, 'GATEWAY_TIMEOUT']);
    await vi.waitUntil(() => store.orders.count() === 1);
    const [attempt, ...others] = store.requests.all();
    expect(others).toEqual([]);
    expect(attempt).toMatchObject({ status: 504, fault: 'late_commit', idempotencyKey: 'K' });
    expect(attempt?.orderId).toBe(store.listOrders(1, {}, { offset: 0, limit: 1 }).orders[0]?.id);
    const repeated = await create(order, { headers });
    expect([repeated.status, repeated.json.id, repeated.json.orderNumber]).toEqual([
      201,
      attempt?.orderId,
      'ORD-2026-000001',
    ]);
    expect((await create(anOrder())).status).toBe(504);
    expect(store.orders.commits()).toEqual([{ externalOrderId: 'A', commits: 1 }]);
  });

  it('responds with the given status before the commit', async () => {
    const { create, store } = await start(late(later, 408));
    expect((await create(anOrder())).status).toBe(408);
    expect(store.orders.count()).toBe(0);
  });

  it('commits nothing when the same key was processed before', async () => {
    const file = temporaryFile();
    const { create, sandbox, store: first } = await start({ ...late(1), file });
    const order = anOrder();
    await create(order, { headers });
    const { status, json } = await create(order, { headers });
    expect([status, json.orderNumber]).toEqual([201, 'ORD-2026-000001']);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(first.orders.count()).toBe(1);
    await sandbox.stop();
    const { store, create: createNext } = await start({ file });
    expect(store.requests.all().map(({ orderId }) => orderId)).toEqual([null, json.id]);
    expect((await createNext(anOrder())).json.orderNumber).toBe('ORD-2026-000002');
  });

  it('delays a cancellation', async () => {
    const action = { kind: 'late_commit', seconds: 0.05 } as const;
    const faults = singleRule('before_commit', action, { route: 'cancel' });
    const { create, cancel, get } = await start({ behaviour: { faults } });
    const { json } = await create(anOrder());
    expect((await cancel(json.id)).status).toBe(504);
    await vi.waitUntil(async () => (await get(`${orders}/${json.id}`)).json.status === 'CANCELLED');
  });
});

describe('wait', () => {
  it.each([
    ['before_commit', 0],
    ['after_commit', 1],
  ] as const)('delays the request before the commit and the response after it: %s', async (when, count) => {
    const faults = singleRule(when, { kind: 'wait', seconds: later });
    const { create, store, sandbox } = await start({ behaviour: { faults } });
    const waiting = create(anOrder()).catch((error) => error.code);
    await vi.waitUntil(() => sandbox.requestCount() === 1 && store.orders.count() === count);
    await sandbox.stop();
    expect(await waiting).toMatch(/UND_ERR_SOCKET|ECONNRESET/);
  });
});
