import { describe, expect, it, vi } from 'vitest';
import { sendWithFault } from './faulty-request.ts';

describe('stall', () => {
  it('never responds or ends, and after the commit the order exists', async () => {
    const { connection, loggedRequests, store, get } = await sendWithFault('create', 'after_commit', {
      kind: 'stall',
    });
    await vi.waitUntil(() => loggedRequests().length === 1);
    await get('/api/v1/merchant/orders');
    expect([connection.text(), connection.ending(), store.orders.count()]).toEqual(['', 'open', 1]);
  });

  it('is logged without a status while it stalls', async () => {
    const { loggedRequests, store } = await sendWithFault('create', 'before_commit', { kind: 'stall' });
    await vi.waitUntil(() => loggedRequests().length === 1);
    expect(loggedRequests()).toMatchObject([{ fault: 'stall', status: null, orderId: null }]);
    expect(store.orders.count()).toBe(0);
  });
});
