import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/system/sqlite.ts';
import { startStubService } from '../../api/stub-service.ts';
import { admin } from '../../sandbox/admin/admin-client.ts';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';

const orderFlags = ['--phone', '99112233', '--item', 'TEA-1'];
const idFlag = ['--external-order-id', 'UB-1'];

function fileWith(text: string): string {
  const path = join(temporaryDirectory(), 'order.json');
  writeFileSync(path, text);
  return path;
}

describe('an order that is nested too deeply', () => {
  const list = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  it.each<[string, string[], string]>([
    ['in the file', ['--file', `{"meta":${list(490)}}`], 'more than 480 levels deep'],
    [
      'beyond any JSON',
      ['--file', `{"meta":${list(501)}}`],
      '/order.json is nested more than 500 levels deep.',
    ],
    [
      'with many values',
      ['--file', `[${'1,'.repeat(200_000)}1]`],
      '/order.json has more than 200000 values.',
    ],
    ['in --set', ['--set', `meta:=${list(490)}`], 'more than 480 levels deep'],
    ['in --set and its path', ['--set', `a.b.c.d.e.f:=${list(475)}`], 'more than 480 levels deep'],
    ['by its path', ['--set', `${'a.'.repeat(600)}b=1`], 'has more than 16 steps'],
  ])('%s is not sent', async (_, [flag = '', value = ''], problem) => {
    const { cli, sandbox } = await startService();
    const { stdout, stderr, exitCode } = await cli([
      ...['create', ...idFlag, ...orderFlags, '--prepaid'],
      ...[flag, flag === '--file' ? fileWith(value) : value],
    ]);
    expect({ stdout, exitCode, requests: sandbox.requestCount() }).toEqual({
      stdout: '',
      exitCode: 2,
      requests: 0,
    });
    expect(stderr).toContain(problem);
  });
});

