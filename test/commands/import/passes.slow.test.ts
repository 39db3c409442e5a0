import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemFiles } from '../../../src/system/files.ts';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { catalogue } from './setup.ts';

const header = 'externalOrderId,customer.phone,items[].sku,collectionMode';
const orders = Array.from({ length: 10_000 }, (_, order) => `UB-${order},99112233,TEA-001,NONE`);

/** Imports a file of several chunks and counts how often it is read to its end. */
async function startCounting(rows: string[]) {
  const directory = temporaryDirectory();
  const csv = join(directory, 'orders.csv');
  writeFileSync(csv, [header, ...rows].join('\n'));
  expect(statSync(csv).size).toBeGreaterThan(256 * 1024);
  const configDirectory = join(directory, 'configuration');
  const { cli } = await startService({ catalogue });
  const count = async (run: typeof runCli, args: string[]) => {
    let passes = 0;
    const files = {
      readChunks: async function* (path: string) {
        yield* systemFiles.readChunks(path);
        if (path === csv) passes += 1;
      },
    };
    const { stdout, exitCode } = await run(['import', csv, '--limit', '3', '--json', ...args], {
      configDirectory,
      files,
    });
    return { passes, exitCode, orders: JSON.parse(stdout).orders };
  };
  return {
    withKey: (...args: string[]) => count(cli, args),
    withoutKey: (...args: string[]) => count(runCli, args),
  };
}

const none = { created: 0, already_exists: 0, rejected: 0, invalid: 0, conflict: 0, unknown: 0, not_sent: 0 };
const counts = (some: Partial<typeof none>) => ({ total: 3, ...none, ...some });

describe.each([
  ['orders whose rows are together', orders, 0],
  ['a scattered order', [...orders, 'UB-1,,TEA-002,'], 1],
])('a file with %s', (_, rows, more) => {
  it(`is read ${1 + more} times by a dry run and by an import`, async () => {
    const { withKey, withoutKey } = await startCounting(rows);
    expect(await withoutKey('--dry-run')).toEqual({
      passes: 1 + more,
      exitCode: 0,
      orders: counts({ not_sent: 3 }),
    });
    expect(await withKey('--yes')).toEqual({ passes: 1 + more, exitCode: 0, orders: counts({ created: 3 }) });
    // Now there is a ledger to compare with.
    const again = counts({ already_exists: 3 });
    expect(await withKey('--dry-run')).toEqual({ passes: 1 + more, exitCode: 0, orders: again });
    expect(await withKey('--yes')).toEqual({ passes: 1 + more, exitCode: 0, orders: again });
  });
});
