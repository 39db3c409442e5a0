import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { folderWith, noOrders, start } from './setup.ts';

describe('confirmation', () => {
  it('is required without a terminal', async () => {
    const shop = await start('orders.csv');
    const { stdout, stderr, exitCode } = await shop.import();
    expect({ stdout, exitCode, requests: shop.sandbox.requestCount(), files: shop.files() }).toEqual({
      stdout: '',
      exitCode: 2,
      requests: 0,
      files: ['orders.csv'],
    });
    expect(stderr.slice(stderr.indexOf('error:'))).toBe(
      `error: The import needs a confirmation, but there is no terminal. Nothing was sent.\nTo send without confirmation, run: merchant-orders import ${shop.csv} --yes\n`,
    );
    const { error } = JSON.parse((await shop.import(['--json'])).stderr.trimEnd().split('\n').at(-1) ?? '');
    expect([error.code, error.outcome]).toEqual(['confirmation_required', 'not_sent']);
  });

  it('is requested below a preview at a terminal; "no" sends nothing', async () => {
    const shop = await start('orders.csv');
    const { asked, stdout, stderr, exitCode } = await shop.import([], {
      answers: [false],
      env: { NO_COLOR: '1' },
    });
    expect({ asked, stdout, exitCode, requests: shop.sandbox.requestCount(), files: shop.files() }).toEqual({
      asked: ['SANDBOX: create 264 orders, collect 19,340,669 ₮ from 127 of them?'],
      stdout: '',
      exitCode: 2,
      requests: 0,
      files: ['orders.csv'],
    });
    const lines = stderr.split('\n');
    expect(lines.slice(0, 7)).toEqual([
      shop.csv,
      'read as        utf-8, commas between cells',
      'service        SANDBOX',
      'orders         264 with 535 lines',
      'total          44,016,280 ₮',
      'to collect     19,340,669 ₮',
      'delivery       2030-01-10 to 2032-02-29',
    ]);
    expect(lines).toContain(
      'fields         externalOrderId, customer.phone, customer.externalCustomerId, items[].sku, collectionMode, collectionAmount, total, requestedDeliveryDate',
    );
    expect(lines).toContain('  customer.name: З.Цэрэндулам');
    expect(lines.at(-2)).toBe('Nothing was sent.');
  });

  it('is requested below warnings, the columns that are not sent and the orders that already exist', async () => {
    const shop = await start('orders.csv');
    const row = (id: string, phone: string, total: string) =>
      `${id},${phone},TEA-001,COLLECT,${total},${total},vip\n`;
    writeFileSync(
      shop.csv,
      `Order ID,Phone,items[].sku,collectionMode,collectionAmount,total,Tags\n${row('A-1', '99112233', '5000')}${row('A-2', '+1 212 555 1212', '2500.50')}`,
    );
    await shop.import(['--limit', '1', '--yes']);
    const { asked, stdout, stderr, exitCode } = await shop.import([], {
      answers: [false],
      env: { NO_COLOR: '1' },
    });
    expect({ asked, stdout, exitCode }).toEqual({
      asked: ['SANDBOX: create 1 order, collect 2,500.50 ₮, 1 warning?'],
      stdout: '',
      exitCode: 2,
    });
    expect(stderr).toBe(
      [
        'warning: row 3  order A-2  column B Phone → customer.phone  phone_implausible',
        '  value    +1 212 555 1212',
        '  problem  does not look like a phone number of Mongolia',
        '  fix      check it; it is sent as it is',
        '',
        shop.csv,
        'read as        utf-8, commas between cells',
        'service        SANDBOX',
        'orders         2 with 2 lines',
        'total          7,500.50 ₮',
        'to collect     7,500.50 ₮',
        'already exist  1',
        'fields         Order ID → externalOrderId, Phone → customer.phone, items[].sku, collectionMode, collectionAmount, total',
        'not sent       Tags',
        'first order',
        '  items[0].sku: TEA-001',
        '  externalOrderId: A-1',
        '  customer.phone: 99112233',
        '  collectionMode: COLLECT',
        '  collectionAmount: 5000',
        '  total: 5000',
        '',
        'Nothing was sent.',
        '',
      ].join('\n'),
    );
  });

  it('starts the import', async () => {
    const shop = await start('orders.csv');
    const { asked, exitCode } = await shop.import(['--limit', '1'], { answers: [true] });
    expect({ asked, exitCode, created: (await shop.listed()).length }).toEqual({
      asked: ['SANDBOX: create 1 order, collect 302,251.50 ₮?'],
      exitCode: 0,
      created: 1,
    });
  });

  it('counts only the orders that do not exist yet', async () => {
    const shop = await start('orders.csv');
    await shop.import(['--limit', '2', '--yes']);
    const { asked, stderr } = await shop.import(['--limit', '5'], { answers: [true] });
    expect(asked).toEqual(['SANDBOX: create 3 orders, collect 76,500 ₮ from 1 of them?']);
    expect(stderr).toContain('\nalready exist  2\n');
    const { asked: again } = await shop.import(['--limit', '5'], { answers: [] });
    expect(again).toEqual([]);
  });
});

