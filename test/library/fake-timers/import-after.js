import { it, mock } from 'node:test';

it('with the timers of node:test faked before the import', async () => {
  mock.timers.enable();
  const { startSandbox } = await import('merchant-orders/sandbox');
  const { behaviour, clients, useSandbox } = await import('./use-sandbox.js');
  const sandbox = await startSandbox({ behaviour });
  await useSandbox(sandbox, clients.fetch);
  await useSandbox(sandbox, clients.http);
  await sandbox.stop();
});
