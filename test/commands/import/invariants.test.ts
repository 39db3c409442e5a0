import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rowsOf, start } from './setup.ts';

const header =
  'externalOrderId,customer.phone,customer.externalCustomerId,items[].sku,collectionMode,deliveryAddress.street';

it.each([
  [
    'customer_id_shared',
    ['A-1,99110001,walk-in,TEA-001,NONE,Peace 1', 'A-2,99110002,walk-in,TEA-001,NONE,Peace 2'],
    ['A-3,99110003,walk-in,TEA-001,NONE,Peace 3'],
  ],
  ['address_missing', ['A-1,99110001,,TEA-001,NONE,', 'A-2,99110002,,TEA-001,NONE,-'], []],
])('%s stops the import, and --on-invalid skip sends the other orders', async (code, refused, more) => {
  const shop = await start('orders.csv');
  const rows = [header, ...refused, ...more, 'B-1,99110009,C-9,TEA-001,NONE,Peace 9'];
  writeFileSync(shop.csv, `${rows.join('\n')}\n`);
  const stopped = await shop.import(['--yes']);
  expect(stopped).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(code) });
  expect(await shop.listed()).toEqual([]);
  expect((await shop.import(['--yes', '--on-invalid', 'skip'])).exitCode).toBe(6);
  expect((await shop.listed()).map(({ externalOrderId }) => externalOrderId)).toEqual(['B-1']);
  const rejects = rowsOf(shop.rejects);
  expect(rejects.map(({ _code }) => _code)).toEqual([...refused, ...more].map(() => code));
});