describe('--dry-run', () => {
  it('needs no key and no service, and writes nothing', async () => {
    const { csv, configDirectory, files } = folderWith('orders.csv');
    const { stdout, stderr, exitCode } = await runCli(['import', csv, '--dry-run', '--json'], {
      configDirectory,
    });
    const { plan, ...summary } = JSON.parse(stdout);
    expect(plan).toMatchObject({
      encoding: 'utf-8',
      delimiter: ',',
      notes: [],
      lines: 535,
      unsent: [],
      total: '44016280',
      toCollect: '19340669',
      lastDate: '2032-02-29',
      firstOrder: { externalOrderId: 'UB-10001', items: { length: 5 } },
    });
    expect(plan.mapping).toContainEqual({
      header: 'items[].quantity:number',
      path: 'items[].quantity',
      isExtra: true,
    });
    expect(summary).toEqual({
      file: csv,
      run: expect.any(String),
      profile: null,
      sandbox: false,
      dryRun: true,
      rows: 535,
      orders: { ...noOrders, total: 264, not_sent: 264 },
      leftOut: { total: 0, byReason: {} },
      warnings: [],
      results: null,
      rejects: null,
      durationMs: expect.any(Number),
      exitCode: 0,
    });
    expect(stderr).toContain('\norders         264 with 535 lines\n');
    expect(stderr).toMatch(
      /\nWithout an API key the orders were not compared with earlier imports\.\nNothing was sent\.\n$/,
    );
    expect({ exitCode, files: files(), hasConfiguration: existsSync(configDirectory) }).toEqual({
      exitCode: 0,
      files: ['orders.csv'],
      hasConfiguration: false,
    });
  });

  it('shows each order as it would be sent', async () => {
    const { csv, configDirectory } = folderWith('orders.csv');
    const args = ['import', csv, '--dry-run', '--format', 'ndjson', '--limit', '2'];
    const { stdout } = await runCli(args, { configDirectory });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({
      row: 2,
      externalOrderId: 'UB-10001',
      outcome: 'not_sent',
      attempts: 0,
      request: { externalOrderId: 'UB-10001', items: [{ sku: 'SWT-004' }, {}, {}, {}, {}] },
    });
    expect(lines[2].dryRun).toBe(true);
  });

  it('compares with earlier imports when there is a key', async () => {
    const shop = await start('orders.csv');
    await shop.import(['--limit', '2', '--yes']);
    const { stdout, exitCode } = await shop.import(['--limit', '5', '--dry-run', '--json']);
    expect(JSON.parse(stdout).orders).toEqual({ ...noOrders, total: 5, already_exists: 2, not_sent: 3 });
    expect([exitCode, shop.sandbox.requestCount()]).toEqual([0, 2]);
  });

  it('shows what must be fixed, and writes no rejects', async () => {
    const { csv, configDirectory, files } = folderWith('orders-invalid.csv');
    const { stdout, stderr, exitCode } = await runCli(['import', csv, '--dry-run', '--json'], {
      configDirectory,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      orders: { ...noOrders, total: 26, invalid: 18, not_sent: 8 },
      exitCode: 2,
    });
    expect(stderr).toContain('row 4  order bad-phone-letters  column C customer.phone  phone_invalid\n');
    expect([exitCode, files()]).toEqual([2, ['orders-invalid.csv']]);
  });
});
