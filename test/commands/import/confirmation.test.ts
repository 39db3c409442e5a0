import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startStubService } from '../../api/stub-service.ts';
import { errorIn, runCli } from '../../support/cli.ts';
import { folderWith, noOrders, start } from './setup.ts';

describe('confirmation', () => {
  it('is required for a live service without a terminal', async () => {
    const shop = await start('import/states.csv');
    const rules = ['--leave-out', 'Status=cancelled', '--leave-out', 'Status=delivered'];
    const { env: stub, requests } = await startStubService(() => ({ json: { data: [] } }));
    const env = { ...stub, MERCHANT_ORDERS_API_KEY: 'mk_live_1' };
    const { stdout, stderr, exitCode } = await shop.import(rules, { env });
    expect({ stdout, exitCode, posts: requests('POST'), files: shop.files() }).toEqual({
      stdout: '',
      exitCode: 2,
      posts: [],
      files: ['states.csv'],
    });
    expect(stderr.slice(stderr.indexOf('error:'))).toBe(
      'error: The import must be confirmed, and the program cannot ask questions here. Nothing was sent.\n' +
        `To send without confirmation, run:\n  merchant-orders import ${shop.csv} ${rules.join(' ')} --yes\n`,
    );
    const asJson = await shop.import([...rules, '--json'], { env });
    const error = errorIn(asJson.stderr);
    expect([error.code, error.outcome]).toEqual(['confirmation_required', 'not_sent']);
  });

  it('says in the embedded sandbox that SKUs are not checked, while it has the catalogue of the program', async () => {
    const { csv, configDirectory } = folderWith('import/states.csv');
    writeFileSync(
      csv,
      'externalOrderId,customer.phone,items[].sku,collectionMode\nA-1,99112233,OWN-1,NONE\n',
    );
    const { stderr, exitCode } = await runCli(['import', csv, '--sandbox'], {
      answers: [true],
      configDirectory,
    });
    expect(stderr).toContain(
      'SKUs are not checked: this sandbox has the catalogue that comes with the program.',
    );
    expect(exitCode).toBe(0);
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
    expect(lines).toEqual([
      `${shop.csv}   (--details shows everything)`,
      'read as        utf-8, commas between cells',
      'first orders   UB-10001 (row 2) to 90615743, З.Цэрэндулам: 3 × Шоколад, 70 хувийн 90 г + 2 × Халуун сав 1 л and 3 more;',
      '               collect 302,251.50 ₮; Улаанбаатар, Хан-Уул дүүрэг, Өргөө гудамж 49/1, 8 давхар',
      '               UB-10002 (row 7) to 8922 0115, Л.Үйлсболд: 2 × Эсгий шаахай, 38 размер + 4 × Шоколад, 70 хувийн 90 г;',
      '               collect 134,602 ₮; Улаанбаатар, Налайх дүүрэг, 12-р хороо, Зүүн Ард Аюушийн өрг…; 2030-01-10',
      'orders         264 with 535 lines, 44,016,280 ₮ in total',
      'already paid   137 orders, 22,812,553 ₮ in total',
      'to collect     19,340,669 ₮ from 127 orders',
      'delivery       2030-01-10 to 2032-02-29',
      'phones         60 phones with several orders',
      'sums           lines add up to the totals in 264 of 264 orders',
      'service        sandbox, a rehearsal: nothing is delivered',
      '',
      'Nothing was sent.',
      '',
    ]);
  });

  it('is requested below warnings, the columns that are not sent and the orders that already exist', async () => {
    const shop = await start('orders.csv');
    const row = (id: string, phone: string, total: string) =>
      `${id},${phone},TEA-001,COLLECT,${total},${total},vip\n`;
    writeFileSync(
      shop.csv,
      `Order ID,Phone,items[].sku,collectionMode,collectionAmount,total,Tags\n${row('A-1', '99112233', '5000')}${row('A-2', '+1 212 555 1212', '2500.50')}`,
    );
    await shop.import(['--limit', '1', '--yes', '--ignore-rest']);
    const { asked, stdout, stderr, exitCode } = await shop.import(['--ignore-rest'], {
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
        `${shop.csv}   (--details shows everything)`,
        'read as        mapping orders (remembered), utf-8, commas between cells',
        'first orders   A-1 (row 2) to 99112233: TEA-001; collect 5,000 ₮; no address',
        '               A-2 (row 3) to +1 212 555 1212: TEA-001; collect 2,500.50 ₮; no address',
        'orders         2 with 2 lines, 7,500.50 ₮ in total',
        'already paid   none',
        'to collect     7,500.50 ₮ from 2 orders',
        'not read       1 column: Tags',
        'warnings       Phone "+1 212 555 1212" does not look like a phone number of Mongolia (row 3)',
        'already exist  1 order',
        'service        sandbox, a rehearsal: nothing is delivered',
        '',
        'Nothing was sent.',
        '',
      ].join('\n'),
    );
    // Without a preview they are shown as whole as errors.
    const warned = 'warning: row 3  order A-2  column B Phone → customer.phone  phone_implausible\n';
    const sent = await shop.import(['--yes', '--ignore-rest']);
    expect(sent.stderr.split(warned)).toHaveLength(2);
    const details = await shop.import(['--dry-run', '--details', '--ignore-rest']);
    expect(details.stderr.split('implausible')).toHaveLength(2);
  });

  it('is no when somebody only presses Enter', async () => {
    const shop = await start('orders.csv');
    const { stderr, exitCode } = await shop.import(['--limit', '1'], { answers: [''] });
    expect(stderr).toContain('Nothing was sent.');
    expect({ exitCode, created: await shop.listed() }).toEqual({ exitCode: 2, created: [] });
  });

  it('starts the import', async () => {
    const shop = await start('orders.csv');
    const { asked, exitCode } = await shop.import(['--limit', '1'], { answers: ['үүсгэ'] });
    expect({ asked, exitCode, created: (await shop.listed()).length }).toEqual({
      asked: ['SANDBOX: create 1 order, collect 302,251.50 ₮?'],
      exitCode: 0,
      created: 1,
    });
  });

  it('sends no example of the template to a live service, also with --yes', async () => {
    const shop = await start('orders.csv');
    const { stdout: template } = await runCli(['import', '--template']);
    const live = { MERCHANT_ORDERS_BASE_URL: 'http://127.0.0.1:9', MERCHANT_ORDERS_API_KEY: 'mk_live_1' };
    writeFileSync(shop.csv, template);
    const { stderr, exitCode } = await shop.import(['--yes'], { env: live });
    expect(stderr).toContain('still has an example of the template, EXAMPLE-1 in row 2. Nothing was sent.');
    expect(exitCode).toBe(2);
    // In the sandbox they may be tried out.
    expect((await shop.import(['--yes'])).stderr).not.toContain('example');
  });

  it('counts only the orders that do not exist yet', async () => {
    const shop = await start('orders.csv');
    await shop.import(['--limit', '2', '--yes']);
    const { asked, stderr } = await shop.import(['--limit', '5'], { answers: [true] });
    expect(asked).toEqual(['SANDBOX: create 3 orders, collect 76,500 ₮ from 1 of them?']);
    expect(stderr).toContain('\nalready exist  2 orders\n');
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
      shop: null,
      lines: 535,
      prepaid: 137,
      shippingMethods: {},
      collecting: 127,
      paidOnDelivery: 0,
      sums: { compared: 264, agreeing: 264 },
      ignored: [],
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
      twice: 0,
      leftOut: { total: 0, byReason: {} },
      warnings: [],
      results: null,
      rejects: null,
      durationMs: expect.any(Number),
      exitCode: 0,
    });
    expect(stderr).toContain('\norders         264 with 535 lines, 44,016,280 ₮ in total\n');
    expect(stderr).toMatch(
      /\nWithout an API key the orders were not compared with earlier imports\.\nNothing was sent\.\n$/,
    );
    expect({ exitCode, files: files(), hasConfiguration: existsSync(configDirectory) }).toEqual({
      exitCode: 0,
      files: ['orders.csv'],
      hasConfiguration: false,
    });
  });

  it('compares with earlier imports when there is a key', async () => {
    const shop = await start('orders.csv');
    await shop.import(['--limit', '2', '--yes']);
    const { stdout, exitCode } = await shop.import(['--limit', '5', '--dry-run', '--json']);
    expect(JSON.parse(stdout).orders).toEqual({ ...noOrders, total: 5, already_exists: 2, not_sent: 3 });
    // Two creates, and the list that was read before them.
    expect([exitCode, shop.sandbox.requestCount()]).toEqual([0, 3]);
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
