import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createStyle } from '../../../src/output/print.ts';
import { startStubService } from '../../api/stub-service.ts';
import { runCli } from '../../support/cli.ts';
import { folderWith, noOrders, start } from './setup.ts';

describe('confirmation', () => {
  it('is required for a live service without a terminal', async () => {
    const shop = await start('import/states.csv');
    const rules = ['--leave-out', 'Status=cancelled', '--leave-out', 'Status=delivered'];
    const { baseUrl, requests } = await startStubService(() => ({ json: { data: [] } }));
    const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: 'mk_live_1' };
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
    const { error } = JSON.parse(asJson.stderr.trimEnd().split('\n').at(-1) ?? '');
    expect([error.code, error.outcome]).toEqual(['confirmation_required', 'not_sent']);
  });

  it('is not required for the sandbox without a terminal', async () => {
    const shop = await start('orders.csv');
    const { stdout, exitCode } = await shop.import();
    expect([stdout, exitCode]).toEqual(['outcome\torders\ncreated\t264\ntotal\t264\n', 0]);
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
        'already paid   no order',
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

  it('remembers what --ignore-rest covers when orders are sent, not by a dry run', async () => {
    const shop = await start('orders.csv');
    const head = 'externalOrderId,customer.phone,items[].sku,collectionMode,Tags';
    writeFileSync(shop.csv, `${head}\nA-1,99112233,TEA-001,NONE,gift\n`);
    const dry = await shop.import(['--ignore-rest', '--dry-run']);
    expect(dry.stderr).not.toContain('remembered');
    const sent = await shop.import(['--ignore-rest', '--yes']);
    expect(sent.stderr).toContain('Not read: Tags. This is remembered as');
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

  it('does not look the same for a live service', async () => {
    const shop = await start('import/states.csv');
    const rules = ['--leave-out', 'Status=cancelled', '--leave-out', 'Status=delivered'];
    const live = { MERCHANT_ORDERS_BASE_URL: 'http://127.0.0.1:9', MERCHANT_ORDERS_API_KEY: 'mk_live_1' };
    const ask = async (env: Record<string, string>) => {
      const { asked, stderr } = await shop.import(rules, { answers: [false, false], env });
      return { asked: asked.at(-1), service: /^service.*$/m.exec(stderr)?.[0] };
    };
    const question = 'create 2 orders, collect 5,000 ₮ from 1 of them, 1 warning?';
    expect(await ask({ ...live, NO_COLOR: '1' })).toEqual({
      asked: `LIVE: ${question}`,
      service: 'service        LIVE: these orders are real, and will be delivered',
    });
    const { bold, red } = createStyle(true);
    expect((await ask(live)).asked).toBe(`${red(bold('LIVE'))}: ${question}`);
    expect(await ask({})).toEqual({
      asked: `SANDBOX: ${question}`,
      service: 'service        sandbox, a rehearsal: nothing is delivered',
    });
  });

  it('names an export that is recognised, and what follows from columns that are ignored', async () => {
    const shop = await start('shops/shopify.csv');
    const flags = [
      '--rows',
      '2,4,7,12,16,31',
      '--ignore-column',
      'Currency',
      '--ignore-column',
      'Cancelled at',
      '--ignore-rest',
    ];
    const { asked, stderr } = await shop.import(flags, { answers: [false], width: 80 });
    const ignored = [
      'Currency: the amounts of 1 order in USD are read as ₮',
      'Cancelled at: 1 cancelled order will be created',
    ];
    expect(asked).toEqual([
      [
        'SANDBOX: create 5 orders as a Shopify orders export, collect 31,700 ₮',
        '  from 2 of them, ignoring Currency: the amounts of 1 order in USD are',
        '  read as ₮, ignoring Cancelled at: 1 cancelled order will be created?',
      ].join('\n'),
    ]);
    const [note = '', preview = ''] = stderr.split(`${shop.csv}   (--details shows everything)\n`);
    expect(note.replace(/\s+/g, ' ').trim()).toBe(
      'Not read: Payment Terms Name, Next Payment Due At. This is remembered as "shopify" for files with these columns.',
    );
    const lines = preview.slice(0, preview.indexOf('\n\n')).split('\n');
    expect(lines[0]).toBe('read as        a Shopify orders export, utf-8, commas between cells');
    expect(lines.slice(5)).toEqual([
      'orders         5 with 6 lines, 225,300 ₮ in total',
      'already paid   3 orders, 193,600 ₮ in total, 1 of them by cash on delivery and',
      '               paid already',
      'to collect     31,700 ₮ from 2 orders',
      'phones         1 phone with several orders',
      'sums           lines add up to the totals in 5 of 5 orders',
      'left out       1: 1 fulfilled',
      'not read       44 columns: Note Attributes, Payment Terms Name and 42 more',
      `ignored        ${ignored[0]}`,
      `               ${ignored[1]}`,
      'service        sandbox, a rehearsal: nothing is delivered',
    ]);
  });

  it('shows all of the preview with --details', async () => {
    const { csv } = folderWith('import/states.csv');
    const rules = ['--leave-out', 'Status=cancelled', '--leave-out', 'Status=delivered'];
    const { stderr, exitCode } = await runCli(['import', csv, ...rules, '--dry-run', '--details']);
    expect(exitCode).toBe(0);
    expect(stderr.slice(stderr.indexOf(csv))).toBe(
      [
        csv,
        'read as        utf-8, commas between cells',
        'columns        Order ID → externalOrderId, Phone → customer.phone, items[].sku,',
        '               items[].quantity:number → items[].quantity, collectionMode,',
        '               collectionAmount',
        'row 2          own id      S-1',
        '               customer    99112233',
        '               items       1 × TEA-001',
        '               to collect  5,000 ₮',
        'row 5          own id      S-4',
        '               customer    +1 212 555 1212',
        '               items       1 × TEA-002',
        '               to collect  nothing (prepaid)',
        'orders         2 with 2 lines',
        'already paid   1 order',
        'to collect     5,000 ₮ from 1 order',
        'left out       3: 2 cancelled, 1 fulfilled',
        'Without an API key the orders were not compared with earlier imports.',
        '3 left out: 2 cancelled, 1 fulfilled.',
        'Nothing was sent.',
        '',
      ].join('\n'),
    );
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
