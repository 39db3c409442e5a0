import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../import/tables.ts';
import { rowsOf, start } from './setup.ts';

const mapping = fixture('import/exports/cash-on-delivery.mapping.json');
const exports = 'import/exports';

/** The orders of the service, by external order ID. */
async function listed(shop: Awaited<ReturnType<typeof start>>) {
  const orders = await shop.listed();
  return orders.sort((left, right) => (`${left.externalOrderId}` < `${right.externalOrderId}` ? -1 : 1));
}

describe('the export of Shopify', () => {
  it('is imported with its preset and a mapping of the amounts', async () => {
    const shop = await start(`${exports}/shopify-orders-export.csv`);
    const flags = ['--preset', 'shopify', '--map', mapping, '--on-invalid', 'skip', '--yes'];
    const { stdout, stderr, exitCode } = await shop.import(flags);
    expect({ stdout, exitCode }).toEqual({
      stdout: 'outcome\torders\ncreated\t2\ninvalid\t1\ntotal\t3\n',
      exitCode: 6,
    });
    expect(stderr).toContain('1 row is skipped, as the mapping says.\n');
    expect(stderr).toContain(
      'row 5 (line 6)  order #2003  column F Shipping Method  pickup_not_deliverable\n',
    );
    expect(rowsOf(shop.rejects).map(({ Name, _row, _code }) => [Name, _row, _code])).toEqual([
      ['#2003', '5', 'pickup_not_deliverable'],
    ]);
    const [first, second, ...others] = await listed(shop);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      externalOrderId: '#2001',
      customer: { phone: '99112233', name: 'Б.Болд' },
      items: [
        { sku: 'TEA-001', name: 'Сүүтэй цай, 30 ширхэг', quantity: 2, unitPrice: '8900.00' },
        { sku: 'MLK-002', quantity: 1 },
      ],
      collectionMode: 'COLLECT',
      collectionAmount: '35600.00',
      total: '35600.00',
      deliveryAddress: {
        street: 'Сөүлийн гудамж 12, 4',
        city: 'Улаанбаатар',
        postalCode: '14200',
        country: 'MN',
        note: 'Хаалганы код 12\nутасдаарай',
      },
    });
    expect(second).toMatchObject({
      externalOrderId: '#2002',
      collectionMode: 'NONE',
      total: '8900.00',
      customer: { phone: '+976 8811 4455' },
    });
    expect(second).not.toHaveProperty('collectionAmount');
    expect(first).not.toHaveProperty('customer.email');
  });

  it('warns of orders that were imported before under another spelling of the ID', async () => {
    const shop = await start(`${exports}/shopify-orders-export.csv`);
    const flags = ['--preset', 'shopify', '--map', mapping, '--rows', '2-4', '--yes'];
    await shop.import(flags);
    const stripped = JSON.parse(readFileSync(mapping, 'utf8'));
    stripped.columns.externalOrderId = { from: 'Name', strip_prefix: '#' };
    writeFileSync(shop.path('other.json'), JSON.stringify(stripped));
    const again = ['--preset', 'shopify', '--map', shop.path('other.json'), '--rows', '2-4'];
    const warning =
      'warning: 2 orders were imported before under another spelling of the ID and would be created again: 2001 (imported as #2001), 2002 (imported as #2002)\n';
    expect((await shop.import([...again, '--dry-run'])).stderr).toContain(warning);
    const { stderr, exitCode } = await shop.import(again);
    expect(stderr).toContain(warning);
    expect(exitCode).toBe(2);
    expect((await shop.import([...flags, '--dry-run'])).stderr).not.toContain('another spelling');
  });

  it('warns of amounts that are not in the currency of the service', async () => {
    const shop = await start(`${exports}/shopify-orders-export.csv`);
    shop.edit('pending,MNT', 'pending,EUR');
    const { stderr } = await shop.import([
      '--preset',
      'shopify',
      '--set',
      'collectionMode=NONE',
      '--dry-run',
    ]);
    expect(stderr).toContain(
      'warning: row 2  order #2001  column D Currency  currency_not_mnt\n  value    EUR\n',
    );
  });
});

describe('the export of WooCommerce', () => {
  it('is imported with its preset', async () => {
    const shop = await start(`${exports}/woocommerce-orders-export.csv`);
    const flags = [
      '--preset',
      'woocommerce',
      '--set',
      'collectionMode=NONE',
      '--on-invalid',
      'skip',
      '--yes',
    ];
    const { stdout, exitCode } = await shop.import(flags);
    expect({ stdout, exitCode }).toEqual({
      stdout: 'outcome\torders\ncreated\t2\ninvalid\t1\ntotal\t3\n',
      exitCode: 6,
    });
    expect(rowsOf(shop.rejects, ';').map(({ _row, _code }) => [_row, _code])).toEqual([
      ['5', 'pickup_not_deliverable'],
    ]);
    const [first] = await listed(shop);
    expect(first).toMatchObject({
      externalOrderId: '501',
      customer: { phone: '99112233', name: 'Болд Бат' },
      items: [
        { sku: 'TEA-001', quantity: 2 },
        { sku: 'TEA-002', unitPrice: '8900' },
      ],
      total: '26700',
      collectionMode: 'NONE',
      deliveryAddress: { street: 'Сөүлийн гудамж 12, 4 тоот', city: 'Улаанбаатар' },
    });
  });
});

