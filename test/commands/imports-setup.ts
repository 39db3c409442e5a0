import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { openDatabase } from '../../src/system/sqlite.ts';
import { admin } from '../sandbox/admin/ask.ts';
import { type CliOptions, type CliResult, temporaryDirectory } from '../support/cli.ts';
import { startService } from '../support/service.ts';

/** A service, a machine of its own, and a CSV with orders UB-1, UB-2, ... in a folder. */
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
  const strike = (...rules: object[]) => put('/faults', { rules });
  return {
    sandbox,
    env,
    configDirectory,
    csv,
    run,
    strike,
    put,
    post,
    results: csv.replace('.csv', '.results.csv'),
    mendService: () => remove('/faults'),
    import: (...flags: string[]) => run(['import', csv, '--yes', '--concurrency', '1', ...flags]),
    /** The run of the newest import. */
    newest: async () => {
      const { stdout } = await run(['imports', '--limit', '1', '--json']);
      return JSON.parse(stdout).imports[0];
    },
    requests: () => sandbox.requestCount(),
    /** How many orders the service has. */
    committed: async () => ((await get('/ledger?without=attempts')).json.orders as unknown[]).length,
    /** Changes the ledger behind the back of the program. */
    change,
    /** As if it had been an hour longer since whatever is open was sent. */
    letAnHourPass: () => change('UPDATE orders SET unknown_at = unknown_at - 3600000'),
  };
}

/** Every answer to a create of this order is lost after it was created. */
export const loseAnswers = (externalOrderId: string) => ({
  match: { route: 'create', externalOrderId },
  when: 'after_commit',
  do: { kind: 'close' },
});

/** It is never created, and nobody can tell. */
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

export const told = ({ stdout, stderr, exitCode }: CliResult) => ({ stdout, stderr, exitCode });
