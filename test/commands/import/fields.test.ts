import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BehaviourSettings } from '../../../src/sandbox/behaviour/schema.ts';
import { type CliOptions, errorIn, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startLiveService } from '../../support/live-service.ts';
import { startService } from '../../support/service.ts';

const shopifyHeader =
  'Name,Financial Status,Fulfillment Status,Currency,Total,Shipping Method,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Street,Shipping City,Shipping Phone,Notes';
const shopifyRow = (id: string, notes = '') =>
  `${id},paid,unfulfilled,MNT,8900,Courier,2,Цай,TEA-1,Энхтайвны 5,Улаанбаатар,99112233,${notes}`;
const shopify = ['--preset', 'shopify'];
const ownHeader =
  'externalOrderId,customer.phone,items[].sku,items[].quantity:number,deliveryAddress.city,collectionMode';
const ownRow = 'UB-1,99112233,TEA-1,2,Улаанбаатар,NONE';

const fields = {
  quantity: 'items[].quantity',
  item: 'items[].name',
  'address.street': 'deliveryAddress.street',
  'address.city': 'deliveryAddress.city',
};

/** A live service, and commands that import a file into it. */
async function startLive(options: { behaviour?: BehaviourSettings; header?: string; rows?: string[] } = {}) {
  const { behaviour, header = shopifyHeader, rows = [shopifyRow('#1')] } = options;
  const { env, baseUrl, apiKey, ...service } = await startLiveService(behaviour);
  const directory = temporaryDirectory();
  const configDirectory = temporaryDirectory();
  const csv = join(directory, 'orders.csv');
  const write = (...lines: string[]) => writeFileSync(csv, `${lines.join('\n')}\n`);
  write(header, ...rows);
  const run = (args: string[], more: CliOptions = {}) =>
    runCli(args, { configDirectory, ...more, env: { ...env, NO_COLOR: '1', ...more.env } });
  return {
    orders: service.orders,
    baseUrl,
    apiKey,
    csv,
    write,
    run,
    configDirectory,
    import: (args: string[], more?: CliOptions) => run(['import', csv, ...args], more),
    fieldPaths: async () => {
      const { stdout } = await run(['profiles', 'fields', '--format', 'json']);
      const { fields: all } = JSON.parse(stdout);
      return Object.fromEntries(
        all.flatMap((one: Record<string, string>) =>
          one.known === 'not known yet' ? [] : [[one.field, `${one.path}: ${one.known}`]],
        ),
      );
    },
    store: (profiles: object) =>
      writeFileSync(join(configDirectory, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 }),
  };
}

const createQuestion = 'LIVE: create 1 order?';
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
const whatNow = 'What does the platform show?';

const shownBefore = {
  quantity: 'items[].quantity: shown by an order',
  'address.street': 'deliveryAddress.street: shown by an order',
  'address.city': 'deliveryAddress.city: shown by an order',
  item: 'items[].name: shown by an order',
};

