import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type CliOptions, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startPlainService } from '../../support/plain-service.ts';

export const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount,total';
export const rowOf = (id: string, amount = '5000', sku = 'TEA-1') =>
  `${id},99112233,${sku},COLLECT,${amount},${amount}`;
export const added = '_order_number,_status,_delivery,_collection_amount,_total,_created,_difference';

export function shop(lines: readonly string[], name = 'orders.csv') {
  const folder = temporaryDirectory();
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const read = (what = 'orders.status.csv') => readFileSync(join(folder, what), 'utf8');
  const rows = (what?: string) =>
    read(what)
      .replace(/^\ufeff/, '')
      .trimEnd()
      .split('\n');
  /** The differences, by the first cell. */
  const differences = (what?: string) =>
    Object.fromEntries(
      rows(what)
        .slice(1)
        .map((row) => [row.split(',')[0], row.split(',').at(-1)]),
    );
  return { folder, file, read, rows, differences };
}

/** Orders of a file that were imported into a service without rules. */
export async function imported(lines: readonly string[], service = startPlainService()) {
  const plain = await service;
  const configDirectory = temporaryDirectory();
  const cli = (args: string[], options: CliOptions = {}) =>
    runCli(args, { configDirectory, env: plain.env, ...options });
  const files = shop(lines);
  const { exitCode, stderr } = await cli(['import', files.file, '--yes', '--ignore-rest']);
  expect(`${exitCode}`, stderr).toBe('0');
  const find = (id: string) => plain.orders.find((order) => order.externalOrderId === id) ?? {};
  return { ...plain, ...files, cli, configDirectory, find };
}
