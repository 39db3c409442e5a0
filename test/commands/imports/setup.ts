import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { openDatabase } from '../../../src/system/sqlite.ts';
import { admin } from '../../sandbox/admin/admin-client.ts';
import { type CliOptions, type CliResult, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';

/** Starts a service and writes a CSV file with orders UB-1, UB-2, ...; `run` uses a configuration directory of its own. */
export async function startShop(orders = 5, options: Partial<SandboxOptions> = {}) {
  const { sandbox, cli, env } = await startService(options);
  const configDirectory = join(temporaryDirectory(), 'configuration');
  const csv = join(temporaryDirectory(), 'orders.csv');
  const rows = Array.from({ length: orders }, (_, place) => `UB-${place + 1},99112233,TEA-1,NONE`);
  writeFileSync(csv, ['externalOrderId,customer.phone,items[].sku,collectionMode', ...rows].join('\n'));
  const run = (args: string[], more: CliOptions = {}) => cli(args, { configDirectory, ...more });
  const { put, remove, get, post } = admin(sandbox);
  const change = async (sql: string) => {
    const ledger = await openDatabase(join(configDirectory, 'ledger.db'));
    ledger.exec(sql);
    ledger.close();
  };
  const setFaults = (...rules: object[]) => put('/faults', { rules });
  return {
    sandbox,
    env,
    configDirectory,
    csv,
    run,
    setFaults,
    put,
    post,
    get,
    results: csv.replace('.csv', '.results.csv'),
    clearFaults: () => remove('/faults'),
    import: (...flags: string[]) => run(['import', csv, '--yes', '--concurrency', '1', ...flags]),
    /** The newest import, as `imports --json` prints it. */
    newest: async () => {
      const { stdout } = await run(['imports', '--limit', '1', '--json']);
      return JSON.parse(stdout).imports[0];
    },
    requests: () => sandbox.requestCount(),
    /** The number of orders of the service. */
    committed: async () => ((await get('/ledger?without=attempts')).json.orders as unknown[]).length,
    /** Executes SQL on the ledger. */
    change,
    /** Makes every unknown outcome an hour older. */
    letAnHourPass: () => change('UPDATE orders SET unknown_at = unknown_at - 3600000'),
  };
}

/** Creates the order and closes the connection without a response. */
export const loseResponses = (externalOrderId: string) => ({
  match: { route: 'create', externalOrderId },
  when: 'after_commit',
  do: { kind: 'close' },
});

/** Closes the connection without creating the order. */
export const loseRequests = (externalOrderId: string) => ({
  match: { route: 'create', externalOrderId },
  when: 'before_commit',
  do: { kind: 'close' },
});

export const failList = {
  match: { route: 'list' },
  when: 'before_commit',
  do: { kind: 'status', status: 500 },
};

export const outputOf = ({ stdout, stderr, exitCode }: CliResult) => ({ stdout, stderr, exitCode });