describe('fields that the interface does not name', () => {
  it('are shown by the first order, which goes alone, and are known from then on', async () => {
    const rows = [
      shopifyRow('#1').replace(',2,Цай', ',1,Цай'),
      shopifyRow('#2'),
      shopifyRow('#3', 'хаалга 5'),
    ];
    const live = await startLive({ rows });
    const { asked, stderr, exitCode } = await live.import(shopify, {
      answers: [true],
    });
    expect({ asked, exitCode }, stderr).toEqual({
      asked: ['LIVE: create 3 orders, the first one alone?'],
      exitCode: 0,
    });
    expect(onOneLine(stderr)).toContain(
      'No order has shown yet that this service takes the quantity and the address. Order #3 is sent first and alone; the others follow when it shows them.',
    );
    expect((await live.orders()).map(({ externalOrderId }) => externalOrderId)[0]).toBe('#3');
    expect(await live.fieldPaths()).toEqual({
      ...shownBefore,
      note: 'deliveryAddress.note: shown by an order',
    });
    live.write(shopifyHeader, shopifyRow('#4'));
    expect((await live.import(shopify, { answers: [true] })).asked).toEqual([createQuestion]);
    live.write(shopifyHeader, shopifyRow('#5'));
    expect((await live.import([...shopify, '--yes'])).exitCode).toBe(0);
    expect(await live.orders()).toHaveLength(5);
  });

  it.each<[string, string[], CliOptions]>([
    ['without a terminal', ['--yes'], {}],
    ['without a terminal and without --yes', [], {}],
    ['with --yes at a terminal', ['--yes'], { answers: [], width: 200 }],
    ['with --no-input', ['--yes', '--no-input'], { answers: [], width: 200 }],
  ])('stop the import %s', async (_, flags, options) => {
    const live = await startLive();
    const { stdout, stderr, asked, exitCode } = await live.import([...shopify, ...flags], options);
    expect({ stdout, asked, exitCode, orders: await live.orders() }).toEqual({
      stdout: '',
      asked: [],
      exitCode: 2,
      orders: [],
    });
    expect(stderr.slice(stderr.indexOf('error:'))).toBe(
      "error: The service's documentation does not say where it expects the quantity and the address, and no order has shown it yet. Nothing was sent.\nAsk your platform. Then store the paths:\n  merchant-orders profiles fields quantity=PATH address.street=PATH address.city=PATH\nor, if it takes them at the default paths:\n  merchant-orders profiles fields --default\n",
    );
    const json = await live.import([...shopify, ...flags, '--json'], options);
    expect(errorIn(json.stderr)).toMatchObject({
      code: 'fields_unconfirmed',
      outcome: 'not_sent',
      exitCode: 2,
    });
  });

  it('are confirmed by the command that the error names, for the key of the environment', async () => {
    const live = await startLive();
    const confirmed = await live.run(['profiles', 'fields', '--default']);
    expect(confirmed).toMatchObject({ exitCode: 0, stderr: 'Stored for the API key in use.\n' });
    expect((await live.fieldPaths()).note).toBe('deliveryAddress.note: set for the API key');
    expect((await live.import([...shopify, '--yes'])).exitCode).toBe(0);
    expect(await live.orders()).toHaveLength(1);
    await live.run(['profiles', 'fields', 'quantity=']);
    live.write(shopifyHeader, shopifyRow('#2'));
    const { stderr, exitCode } = await live.import([...shopify, '--yes']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('\n  merchant-orders profiles fields quantity=PATH\n');
    const other = await live.run(['profiles', 'fields', 'quantity=items[].qty', '--default']);
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be used together') });
  });

  it.each<[string, string, string[], string[]]>([
    ['which the header names', ownHeader, [ownRow], []],
    [
      'which --map-column names',
      'externalOrderId,customer.phone,items[].sku,Qty,collectionMode',
      ['UB-1,99112233,TEA-1,2,NONE'],
      ['--map-column', 'Qty=items[].quantity:number'],
    ],
    [
      'which --set names',
      'externalOrderId,customer.phone,items[].sku,collectionMode',
      ['UB-1,99112233,TEA-1,NONE'],
      ['--set', 'deliveryAddress.city=Улаанбаатар'],
    ],
  ])('need no confirmation at a place %s', async (_, header, rows, flags) => {
    const live = await startLive({ header, rows });
    const { stderr, exitCode } = await live.import([...flags, '--yes']);
    expect([stderr.includes('fields'), exitCode]).toEqual([false, 0]);
    expect(await live.orders()).toHaveLength(1);
  });

  it('need none for a dry run, nor in a sandbox', async () => {
    const live = await startLive();
    expect((await live.import([...shopify, '--dry-run'])).exitCode).toBe(0);
    expect((await live.import([...shopify, '--sandbox', '--yes'], { env: {} })).exitCode).toBe(0);
    const { env, sandbox } = await startService();
    expect((await live.import([...shopify, '--yes'], { env })).exitCode).toBe(0);
    expect(sandbox.requestCount()).toBeGreaterThan(0);
    expect(await live.orders()).toEqual([]);
  });
});

describe('a service that drops these fields', () => {
  const behaviour: BehaviourSettings = { orders: { fieldsBeyond: 'dropped' } };
  const rows = ['#1', '#2', '#3'].map((id) => shopifyRow(id));
  const start = () => startLive({ behaviour, rows });
  const notShown = 'is sent first and alone';

  it('gets one order, which is cancelled, and none of the others', async () => {
    const live = await start();
    const { stdout, stderr, asked, exitCode } = await live.import(shopify, {
      answers: [true, { pick: 'it is not there: cancel' }],
    });
    expect({ stdout, exitCode }).toEqual({
      stdout: expect.stringMatching(/created +1\nnot sent +2\nall +3\n$/),
      exitCode: 6,
    });
    expect(asked).toEqual(['LIVE: create 3 orders, the first one alone?', whatNow]);
    expect(stderr).toContain(notShown);
    expect(onOneLine(stderr)).toMatch(
      /ORD-\d{4}-000001 was created, but the service does not show the quantity and the address that it was sent with\. Open it on the platform, and see whether it is there\./,
    );
    expect(stderr).toMatch(
      /\nerror: ORD-\d{4}-000001 was created without the quantity and the address, and cancelled\.\sNothing more was sent\.\n/,
    );
    expect((await live.orders()).map(({ status }) => status)).toEqual(['CANCELLED']);
    expect((await live.fieldPaths())['address.street']).toBe('deliveryAddress.street: not shown by an order');
    const scheduled = await live.import([...shopify, '--yes', '--json']);
    expect(errorIn(scheduled.stderr)).toMatchObject({
      code: 'fields_not_shown',
      message:
        'An earlier order showed that the service drops the quantity and the address. Nothing was sent.',
      exitCode: 2,
    });
    expect(await live.orders()).toHaveLength(1);
    const known = await live.run(['profiles', 'fields', '--json']);
    expect(JSON.parse(known.stdout).fields).toContainEqual(
      expect.objectContaining({ field: 'quantity', known: 'not shown by an order' }),
    );
  });

  it('gets all of them when a person saw the fields on the platform, which is remembered', async () => {
    const live = await start();
    const { exitCode, stderr } = await live.import(shopify, { answers: [true, { pick: 'it is there' }] });
    expect(exitCode, stderr).toBe(0);
    expect(await live.orders()).toHaveLength(3);
    expect((await live.fieldPaths()).quantity).toBe('items[].quantity: set for the API key');
    live.write(shopifyHeader, shopifyRow('#4'));
    expect((await live.import([...shopify, '--yes'])).exitCode).toBe(0);
  });

  it('gets no more when nobody can say, or after Ctrl-C, and the order stays', async () => {
    for (const answer of [{ pick: 'I cannot say' }, { leave: true } as const]) {
      const live = await start();
      const { stderr, exitCode } = await live.import(shopify, { answers: [true, answer] });
      expect(exitCode).toBe(6);
      expect(stderr).toMatch(/cancel the order:\n {2}merchant-orders cancel ORD-\d{4}-000001\n/);
      expect((await live.orders()).map(({ status }) => status)).toEqual(['CONFIRMED']);
    }
  });
});

describe('a service that keeps these fields under another path', () => {
  const behaviour: BehaviourSettings = {
    orders: { fieldsBeyond: 'moved', cancelFreesExternalOrderId: true },
  };

  it('takes a path that a person names, which the next order shows', async () => {
    const rows = ['#1', '#2'].map((id) => shopifyRow(id));
    const live = await startLive({ behaviour, rows });
    const first = await live.import(shopify, {
      answers: [true, { pick: 'it is not there, and belongs' }, 'items[].platform.quantity'],
    });
    expect(first.asked.slice(1)).toEqual([
      whatNow,
      'Path of the quantity (Enter leaves it as items[].quantity)',
    ]);
    expect(first.stderr).toContain('Orders of the platform carry:\n  items[].platform.quantity   2\n');
    expect(first.stderr).toContain('--recreate-cancelled');
    expect((await live.fieldPaths()).quantity).toBe('items[].platform.quantity: chosen, and not shown yet');
    expect((await live.import([...shopify, '--yes'])).exitCode).toBe(2);
    const second = await live.import([...shopify, '--recreate-cancelled'], { answers: [true] });
    expect([second.exitCode, second.asked], second.stderr).toEqual([
      0,
      ['LIVE: create 2 orders, the first one alone?'],
    ]);
    expect((await live.fieldPaths()).quantity).toBe('items[].platform.quantity: shown by an order');
    const sent = (await live.orders()).filter(({ status }) => status === 'CONFIRMED');
    expect(sent.map(({ items }) => items)).toMatchObject([
      [{ platform: { quantity: 2 } }],
      [{ platform: { quantity: 2 } }],
    ]);
  });
});

describe('paths of the profile', () => {
  const fieldPaths = { quantity: 'items[].qty', 'address.city': 'shipTo.city' };
  const own = { ...fields, ...fieldPaths, 'address.street': 'shipTo.street' };

  it('are those of the preview, of the request, of the ledger and of later imports', async () => {
    const live = await startLive();
    live.store({ default: { fields: own } });
    const dry = await live.import([...shopify, '--dry-run', '--format', 'ndjson']);
    const [line = ''] = dry.stdout.split('\n');
    const sent = {
      items: [{ sku: 'TEA-1', qty: 2, name: 'Цай' }],
      shipTo: { street: 'Энхтайвны 5', city: 'Улаанбаатар' },
    };
    expect(JSON.parse(line).request).toMatchObject(sent);
    expect(dry.stderr).toContain(
      ': 2 × Цай; prepaid, total 8,900 ₮;\n               Улаанбаатар, Энхтайвны 5\n',
    );
    const details = await live.import([...shopify, '--dry-run', '--details']);
    expect(details.stderr).toContain('Lineitem quantity → items[].qty');
    expect((await live.import([...shopify, '--yes'])).exitCode).toBe(0);
    expect((await live.orders())[0]).toMatchObject(sent);
    expect((await live.orders())[0]).not.toHaveProperty('deliveryAddress');
    const again = await live.import([...shopify, '--yes']);
    expect(again.stdout).toBe('outcome\torders\nalready_exists\t1\ntotal\t1\n');
  });
});

describe('an order that exists', () => {
  it.each([
    ['another quantity', ownRow.replace(',2,', ',3,'), 'items[].quantity'],
    ['another address', ownRow.replace('Улаанбаатар', 'Дархан'), 'deliveryAddress.city'],
  ])('is a conflict with %s, also without the ledger', async (_, row, field) => {
    const live = await startLive({ header: ownHeader, rows: [ownRow] });
    await live.import(['--yes']);
    const withoutLedger = { configDirectory: temporaryDirectory() };
    const same = await live.import(['--yes', '--format', 'ndjson'], withoutLedger);
    expect(JSON.parse(same.stdout.split('\n')[0] ?? '')).toMatchObject({ outcome: 'already_exists' });
    live.write(ownHeader, row);
    const other = { configDirectory: temporaryDirectory() };
    const { stdout, exitCode } = await live.import(['--yes', '--format', 'ndjson'], other);
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
      outcome: 'conflict',
      message: expect.stringContaining(`different: ${field}`),
    });
    expect([exitCode, (await live.orders()).length]).toEqual([6, 1]);
  });
});