describe('create from flags', () => {
  it('creates the order and prints it as the service sent it', async () => {
    const { cli } = await startService();
    const { stdout, stderr, exitCode } = await cli([
      ...[
        'create',
        ...idFlag,
        ...orderFlags,
        '--collect',
        '25000.50',
        '--total',
        '30000',
        '--delivery-date',
        '2030-02-28',
      ],
      ...[
        '--item',
        'sku=TEA-1,quantity:=2',
        '--item',
        'name="Бэлэг, том",price=5000',
        '--set',
        'deliveryAddress.city=Улаанбаатар',
      ],
      '--json',
    ]);
    const order = JSON.parse(stdout);
    expect(order).toMatchObject({
      externalOrderId: 'UB-1',
      customer: { phone: '99112233' },
      items: [{ sku: 'TEA-1' }, { sku: 'TEA-1', quantity: 2 }, { name: 'Бэлэг, том', price: '5000' }],
      collectionMode: 'COLLECT',
      collectionAmount: '25000.50',
      total: '30000',
      requestedDeliveryDate: '2030-02-28',
      deliveryAddress: { city: 'Улаанбаатар' },
    });
    expect({ stderr, exitCode }).toEqual({
      stderr: `Created ${order.orderNumber} (SANDBOX).\n`,
      exitCode: 0,
    });
  });

  it('does not create the order a second time', async () => {
    const { cli } = await startService();
    await cli(['create', ...idFlag, ...orderFlags, '--prepaid']);
    const { stderr, exitCode } = await cli(['create', ...idFlag, ...orderFlags, '--prepaid']);
    expect(stderr).toMatch(
      /^Order ORD-\d+-000001 already exists with the same content\. Nothing was created \(SANDBOX\)\.\n$/,
    );
    expect(exitCode).toBe(0);
    const { stdout } = await cli(['list', '--all', '--json']);
    expect(JSON.parse(stdout).orders).toHaveLength(1);
  });

  it.each(['json', 'ndjson'])('says as %s what became of it, and never sends that', async (format) => {
    const { cli, sandbox } = await startService();
    const create = async (args: string[], stdin = '') => {
      const { stdout } = await cli(['create', ...args, '--format', format], { stdin });
      return JSON.parse(stdout);
    };
    const created = await create([...idFlag, ...orderFlags, '--prepaid']);
    expect(created._outcome).toBe('created');
    const { _outcome, ...order } = created;
    const again = await create([...idFlag, ...orderFlags, '--prepaid']);
    expect(again).toEqual({ ...order, _outcome: 'already_exists' });
    const { customer, items, collectionMode } = order;
    const file = { externalOrderId: 'UB-2', customer, items, collectionMode, _outcome };
    expect(await create(['--file', '-'], JSON.stringify(file))).toMatchObject({ _outcome: 'created' });
    expect(JSON.stringify((await admin(sandbox).get('/orders')).json)).not.toContain('_outcome');
  });

  it('reports an order with the same ID and other content as a conflict', async () => {
    const { cli } = await startService();
    await cli(['create', ...idFlag, ...orderFlags, '--collect', '25000']);
    const { stderr, stdout, exitCode } = await cli([
      'create',
      ...idFlag,
      ...orderFlags,
      '--collect',
      '26000',
    ]);
    expect(stderr).toContain('Order UB-1 already exists with other content (ORD-');
    expect(stderr).toContain('different: collectionAmount');
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
  });

  it('reports every problem of an invalid order and sends nothing', async () => {
    const { cli, sandbox } = await startService();
    const cases: [string[], string][] = [
      [['--set', 'collectionMode=NONE', '--set', 'collectionAmount=5000'], 'collection_amount_not_allowed'],
      [['--set', 'collectionMode=COLLECT'], 'collection_amount_required'],
      [['--collect', '0'], 'collection_amount_required'],
      [['--prepaid', '--delivery-date', '2026-02-29'], 'date_invalid'],
      [['--collect', '1e5'], 'decimal_invalid'],
      [['--collect', '25,000'], 'decimal_invalid'],
      [['--prepaid', '--set', 'total:=25000'], 'decimal_invalid'],
    ];
    for (const [flags, code] of cases) {
      const { stdout, stderr, exitCode } = await cli([
        'create',
        ...idFlag,
        ...orderFlags,
        ...flags,
        '--json',
      ]);
      const { error } = JSON.parse(stderr);
      expect([flags, error.issues.map((issue: { code: string }) => issue.code)]).toEqual([flags, [code]]);
      expect({ stdout, exitCode, code: error.code, outcome: error.outcome }).toEqual({
        stdout: '',
        exitCode: 2,
        code: 'order_invalid',
        outcome: 'not_sent',
      });
    }
    expect(sandbox.requestCount()).toBe(0);
  });

  it('names the flags whose values are wrong', async () => {
    const { cli } = await startService();
    const wrong = ['--phone', 'abc', '--item', 'sku=', '--collect', '45,00', '--delivery-date', '2026-02-30'];
    const { stderr } = await cli(['create', ...idFlag, ...wrong, '--set', 'total=x']);
    expect(stderr).toContain(
      '\nFix --phone, --item, --collect, --delivery-date and run the command again.\n',
    );
    const named = Array.from(stderr.matchAll(/^ {2}([-\w.]+) "/gm), ([, name]) => name);
    expect(named).toEqual(['--phone', '--item', '--collect', 'total', '--delivery-date']);
    const { error } = JSON.parse((await cli(['create', ...idFlag, ...wrong, '--json'])).stderr);
    expect(error.issues[0]).toMatchObject({ path: 'customer.phone' });
    expect(error.issues[0]).not.toHaveProperty('flag');
  });

  it('lists all missing flags when it cannot ask', async () => {
    const { cli, sandbox } = await startService();
    const { stderr, exitCode } = await cli(['create']);
    expect(stderr).toContain(
      '\nAdd --external-order-id ID, --phone PHONE, --item LINE, --collect AMOUNT or --prepaid.\n',
    );
    expect({ exitCode, requests: sandbox.requestCount() }).toEqual({ exitCode: 2, requests: 0 });
  });

  it('rejects --collect together with --prepaid', async () => {
    const { cli } = await startService();
    const { exitCode, stderr } = await cli([
      'create',
      ...idFlag,
      ...orderFlags,
      '--collect',
      '1',
      '--prepaid',
    ]);
    expect(stderr).toBe('error: --collect and --prepaid cannot be used together.\nRemove one of them.\n');
    expect(exitCode).toBe(2);
  });

  it('skips the local checks with --no-checks', async () => {
    const { cli } = await startService();
    const flags = [
      'create',
      ...idFlag,
      ...orderFlags,
      '--set',
      'collectionMode=NONE',
      '--set',
      'collectionAmount=5000',
    ];
    const { stderr, exitCode } = await cli([...flags, '--no-checks', '--json']);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'order_refused',
      serviceCode: 'MERCHANT_API_INVALID_ORDER',
      outcome: 'rejected',
      exitCode: 5,
    });
    expect(exitCode).toBe(5);
  });

  it.each(['Ө', 'two words', ''])(
    'rejects an idempotency key that is not valid in a header: %j',
    async (key) => {
      const { cli, sandbox } = await startService();
      const { exitCode } = await cli([
        'create',
        ...idFlag,
        ...orderFlags,
        '--prepaid',
        '--idempotency-key',
        key,
      ]);
      expect({ exitCode, requests: sandbox.requestCount() }).toEqual({ exitCode: 2, requests: 0 });
    },
  );

  it('requires an external order ID, even with --no-checks', async () => {
    const { cli, sandbox } = await startService();
    const { stderr, exitCode } = await cli(['create', ...orderFlags, '--prepaid', '--no-checks']);
    expect(stderr).toContain('externalOrderId: is missing; give your own order ID');
    expect({ exitCode, requests: sandbox.requestCount() }).toEqual({ exitCode: 2, requests: 0 });
  });

  it('prints the request and sends nothing with --dry-run, even without a key', async () => {
    const { cli, sandbox } = await startService();
    const { stdout, exitCode } = await cli(
      ['create', ...idFlag, ...orderFlags, '--prepaid', '--dry-run', '--json'],
      {
        env: { MERCHANT_ORDERS_API_KEY: '' },
      },
    );
    expect(JSON.parse(stdout)).toEqual({
      method: 'POST',
      url: `${sandbox.baseUrl}/api/v1/merchant/orders`,
      headers: {
        'idempotency-key': expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
      },
      body: {
        externalOrderId: 'UB-1',
        customer: { phone: '99112233' },
        items: [{ sku: 'TEA-1' }],
        collectionMode: 'NONE',
      },
    });
    expect({ exitCode, requests: sandbox.requestCount() }).toEqual({ exitCode: 0, requests: 0 });
  });
});

