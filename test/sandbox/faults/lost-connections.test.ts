import { describe, expect, it, vi } from 'vitest';
import { sendWithFault } from './faulty-request.ts';

describe('stall', () => {
  it('never answers and never ends by itself, and the order is there when it is to come after the commit', async () => {
    const { connection, recorded, store, get } = await sendWithFault('create', 'after_commit', {
      kind: 'stall',
    });
    await vi.waitUntil(() => recorded().length === 1);
    await get('/api/v1/merchant/orders');
    expect([connection.text(), connection.ending(), store.orders.count()]).toEqual(['', 'open', 1]);
  });

  it('is in the record, without a status, while it still stalls', async () => {
    const { recorded, store } = await sendWithFault('create', 'before_commit', { kind: 'stall' });
    await vi.waitUntil(() => recorded().length === 1);
    expect(recorded()).toMatchObject([{ fault: 'stall', status: null, orderId: null }]);
    expect(store.orders.count()).toBe(0);
  });

  it('closes no sooner than it is to', async () => {
    const begun = performance.now();
    const { connection } = await sendWithFault('get', 'before_commit', { kind: 'stall', seconds: 0.15 });
    await connection.ended;
    expect(performance.now() - begun).toBeGreaterThanOrEqual(149);
    expect([connection.text(), connection.ending()]).toEqual(['', 'close']);
  });
});
