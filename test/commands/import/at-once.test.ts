import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { countBy, noOrders, rowsOf } from './setup.ts';

it('imports of one file at once end when all of its orders exist, each with results that say so', async () => {
  const { cli } = await startService({ latencyMs: 30 });
  const folder = temporaryDirectory();
  const csv = join(folder, 'orders.csv');
  const rows = Array.from({ length: 60 }, (_, index) => `A-${index},99112233,TEA-1,NONE\n`);
  writeFileSync(csv, `externalOrderId,customer.phone,items[].sku,collectionMode\n${rows.join('')}`);
  const configDirectory = temporaryDirectory();
  const names = ['one', 'two', 'three', 'four'].map((name) => join(folder, `${name}.csv`));
  const ended = await Promise.all(
    names.map((results) =>
      cli(['import', csv, '--yes', '--format', 'ndjson', '--results', results], {
        configDirectory,
        waits: true,
      }),
    ),
  );
  let created = 0;
  for (const [index, { stdout, exitCode }] of ended.entries()) {
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { orders } = lines.at(-1);
    expect([exitCode, lines.length, orders]).toEqual([
      0,
      61,
      { ...noOrders, total: 60, created: orders.created, already_exists: 60 - orders.created },
    ]);
    const counted = countBy(rowsOf(names[index] ?? ''), 'outcome');
    expect([counted.created ?? 0, counted.already_exists ?? 0]).toEqual([
      orders.created,
      orders.already_exists,
    ]);
    created += orders.created;
  }
  expect(created).toBe(60);
  const { imports } = JSON.parse((await cli(['imports', '--json'], { configDirectory })).stdout);
  expect(imports.map(({ ended: how }: { ended: string }) => how)).toEqual(Array(4).fill('done'));
});
