import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ReceivedRequest, type Reply, startStubService } from '../../api/stub-service.ts';
import { type CliOptions, runCli, temporaryDirectory } from '../../support/cli.ts';
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
const command =
  "profiles fields default 'quantity=items[].quantity' 'item=items[].name' address.street=deliveryAddress.street address.city=deliveryAddress.city";

/** A service that stores what it is sent, under a key of the live service, and commands that use it. */
async function startLive(header = shopifyHeader, ...rows: string[]) {
  const created: Record<string, unknown>[] = [];
  const respond = ({ method, body, query }: ReceivedRequest): Reply => {
    if (method === 'POST') {
      const order = { ...JSON.parse(body), id: `S-${created.length + 1}` };
      if (created.some((one) => one.externalOrderId === order.externalOrderId)) return { status: 409 };
      created.push(order);
      return { status: 201, json: order };
    }
    return { json: { data: created.filter((one) => one.externalOrderId === query.externalOrderId) } };
  };
  const { baseUrl } = await startStubService(respond);
  const directory = temporaryDirectory();
  const configDirectory = temporaryDirectory();
  const csv = join(directory, 'orders.csv');
  const write = (...lines: string[]) => writeFileSync(csv, `${lines.join('\n')}\n`);
  write(header, ...(rows.length === 0 ? [shopifyRow('#1')] : rows));
  const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: 'mk_live_0123456789' };
  const run = (args: string[], options: CliOptions = {}) =>
    runCli(args, { configDirectory, ...options, env: { ...env, NO_COLOR: '1', ...options.env } });
  return {
    created,
    csv,
    write,
    run,
    configDirectory,
    import: (args: string[], options?: CliOptions) => run(['import', csv, ...args], options),
    profiles: () => JSON.parse(readFileSync(join(configDirectory, 'config.json'), 'utf8')).profiles,
    store: (profiles: object) =>
      writeFileSync(join(configDirectory, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 }),
  };
}

const placesQuestion = 'Does your platform expect them there? (asked only once)';
const createQuestion = 'LIVE: create 1 order?';

