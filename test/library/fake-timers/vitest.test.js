import { afterEach, describe, it, vi } from 'vitest';
import { behaviour, clients, useSandbox } from './use-sandbox.js';

afterEach(() => vi.useRealTimers());

describe.each(Object.entries(clients))('a sandbox that is called by %s, with timers', (_, send) => {
  it('faked before the import', async () => {
    vi.resetModules();
    vi.useFakeTimers();
    const { startSandbox } = await import('merchant-orders/sandbox');
    const sandbox = await startSandbox({ behaviour });
    await useSandbox(sandbox, send);
    await sandbox.stop();
  });

  it('faked after the import', async () => {
    const { startSandbox } = await import('merchant-orders/sandbox');
    vi.useFakeTimers();
    const sandbox = await startSandbox({ behaviour });
    await useSandbox(sandbox, send);
    await sandbox.stop();
  });

  it('faked after the start', async () => {
    const { startSandbox } = await import('merchant-orders/sandbox');
    const sandbox = await startSandbox({ behaviour });
    vi.useFakeTimers();
    await useSandbox(sandbox, send);
    await sandbox.stop();
  });
});
