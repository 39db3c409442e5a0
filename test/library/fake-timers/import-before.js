import { it, mock } from 'node:test';
import { startSandbox } from 'merchant-orders/sandbox';
import { behaviour, clients, useSandbox } from './use-sandbox.js';

it('with the timers of node:test faked after the import', async () => {
  mock.timers.enable();
  const sandbox = await startSandbox({ behaviour });
  await useSandbox(sandbox, clients.fetch);
  await useSandbox(sandbox, clients.http);
  await sandbox.stop();
});

it('with the timers of node:test faked after the start', async () => {
  mock.timers.reset();
  const sandbox = await startSandbox({ behaviour });
  mock.timers.enable();
  await useSandbox(sandbox, clients.fetch);
  await sandbox.stop();
});
