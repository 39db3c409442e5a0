import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { readTable } from '../../../src/import/read/read-table.ts';
import { allRows, sourceOf } from '../../import/tables.ts';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { installDebianPackages } from '../../support/debian.ts';
import { saveAsWorkbook } from '../../support/libreoffice.ts';
import { runProgram, startServedSandbox } from '../../support/program.ts';
import { header, imported, rowOf } from './shop.ts';

beforeAll(() => installDebianPackages(['libreoffice-calc']), 600_000);

it('opens in LibreOffice beside the file, which is as it was', { timeout: 120_000 }, async () => {
  const { cli, file, folder } = await imported([
    `${header},customer.name,Note`,
    `${rowOf('UB-1')},"Батбаяр, ""Өргөө""","=1+1"`,
    'UB-1,,TEA-2,,,,,',
    `${rowOf('00012', '31000.50')},Туяа,-5`,
  ]);
  const cash = join(folder, 'cash.csv');
  writeFileSync(cash, 'order,amount\nUB-1,5000\n00012,31000.50\nOLD,1\n');
  expect((await cli(['status', file, '--cash', cash])).exitCode).toBe(6);
  const open = async (path: string) => {
    const table = await readTable(sourceOf(saveAsWorkbook(path)), {}, { forOrders: true });
    return { header: table.header.cells, rows: (await allRows(table)).map(({ cells }) => cells) };
  };
  const status = await open(join(folder, 'orders.status.csv'));
  const original = await open(join(folder, 'orders.csv'));
  expect(status.header.slice(0, original.header.length)).toEqual(original.header);
  expect(status.header.slice(original.header.length)).toEqual([
    ...['_order_number', '_status', '_delivery', '_collection_amount', '_total', '_created', '_difference'],
    ...['_cash', '_cash_difference'],
  ]);
  const columnOf = (name: string) => status.rows.map((row) => row[status.header.indexOf(name)]);
  expect(columnOf('externalOrderId')).toEqual(['UB-1', 'UB-1', '00012', '']);
  expect(columnOf('customer.name')).toEqual(['Батбаяр, "Өргөө"', '', 'Туяа', '']);
  expect(columnOf('Note')).toEqual(['=1+1', '', '-5', '']);
  expect(columnOf('_collection_amount')).toEqual(['5000', '', '31000.5', '']);
  expect(columnOf('_cash')).toEqual(['5000', '', '31000.5', '1']);
});

it('takes about thirty requests for 3,000 orders', { timeout: 300_000 }, async () => {
  const sandbox = await startServedSandbox('--any-sku');
  const folder = temporaryDirectory();
  const file = join(folder, 'orders.csv');
  const rows = Array.from({ length: 3000 }, (_, index) => rowOf(`UB-${index}`));
  writeFileSync(file, `${[header, ...rows].join('\n')}\n`);
  const env = { MERCHANT_ORDERS_BASE_URL: sandbox.baseUrl, MERCHANT_ORDERS_API_KEY: sandbox.apiKey };
  const configDirectory = temporaryDirectory();
  await runProgram(['import', file, '--yes'], { env, configDirectory });
  const { requests: before } = await sandbox.ledger();
  const { exitCode, stderr } = await runProgram(['status', file], { env, configDirectory });
  expect(exitCode, stderr).toBe(0);
  const { requests } = await sandbox.ledger();
  expect(requests - before).toBeLessThanOrEqual(40);
  const states = readFileSync(join(folder, 'orders.status.csv'), 'utf8').trimEnd().split('\n').slice(1);
  expect(states.filter((row) => /,ORD-2026-\d{6},CONFIRMED,PENDING,5000,5000,.*,$/.test(row))).toHaveLength(
    3000,
  );
});

it('refuses more orders than fit into memory', { timeout: 120_000 }, async () => {
  const file = join(temporaryDirectory(), 'orders.csv');
  const rows = Array.from({ length: 100_001 }, (_, index) => rowOf(`UB-${index}`));
  writeFileSync(file, `${[header, ...rows].join('\n')}\n`);
  const { stderr, exitCode } = await runCli(['status', file]);
  expect(stderr).toContain('The file has more than 100,000 orders.');
  expect(exitCode).toBe(2);
});
