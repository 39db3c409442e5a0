import { describe, expect, it } from 'vitest';
import { anOrder, start } from '../start.ts';

describe('latency', () => {
  it('delays the request before it is processed', async () => {
    const { create, sandbox, store } = await start({
      behaviour: { faults: { latencyMs: 600_000 } },
    });
    const sent = create(anOrder()).catch((error) => error.code);
    while (sandbox.requestCount() === 0) await new Promise(setImmediate);
    expect(store.orders.count()).toBe(0);
    await sandbox.stop();
    expect(await sent).toMatch(/UND_ERR_SOCKET|ECONNRESET/);
  });
});
