import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listService } from '../../api/list-services.ts';
import { startStubService } from '../../api/stub-service.ts';
import { type CliOptions, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';

const lines = [
  [
    { sku: 'TEA-001', quantity: 2, unitPrice: '25000' },
    { name: 'Малгай', variant: 'XL', quantity: '1' },
  ],
  [{ sku: 'TEA-001' }, { pcs: 3, note: null }, 'MUG-1'],
  [],
  null,
  'two hats',
];
const texts = ['2 × TEA-001, 1 × Малгай XL', '? × TEA-001, ? × (pcs: 3), MUG-1', '', '', 'two hats'];
const orders = lines.map((items, place) => ({ id: `S-${place}`, orderNumber: `ORD-${place}`, items }));

async function startList() {
  const respond = listService({ envelope: 'items, limit', count: orders.length, orders });
  const { env } = await startStubService(respond);
  return (args: string[], options: CliOptions = {}) => runCli(['list', ...args], { env, ...options });
}

it('shows the lines of an order as a person reads them, but in JSON', async () => {
  const list = await startList();
  const columns = ['--columns', 'items', '--no-header'];
  expect((await list([...columns])).stdout).toBe(`${texts.join('\n')}\n`);
  const csv = '"2 × TEA-001, 1 × Малгай XL"\n"? × TEA-001, ? × (pcs: 3), MUG-1"\n""\n""\ntwo hats\n';
  expect((await list([...columns, '--format', 'csv'])).stdout).toBe(csv);
  expect((await list(columns, { width: 80 })).stdout).toBe(`${texts.join('\n')}\n`);
  const file = join(temporaryDirectory(), 'orders.csv');
  await list([...columns, '--output', file]);
  expect(readFileSync(file, 'utf8')).toBe(`\uFEFF${csv}`);
  expect((await list(['--columns', 'items[1],items[0].sku', '--limit', '1', '--no-header'])).stdout).toBe(
    '1 × Малгай XL\tTEA-001\n',
  );
  const { stdout } = await list(['--json']);
  expect(JSON.parse(stdout).orders.map(({ items }: { items: unknown }) => items)).toEqual(lines);
});

it('names in its help columns that every service has', async () => {
  const { cli } = await startService();
  const { stdout } = await cli(['list', '--help']);
  const [, named = ''] = /every field:\n((?: {2}.*\n)+)/.exec(stdout) ?? [];
  const names = named.replace(/\s/g, '');
  expect(await cli(['list', '--columns', names])).toMatchObject({
    stdout: `${names.replaceAll(',', '\t')}\n`,
    stderr: 'No orders.\n',
    exitCode: 0,
  });
});
