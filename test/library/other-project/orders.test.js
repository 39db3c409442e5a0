import { SandboxError, startSandbox } from 'merchant-orders/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { placeOrder } from './client.js';

let sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ catalogue: [{ sku: 'TEA-001' }] });
});
beforeEach(() => sandbox.reset());
afterEach(() => void vi.useRealTimers());
afterAll(() => sandbox.stop());

const busy = {
  match: { attempt: 1 },
  when: 'before_commit',
  do: { kind: 'status', status: 429, retryAfter: 60 },
};

describe.each(['real', 'fake'])('with %s timers', (timers) => {
  beforeEach(() => {
    if (timers === 'fake') vi.useFakeTimers({ now: new Date('2031-01-02T03:04:05Z') });
  });

  it('creates an order once, when its first response is lost', async () => {
    sandbox.setFaults({ rules: [{ match: { attempt: 1 }, when: 'after_commit', do: { kind: 'close' } }] });
    expect((await placeOrder(sandbox, 'UB-1')).status).toBe(201);
    sandbox.assert({ externalOrderIds: ['UB-1'] });
    const [order] = sandbox.orders();
    expect(order?.createdAt.startsWith('2031-01-02T03:04:05')).toBe(timers === 'fake');
  });

  it('waits as long as it is asked to, by the clock of the client', async () => {
    sandbox.setFaults({ rules: [busy] });
    const wait = async (until) => {
      if (timers === 'fake') vi.setSystemTime(until);
      else sandbox.setClock(new Date(until + 1000));
    };
    expect((await placeOrder(sandbox, 'UB-1', { wait })).status).toBe(201);
    sandbox.assert();
  });

  it('is told that it did not wait', async () => {
    sandbox.setFaults({ rules: [busy] });
    expect((await placeOrder(sandbox, 'UB-1')).status).toBe(201);
    expect(() => sandbox.assert()).toThrow(SandboxError);
    expect(sandbox.requests().map(({ headers }) => headers['idempotency-key'])).toEqual(['UB-1', 'UB-1']);
  });

  it.each(Array.from({ length: 25 }, (_, time) => time))('leaves nothing to the next test: %i', async () => {
    const late = { kind: 'late_commit', seconds: 0.001 };
    sandbox.setFaults({ rules: [{ when: 'before_commit', do: late }] });
    expect((await placeOrder(sandbox, 'LEFT')).status).toBe(504);
    sandbox.reset();
    sandbox.clearFaults();
    await placeOrder(sandbox, 'NEXT');
    sandbox.assert({ externalOrderIds: ['NEXT'] });
  });
});

it('starts with the orders of last week, which the client did not create', async () => {
  const order = { customer: { phone: '99112233' }, items: [{}], collectionMode: 'NONE' };
  const createdAt = '2026-11-18T09:30:00.000Z';
  const seeded = await startSandbox({
    seed: { orders: [{ ...order, externalOrderId: 'OLD', createdAt, orderNumber: 'ORD-2026-000007' }] },
  });
  expect(seeded.moveOrder('OLD', 'DELIVERED')).toMatchObject({ createdAt, status: 'DELIVERED' });
  seeded.assert({ externalOrderIds: [] });
  await seeded.stop();
});

it('has 20 sandboxes at once', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => startSandbox()));
  await Promise.all(all.map((one, place) => placeOrder(one, `UB-${place}`)));
  for (const [place, one] of all.entries()) one.assert({ externalOrderIds: [`UB-${place}`] });
  await Promise.all(all.map((one) => one.stop()));
});
