import { describe, expect, it, vi } from 'vitest';
import type { FaultSettings } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { admin } from '../admin/admin-client.ts';
import { anOrder, start, temporaryFile } from '../start.ts';
import { singleRule } from './faulty-request.ts';

const later = 600_000;
const waits: [string, FaultSettings][] = [
  ['that waits before the commit', singleRule('before_commit', { kind: 'wait', seconds: later })],
  ['that waits after the commit', singleRule('after_commit', { kind: 'wait', seconds: later })],
  ['that stalls', singleRule('before_commit', { kind: 'stall' })],
  ['that stalls after the commit', singleRule('after_commit', { kind: 'stall' })],
  ['that is delayed', { latencyMs: later }],
  ['that is committed late', singleRule('before_commit', { kind: 'late_commit', seconds: later })],
];

describe('after a reset, a request of before', () => {
  it.each(waits)('%s is closed, and neither commits nor counts', async (_, faults) => {
    const file = temporaryFile();
    const { create, post, sandbox } = await start({ behaviour: { faults }, file });
    const sent = create(anOrder()).catch(() => undefined);
    await vi.waitUntil(() => sandbox.requestCount() === 1);
    await post('/_sandbox/reset', { key: sandbox.adminToken });
    await sent;
    await sandbox.stop();
    const { store } = await start({ file });
    expect([store.orders.count(), store.requests.totals().requests]).toEqual([0, 0]);
  });

  it('does not commit when its client has gone, 50 times', async () => {
    const { create, post, sandbox, store } = await start();
    const rule = singleRule('before_commit', { kind: 'wait', seconds: 0.002 }, { externalOrderId: 'LEFT' });
    await admin(sandbox).put('/faults', rule);
    for (let time = 0; time < 50; time += 1) {
      const count = sandbox.requestCount();
      const left = create(anOrder({ externalOrderId: 'LEFT' })).catch(() => undefined);
      while (sandbox.requestCount() === count) await new Promise(setImmediate);
      await post('/_sandbox/reset', { key: sandbox.adminToken });
      await create(anOrder({ externalOrderId: 'NEXT' }));
      await left;
      expect(store.orders.commits()).toEqual([{ externalOrderId: 'NEXT', commits: 1 }]);
    }
  });

  it('keeps neither its key nor its Retry-After', async () => {
    const faults = singleRule(
      'before_commit',
      { kind: 'status', status: 429, retryAfter: 600 },
      { attempt: 1 },
    );
    const { create, post, sandbox, store } = await start({ behaviour: { faults } });
    const order = anOrder({ externalOrderId: 'A' });
    expect((await create(order)).status).toBe(429);
    await post('/_sandbox/reset', { key: sandbox.adminToken });
    await create(order);
    expect(store.requests.early()).toEqual([]);
  });
});

it.each(waits)('a stop ends a request %s at once', async (_, faults) => {
  const file = temporaryFile();
  const { create, sandbox } = await start({ behaviour: { faults }, file, graceMs: later });
  const sent = create(anOrder()).catch(() => undefined);
  await vi.waitUntil(() => sandbox.requestCount() === 1);
  await sandbox.stop();
  await sent;
});