describe('any export', () => {
  it('is read with the given encoding', async () => {
    const shop = await start(`${exports}/windows-1251-sep-line.csv`);
    const flags = [
      '--encoding',
      'cp1251',
      '--set',
      'collectionMode=NONE',
      '--set',
      'customer.phone=99112233',
    ];
    const { stdout, exitCode } = await shop.import([...flags, '--set', 'items[0].name=Tea', '--yes']);
    expect({ stdout, exitCode }).toEqual({ stdout: 'outcome\torders\ncreated\t2\ntotal\t2\n', exitCode: 0 });
    expect((await listed(shop)).map(({ deliveryAddress }) => deliveryAddress)).toEqual([
      { city: 'Улаанбаатар' },
      { city: 'Дархан' },
    ]);
  });

  it('is read in windows-1251 when it begins with я, the first byte of a UTF-16 mark', async () => {
    const shop = await start('orders.csv');
    const text =
      'явка;externalOrderId;customer.phone;items[0].name;collectionMode\n1;A-1;99112233;Чай;NONE\n';
    const bytes = [...text].map((letter) => {
      const code = letter.charCodeAt(0);
      return code < 0x80 ? code : code - 0x410 + 0xc0;
    });
    writeFileSync(shop.csv, Buffer.from(bytes));
    const { exitCode, stderr } = await shop.import([
      '--encoding',
      'windows-1251',
      '--map-column',
      'явка=note',
      '--yes',
    ]);
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('UTF-16')]);
    expect((await listed(shop)).map(({ items }) => items)).toEqual([[{ name: 'Чай' }]]);
  });

  it('gets a rejects file that the same command reads, with the title lines above the header', async () => {
    const shop = await start(`${exports}/title-lines.csv`);
    const flags = [
      '--header-row',
      '3',
      '--set',
      'collectionMode=NONE',
      '--set',
      'items[0].name=Tea',
      '--yes',
    ];
    const { stderr, exitCode } = await shop.import(flags);
    expect(exitCode).toBe(2);
    const command = /and run: {2}merchant-orders (.*)$/m.exec(stderr)?.[1] ?? '';
    expect(command).toContain('--header-row 3');
    const fixed = await shop.run(['import', shop.rejects, ...flags, '--set', 'customer.phone=99112233']);
    expect(fixed.stdout).toBe('outcome\torders\ncreated\t2\ntotal\t2\n');
  });

  it('reports values that are sent in another spelling', async () => {
    const shop = await start('orders.csv');
    shop.edit('302251.50,302251.50,,', '"302,251.5","302,251.5",2030/3/7,');
    const { stderr, exitCode } = await shop.import(['--decimal', 'dot', '--yes', '--limit', '1']);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('302,251.5 is sent as 302251.50.\n');
    expect(stderr).toContain('2030/3/7 is sent as 2030-03-07.\n');
    expect(await listed(shop)).toMatchObject([{ total: '302251.50', requestedDeliveryDate: '2030-03-07' }]);
  });

  it('can be mapped by column', async () => {
    const shop = await start('orders.csv');
    shop.edit('externalOrderId,customer.name,customer.phone', 'Number=1,customer.name,Call');
    const flags = [
      '--map-column',
      'Number=1=externalOrderId',
      '--map-column',
      'call=customer.phone',
      '--yes',
    ];
    expect((await shop.import([...flags, '--limit', '3', '--json'])).exitCode).toBe(0);
    expect((await listed(shop)).map(({ externalOrderId }) => externalOrderId)).toContain('UB-10001');
  });

  it.each([
    [['--map-column', 'Phone'], 2, "Expected 'Header=path'."],
    [['--encoding', 'klingon'], 2, 'Expected a known encoding, such as utf-8 or windows-1251.'],
    [
      ['--encoding', 'shift_jis'],
      2,
      'orders.csv is not shift_jis text.\nName another --encoding, or save it as "CSV UTF-8".\n',
    ],
    [['--preset', 'magento'], 2, 'shopify, woocommerce'],
    [['--decimal', 'dash'], 2, 'dot, comma'],
    [['--date-order', 'ydm'], 2, 'ymd, dmy, mdy'],
    [['--map', 'none.json'], 2, 'none.json cannot be read: it does not exist.'],
  ])('is rejected with %j', async (flags, code, problem) => {
    const shop = await start('orders.csv');
    const { stderr, exitCode } = await shop.import([...flags, '--yes']);
    expect([exitCode, shop.sandbox.requestCount()]).toEqual([code, 0]);
    expect(stderr).toContain(problem);
  });
});

describe('--template', () => {
  it('prints a file that can be imported unchanged', async () => {
    const shop = await start('orders.csv');
    const { stdout, stderr, exitCode } = await shop.run(['import', '--template']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    writeFileSync(shop.csv, stdout);
    const imported = await shop.import(['--yes']);
    expect({ stdout: imported.stdout, stderr: imported.stderr, exitCode: imported.exitCode }).toEqual({
      stdout: 'outcome\torders\ncreated\t2\ntotal\t2\n',
      stderr: `Results: ${shop.results}\n`,
      exitCode: 0,
    });
    expect((await listed(shop)).map(({ items }) => items.length)).toEqual([2, 1]);
  });

  it('is suggested when no file is given', async () => {
    const { run } = await start('orders.csv');
    const { stderr, exitCode } = await run(['import']);
    expect({ stderr, exitCode }).toEqual({
      stderr:
        'error: Which file should be imported?\n' +
        'Run: merchant-orders import orders.csv --dry-run   (--template prints an example file)\n',
      exitCode: 2,
    });
  });
});