describe('create from a file', () => {
  it('reads a path or standard input; flags override fields, other fields pass unchanged', async () => {
    const { cli } = await startService();
    const text =
      '{"externalOrderId":"F-1","customer":{"phone":" 99112233 "},"items":[{"sku":"TEA-1","weight":1.10}],"collectionMode":"NONE","priority":12345678901234567890}';
    const fromFile = await cli([
      'create',
      '--file',
      fileWith(text),
      '--total',
      '500',
      '--columns',
      'customer.phone,total,items[0].weight,priority',
      '--no-header',
    ]);
    expect(fromFile.stdout).toBe('99112233\t500\t1.10\t12345678901234567890\n');
    const fromInput = await cli(
      ['create', '--file', '-', '--external-order-id', 'F-2', '--columns', 'externalOrderId', '--no-header'],
      { stdin: text },
    );
    expect(fromInput.stdout).toBe('F-2\n');
  });

  it.each([
    ['{"a":', 'is not JSON'],
    ['[]', 'is not an order'],
    ['"text"', 'is not an order'],
  ])('rejects %s', async (text, problem) => {
    const { cli } = await startService();
    const { stderr, exitCode } = await cli(['create', '--file', fileWith(text)]);
    expect(stderr).toContain(problem);
    expect(exitCode).toBe(2);
  });
});

describe('an unknown outcome of create', () => {
  it('is settled by the printed command', async () => {
    const { env, requests } = await startStubService(() => ({ status: 502, text: '' }));
    const args = ['create', ...idFlag, ...orderFlags, '--set', 'note=to the door', '--prepaid'];
    const { stdout, stderr, exitCode } = await runCli(args, { env });
    expect([stdout, exitCode, requests('POST').length > 0]).toEqual(['', 8, true]);
    const [sentence, facts, , hint] = stderr.split('\n');
    expect(sentence).toContain('error: Order UB-1 ');
    expect(facts).toMatch(/^ {2}\(status 502, idempotency key [0-9a-f-]{36}\)$/);
    expect(hint?.slice(hint.indexOf('merchant-orders'))).toBe(
      "merchant-orders create --external-order-id UB-1 --phone 99112233 --item TEA-1 --set 'note=to the door' --prepaid",
    );
  });
});

describe('a ledger that breaks while an order is sent', () => {
  it('does not hide that the order was created', async () => {
    const configDirectory = temporaryDirectory();
    const created = { id: 'S-1', orderNumber: 'ORD-1' };
    const breakLedger = async () => {
      const ledger = await openDatabase(join(configDirectory, 'ledger.db'));
      ledger.exec('DROP TABLE orders; DROP TABLE runs; DROP TABLE run_orders');
      ledger.close();
    };
    const { env } = await startStubService(({ method }) => (response) => {
      // The other request checks whether this is a sandbox.
      if (method !== 'POST') return void response.writeHead(404).end();
      void breakLedger().then(() => response.writeHead(201).end(JSON.stringify(created)));
    });
    const args = ['create', ...idFlag, ...orderFlags, '--prepaid', '--json'];
    const { stdout, stderr, exitCode } = await runCli(args, { env, configDirectory });
    expect([JSON.parse(stdout), exitCode]).toEqual([{ ...created, _outcome: 'created' }, 0]);
    expect(stderr).toMatch(
      /^Created ORD-1 \((?:LIVE|SANDBOX)\)\.\nwarning: The ledger of past imports cannot be used: .*\n$/,
    );
  });
});
