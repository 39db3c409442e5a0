import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { start } from './setup.ts';

const exports = 'import/exports';

/** The orders of the service, by external order ID. */
async function listed(shop: Awaited<ReturnType<typeof start>>) {
  const orders = await shop.listed();
  return orders.sort((left, right) => (`${left.externalOrderId}` < `${right.externalOrderId}` ? -1 : 1));
}

describe('any export', () => {
  it('gets a rejects file that the same command reads, with the title lines above the header', async () => {
    const shop = await start(`${exports}/title-lines.csv`);
    shop.edit('deliveryAddress.city', 'customer.phone');
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
    const command = /and run:\n {2}merchant-orders (.*)$/m.exec(stderr)?.[1] ?? '';
    expect(command).toContain('--header-row 3');
    const fixed = await shop.run(['import', shop.rejects, ...flags, '--set', 'customer.phone=99112233']);
    expect(fixed.stdout).toBe('outcome\torders\ncreated\t2\ntotal\t2\n');
  });

  it.each([
    [['--map-column', 'Phone'], 2, "Expected 'Header=path'."],
    [['--encoding', 'klingon'], 2, 'Expected a known encoding, such as utf-8 or windows-1251.'],
    [
      ['--encoding', 'shift_jis'],
      2,
      'orders.csv is not shift_jis text.\nName another --encoding, or save it as "CSV UTF-8".\n',
    ],
    [['--preset', 'etzy'], 2, 'shopify'],
    [['--include', 'unpaid'], 2, 'Choose instead: --unpaid collect or --unpaid prepaid.'],
    [['--include', 'all'], 2, 'Expected one of cancelled, voided'],
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
});
