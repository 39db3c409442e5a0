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

it('a column of a mapping that is not to be read stops the import, but not one that is ignored anyway', async () => {
  const shop = await start('orders.csv');
  const rows = ['Order,Phone,SKU,Нийт,Төлсөн,Tags', 'A-1,99110001,TEA-001,40000,10000,a'];
  writeFileSync(shop.csv, `${[...rows, 'A-2,99110002,TEA-001,80000,,b'].join('\n')}\n`);
  const imports = (flag: string, lists: object) => {
    const columns = {
      externalOrderId: 'Order',
      'customer.phone': 'Phone',
      'items[].sku': 'SKU',
      total: 'Нийт',
    };
    const map = `${shop.csv}.json`;
    writeFileSync(map, JSON.stringify({ columns, amount_due: 'Нийт', ...lists }));
    return shop.import(['--map', map, flag]);
  };
  const stopped = await imports('--yes', { ignore: ['Төлсөн', 'Tags'] });
  expect(stopped).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/Төлсөн {2}column_unread/) });
  expect(await shop.listed()).toEqual([]);
  const lists = { ignore: ['Tags'], ignore_anyway: ['Төлсөн'] };
  const { stderr } = await imports('--dry-run', lists);
  const effect = 'Төлсөн: 40,000 ₮ will be collected from 1 order, not 10,000 ₮ or 30,000 ₮';
  expect(stderr.replace(/\s+/g, ' ')).toContain(`ignored ${effect}`);
  expect((await imports('--yes', lists)).exitCode).toBe(0);
  expect((await shop.listed()).map(({ collectionAmount }) => Number(collectionAmount)).sort()).toEqual([
    40000, 80000,
  ]);
});

it('--allow-without-address sends the orders that it names, and only orders of the file', async () => {
  const shop = await start('orders.csv');
  const rows = [
    'A-1,99110001,,TEA-001,NONE,',
    'A-2,99110002,,TEA-001,NONE,-',
    'B-1,99110009,,TEA-001,NONE,Peace 9',
  ];
  writeFileSync(shop.csv, `${[header, ...rows].join('\n')}\n`);
  const allow = (id: string) => ['--allow-without-address', id];
  const unknown = await shop.import([...allow('A-9'), '--yes']);
  expect([unknown.exitCode, unknown.stderr.includes('order_unknown'), await shop.listed()]).toEqual([
    2,
    true,
    [],
  ]);
  const partly = await shop.import([...allow('A-1'), '--on-invalid', 'skip', '--yes']);
  expect([partly.exitCode, partly.stderr.includes('--allow-without-address ID')]).toEqual([6, true]);
  expect(rowsOf(shop.rejects).map(({ externalOrderId }) => externalOrderId)).toEqual(['A-2']);
  // The flag of the command that is printed names an order that the rejects no longer have.
  const rest = await shop.run(['import', shop.rejects, ...allow('A-1'), ...allow('A-2'), '--yes']);
  expect([rest.exitCode, (await shop.listed()).length]).toEqual([0, 3]);
});
