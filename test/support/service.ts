import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import { openSandboxDatabase } from '../sandbox/database.ts';
import { type CliOptions, runCli } from './cli.ts';

export const testProducts = [
  { sku: 'TEA-1', name: 'Цай', active: true },
  { sku: 'OLD-1', name: 'Хуучин цай', active: false },
];

/** A service on a free port with an empty store, and the environment variables that point to it; stopped after the test. */
export async function startService(options: Partial<SandboxOptions> = {}) {
  const { sandbox, env } = await openService(options);
  onTestFinished(() => sandbox.stop());
  const cli = (args: string[], cliOptions: CliOptions = {}) =>
    runCli(args, { ...cliOptions, env: { ...env, ...cliOptions.env } });
  return { sandbox, env, cli };
}

/** As `startService`, for several tests: the caller stops the sandbox. */
export async function openService(options: Partial<SandboxOptions> = {}) {
  const sandbox: Sandbox = await startSandbox({
    database: await openSandboxDatabase(':memory:'),
    catalogue: testProducts,
    now: () => Date.now(),
    randomUuid: () => crypto.randomUUID(),
    ...options,
  });
  const env = { MERCHANT_ORDERS_BASE_URL: sandbox.baseUrl, MERCHANT_ORDERS_API_KEY: sandbox.apiKey };
  return { sandbox, env };
}