describe('fields that the interface does not name, before the first live import', () => {
  it('are confirmed once at a terminal', async () => {
    const live = await startLive();
    const { asked, stderr, exitCode } = await live.import(shopify, { answers: [true, true] });
    expect({ asked, exitCode, created: live.created.length }).toEqual({
      asked: [placesQuestion, createQuestion],
      exitCode: 0,
      created: 1,
    });
    expect(stderr).toContain(
      [
        "The service's documentation does not say where it expects quantity, item, address.street and address.city. They will be\nsent as",
        '  quantity        items[].quantity',
        '  item            items[].name',
        '  address.street  deliveryAddress.street',
        '  address.city    deliveryAddress.city',
        'To change that:\n  merchant-orders profiles fields default quantity=PATH',
        '',
      ].join('\n'),
    );
    expect(live.profiles()).toEqual({ default: { fields } });
    live.write(shopifyHeader, shopifyRow('#2'));
    expect((await live.import(shopify, { answers: [true] })).asked).toEqual([createQuestion]);
    expect((await live.import([...shopify, '--yes'])).exitCode).toBe(0);
    expect(live.created.map(({ externalOrderId }) => externalOrderId)).toEqual(['#1', '#2']);
  });

  it('are asked about again when an order carries another one', async () => {
    const live = await startLive();
    await live.import(shopify, { answers: [true, true] });
    live.write(shopifyHeader, shopifyRow('#2', 'хаалга 5'));
    const { asked, stderr } = await live.import(shopify, { answers: [true, true] });
    expect(asked).toEqual([placesQuestion, createQuestion]);
    expect(stderr).toContain('where it expects note. They will be sent as\n  note  deliveryAddress.note\n');
    expect(live.profiles().default.fields).toEqual({ ...fields, note: 'deliveryAddress.note' });
  });

  it('are not sent after "no", and not stored', async () => {
    const live = await startLive();
    const { asked, stderr, exitCode } = await live.import(shopify, { answers: [false] });
    expect({ asked, exitCode, created: live.created }).toEqual({
      asked: [placesQuestion],
      exitCode: 2,
      created: [],
    });
    expect(stderr).toMatch(
      /\nNothing was sent\.\nSet where your platform expects them, then start again:\n {2}merchant-orders profiles fields default quantity=PATH\n$/,
    );
    expect(() => live.profiles()).toThrow();
  });

  it.each<[string, string[], CliOptions]>([
    ['without a terminal', ['--yes'], {}],
    ['without a terminal and without --yes', [], {}],
    ['with --yes at a terminal', ['--yes'], { answers: [], width: 200 }],
    ['with --no-input', ['--yes', '--no-input'], { answers: [], width: 200 }],
  ])('stop the import %s', async (_, flags, options) => {
    const live = await startLive();
    const { stdout, stderr, asked, exitCode } = await live.import([...shopify, ...flags], options);
    expect({ stdout, asked, exitCode, created: live.created }).toEqual({
      stdout: '',
      asked: [],
      exitCode: 2,
      created: [],
    });
    expect(stderr.slice(stderr.indexOf('error:'))).toBe(
      `error: The service's documentation does not say where it expects quantity, item, address.street and address.city, and the paths have not been confirmed. Nothing was sent.\nRun this once, with other paths if your platform expects them elsewhere, then start again:\n  merchant-orders ${command}\n`,
    );
    const json = await live.import([...shopify, ...flags, '--json'], options);
    expect(JSON.parse(json.stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'fields_unconfirmed',
      outcome: 'not_sent',
      exitCode: 2,
    });
  });

  it('are confirmed by the command that the error names', async () => {
    const live = await startLive();
    const words = command.replaceAll("'", '').split(' ');
    expect((await live.run(words)).exitCode).toBe(0);
    expect(live.profiles()).toEqual({ default: { fields } });
    expect((await live.import([...shopify, '--yes'])).exitCode).toBe(0);
    expect(live.created).toHaveLength(1);
    await live.run(['profiles', 'fields', 'default', 'quantity=']);
    live.write(shopifyHeader, shopifyRow('#2'));
    const { stderr, exitCode } = await live.import([...shopify, '--yes']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("\n  merchant-orders profiles fields default 'quantity=items[].quantity'\n");
  });

  it('are confirmed for the profile in use', async () => {
    const live = await startLive();
    live.store({ night: { fields } });
    const { exitCode } = await live.import([...shopify, '--yes']);
    expect(exitCode).toBe(2);
    const env = { MERCHANT_ORDERS_PROFILE: 'night' };
    expect((await live.import([...shopify, '--yes'], { env })).exitCode).toBe(0);
  });

  it('are sent with a configuration that cannot be written, and asked about again', async () => {
    const live = await startLive();
    live.store({});
    const path = join(live.configDirectory, 'config.json');
    renameSync(path, `${path}.mounted`);
    symlinkSync(`${path}.mounted`, path);
    const { stderr, exitCode } = await live.import(shopify, { answers: [true, true] });
    expect([exitCode, live.created.length]).toEqual([0, 1]);
    expect(stderr).toMatch(
      /\nwarning: [^:]*: it is a link to\s[^,]*, and links[^.]*\.\sThe\splaces[^.]*again\.\n/,
    );
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
    const live = await startLive(header, ...rows);
    const { stderr, exitCode } = await live.import([...flags, '--yes']);
    expect([stderr.includes('fields'), exitCode, live.created.length]).toEqual([false, 0, 1]);
  });

  it('need none for a dry run, nor in a sandbox', async () => {
    const live = await startLive();
    expect((await live.import([...shopify, '--dry-run'])).exitCode).toBe(0);
    expect((await live.import([...shopify, '--sandbox', '--yes'], { env: {} })).exitCode).toBe(6);
    const { env, sandbox } = await startService();
    expect((await live.import([...shopify, '--yes'], { env })).exitCode).toBe(0);
    expect(sandbox.requestCount()).toBeGreaterThan(0);
    expect(live.created).toEqual([]);
  });

  it('need none when all orders exist already', async () => {
    const live = await startLive();
    live.store({ default: { fields } });
    await live.import([...shopify, '--yes']);
    live.store({});
    const { stdout, exitCode } = await live.import([...shopify, '--yes']);
    expect([stdout, exitCode]).toEqual(['outcome\torders\nalready_exists\t1\ntotal\t1\n', 0]);
  });
});

describe('places of the profile', () => {
  const places = { quantity: 'items[].qty', 'address.city': 'delivery.city' };
  const own = { ...fields, ...places, 'address.street': 'delivery.street' };

  it('are those of the preview, of the request, of the ledger and of later imports', async () => {
    const live = await startLive();
    live.store({ default: { fields: own } });
    const dry = await live.import([...shopify, '--dry-run', '--format', 'ndjson']);
    const [line = ''] = dry.stdout.split('\n');
    const sent = {
      items: [{ sku: 'TEA-1', qty: 2, name: 'Цай' }],
      delivery: { street: 'Энхтайвны 5', city: 'Улаанбаатар' },
    };
    expect(JSON.parse(line).request).toMatchObject(sent);
    expect(dry.stderr).toContain(
      ': 2 × Цай; prepaid, total 8,900 ₮;\n               Улаанбаатар, Энхтайвны 5\n',
    );
    const details = await live.import([...shopify, '--dry-run', '--details']);
    expect(details.stderr).toContain('Lineitem quantity → items[].qty');
    expect((await live.import([...shopify, '--yes'])).exitCode).toBe(0);
    expect(live.created[0]).toMatchObject(sent);
    expect(live.created[0]).not.toHaveProperty('deliveryAddress');
    const again = await live.import([...shopify, '--yes']);
    expect(again.stdout).toBe('outcome\torders\nalready_exists\t1\ntotal\t1\n');
  });

  it('also take the values of dotted headers, of scattered rows and of numbered lines', async () => {
    const header = `${ownHeader},items[2].sku,items[2].quantity:number`;
    const live = await startLive(
      header,
      `${ownRow},TEA-3,7`,
      'UB-2,99112234,TEA-1,1,,NONE,,',
      'UB-1,,TEA-2,5,,,,',
    );
    live.store({ default: { fields: places } });
    expect((await live.import(['--yes'])).exitCode).toBe(0);
    expect(live.created.map(({ items }) => items)).toEqual([
      [
        { sku: 'TEA-1', qty: 2 },
        { sku: 'TEA-2', qty: 5 },
        { sku: 'TEA-3', qty: 7 },
      ],
      [{ sku: 'TEA-1', qty: 1 }],
    ]);
  });

  it('are not used for another field: the order is invalid', async () => {
    const live = await startLive(`${ownHeader},delivery.city`, `${ownRow},Дархан`);
    live.store({ default: { fields: places } });
    const { stderr, exitCode } = await live.import(['--yes']);
    expect([exitCode, live.created]).toEqual([2, []]);
    expect(stderr).toContain('row 2  order UB-1  path_conflict\n');
    expect(stderr).toContain(
      '"delivery.city" has another value already, and the profile sends another field there\n',
    );
  });

  it('make an order that exists one with other content', async () => {
    const live = await startLive(ownHeader, ownRow);
    await live.import(['--yes']);
    live.store({ default: { fields: places } });
    const { stdout, exitCode } = await live.import(['--yes']);
    expect([stdout, exitCode]).toEqual(['outcome\torders\nconflict\t1\ntotal\t1\n', 6]);
  });
});

describe('an order that exists', () => {
  it.each([
    ['another quantity', ownRow.replace(',2,', ',3,'), 'items[].quantity'],
    ['another address', ownRow.replace('Улаанбаатар', 'Дархан'), 'deliveryAddress.city'],
  ])('is a conflict with %s, also without the ledger', async (_, row, field) => {
    const live = await startLive(ownHeader, ownRow);
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
    expect([exitCode, live.created.length]).toEqual([6, 1]);
  });
});
