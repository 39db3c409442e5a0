import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { readTable } from '../../../src/import/read/read-table.ts';
import { listService } from '../../api/list-services.ts';
import { startStubService } from '../../api/stub-service.ts';
import { allRows, sourceOf } from '../../import/tables.ts';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { installDebianPackages } from '../../support/debian.ts';
import { saveAsWorkbook } from '../../support/libreoffice.ts';

beforeAll(() => installDebianPackages(['libreoffice-calc']), 600_000);

const phones = ['99112233', '+97699112233', '099112233', '9.91E+07', '99112233;88112233'];
const names = ['Батбаяр, "Өргөө"', 'two\nlines', '=1+1', '@SUM(1)', '-5'];

it('is read by LibreOffice with every text as it was', { timeout: 120_000 }, async () => {
  const orders = phones.map((phone, index) => ({
    id: `S-${index}`,
    orderNumber: `ORD-2026-00000${index}`,
    createdAt: '2026-11-20T12:00:00Z',
    customer: { phone, name: names[index] },
    collectionAmount: '25000.50',
    requestedDeliveryDate: '2026-11-25',
  }));
  const respond = listService({ envelope: 'items, limit', count: orders.length, orders });
  const { env } = await startStubService(respond);
  const file = join(temporaryDirectory(), 'orders.csv');
  await runCli(['list', '--output', file], { env });
  const table = await readTable(sourceOf(saveAsWorkbook(file)), {}, { forOrders: true });
  const cells = (await allRows(table)).map((row) => row.cells);
  const columnOf = (name: string) => {
    const index = table.header.cells.indexOf(name);
    return cells.map((row) => row[index]);
  };
  expect(columnOf('customer.phone')).toEqual(phones);
  expect(columnOf('customer.name')).toEqual(names);
  expect(columnOf('orderNumber')).toEqual(orders.map(({ orderNumber }) => orderNumber));
  expect(columnOf('collectionAmount')).toEqual(Array(5).fill('25000.5'));
  expect(columnOf('requestedDeliveryDate')).toEqual(Array(5).fill('2026-11-25'));
  expect(columnOf('created_date')).toEqual(Array(5).fill('2026-11-20'));
  expect(readFileSync(file, 'utf8').charCodeAt(0)).toBe(0xfeff);
});
