import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultPaths } from '../../src/orders/unnamed-fields.ts';
import { type CliOptions, runCli, temporaryDirectory } from '../support/cli.ts';
import { startService } from '../support/service.ts';

const shop = { baseUrl: 'https://shop.mn', apiKey: 'mk_live_0001' };
const other = { baseUrl: 'http://127.0.0.1:4010', apiKey: 'sandbox_other_0002' };

/** A configuration with these profiles, and commands that use it. */
function startWith(configuration: object = { currentProfile: 'shop', profiles: { shop, other, empty: {} } }) {
  const configDirectory = temporaryDirectory();
  const path = join(configDirectory, 'config.json');
  mkdirSync(configDirectory, { recursive: true });
  writeFileSync(path, JSON.stringify(configuration), { mode: 0o600 });
  const stored = () => JSON.parse(readFileSync(path, 'utf8'));
  const run = (args: string[], options: CliOptions = {}) => runCli(args, { configDirectory, ...options });
  return { configDirectory, path, stored, run };
}

describe('profiles', () => {
  it('lists them without their keys, in every format', async () => {
    const { run } = startWith();
    const records = [
      { name: 'shop', current: true, service: 'LIVE', baseUrl: shop.baseUrl, apiKey: '…0001' },
      { name: 'other', current: false, service: 'SANDBOX', baseUrl: other.baseUrl, apiKey: '…0002' },
      { name: 'empty', current: false, service: null, baseUrl: null, apiKey: null },
    ];
    const json = await run(['profiles', '--json']);
    expect([JSON.parse(json.stdout), json.stderr, json.exitCode]).toEqual([{ profiles: records }, '', 0]);
    const ndjson = await run(['profiles', '--format', 'ndjson']);
    expect(
      ndjson.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(records);
    expect((await run(['profiles', '--format', 'csv'])).stdout).toBe(
      [
        'name,current,service,baseUrl,apiKey',
        'shop,true,LIVE,https://shop.mn,…0001',
        'other,false,SANDBOX,http://127.0.0.1:4010,…0002',
        'empty,false,,,',
        '',
      ].join('\n'),
    );
    expect((await run(['profiles', '--columns', 'name', '--no-header'])).stdout).toBe('shop\nother\nempty\n');
    const table = await run(['profiles'], { width: 100 });
    expect(table.stdout).toContain('https://shop.mn');
    expect(table.stdout).not.toContain('mk_live');
  });

  it('removes one with all that it has, and nothing else', async () => {
    const { run, stored } = startWith();
    expect((await run(['profiles', 'remove', 'other'])).stderr).toBe(
      'Removed profile other (http://127.0.0.1:4010, key …0002, SANDBOX).\n',
    );
    expect(stored()).toEqual({ currentProfile: 'shop', profiles: { shop, empty: {} } });
    expect((await run(['profiles', 'remove', 'shop'])).stderr).toBe(
      'Removed profile shop (https://shop.mn, key …0001, LIVE).\nTo choose another, run:\n  merchant-orders profiles use empty\n',
    );
    expect(stored()).toEqual({ profiles: { empty: {} } });
    expect((await run(['whoami'])).exitCode).toBe(4);
  });

  it.each([['use'], ['remove'], ['fields']])('%s knows only profiles that exist', async (verb) => {
    const { run, stored } = startWith();
    const before = stored();
    for (const name of ['shpo', 'constructor', '__proto__']) {
      const { stdout, stderr, exitCode } = await run(['profiles', verb, name]);
      expect([stdout, stderr, exitCode]).toEqual([
        '',
        `error: There is no profile "${name}".\nThe profiles are: shop, other, empty.\n`,
        2,
      ]);
    }
    expect(stored()).toEqual(before);
  });
});

describe('profiles fields', () => {
  it('shows where each field is sent, and who said so', async () => {
    const { run } = startWith({ profiles: { shop: { ...shop, fields: { note: 'comment' } } } });
    const { stdout, stderr, exitCode } = await run(['profiles', 'fields', 'shop', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      fields: Object.entries(defaultPaths).map(([field, path]) =>
        field === 'note'
          ? { field, path: 'comment', known: 'set in the profile' }
          : { field, path, known: 'not known yet' },
      ),
    });
    expect([stderr, exitCode]).toEqual(['', 0]);
    const table = await run(['profiles', 'fields', 'shop']);
    expect(table.stdout.split('\n').slice(0, 2)).toEqual([
      'field\tpath\tknown',
      'quantity\titems[].quantity\tnot known yet',
    ]);
  });

  it('stores paths, keeps the others, and restores a default', async () => {
    const { run, stored } = startWith();
    const { stdout, stderr, exitCode } = await run([
      ...['profiles', 'fields', 'shop', 'quantity=items[].qty', 'note = comment', '--format', 'csv'],
    ]);
    expect([stderr, exitCode]).toEqual(['Stored in profile shop.\n', 0]);
    expect(stdout).toContain('quantity,items[].qty,set in the profile\n');
    const fields = { quantity: 'items[].qty', note: 'comment' };
    expect(stored().profiles.shop).toEqual({ ...shop, fields });
    await run(['profiles', 'fields', 'shop', 'quantity=', 'price=items[].unitPrice']);
    expect(stored().profiles.shop.fields).toEqual({ note: 'comment', price: 'items[].unitPrice' });
    await run(['profiles', 'fields', 'shop', 'note=', 'price=']);
    expect(stored()).toEqual({ currentProfile: 'shop', profiles: { shop, other, empty: {} } });
  });

  it('means the profile in use without a name, also one that has no key', async () => {
    const { run, stored } = startWith({ profiles: {} });
    await run(['profiles', 'fields', 'note=comment']);
    await run(['profiles', 'fields', 'night', 'note=a', '--profile', 'night']);
    await run(['profiles', 'fields', 'note=b'], { env: { MERCHANT_ORDERS_PROFILE: 'ci' } });
    expect(stored().profiles).toEqual({
      default: { fields: { note: 'comment' } },
      night: { fields: { note: 'a' } },
      ci: { fields: { note: 'b' } },
    });
  });

  it.each([
    [['qty=items[].qty'], '"qty" is not one of the fields quantity, price,'],
    [['quantity=qty'], 'quantity belongs to each line'],
    [['quantity=items[].qty', 'note'], 'A field and its path need "=" between them'],
    [['quantity=items[].unitPrice'], 'would overwrite each other'],
    [['note=comment'], 'name (comment) and note (comment) would overwrite each other'],
    [['__proto__=note'], '"__proto__" is not one of the fields'],
  ])('refuses %j, and stores nothing', async (assignments, problem) => {
    const { run, stored } = startWith({ profiles: { shop: { fields: { name: 'comment' } } } });
    const before = stored();
    const { stdout, stderr, exitCode } = await run(['profiles', 'fields', 'shop', ...assignments]);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toMatch(/^error: .*\.\nSee: merchant-orders profiles fields --help\n$/);
    expect(stderr).toContain(problem);
    expect(stored()).toEqual(before);
  });

  it('survives logout and a login to the same service, but not one to another', async () => {
    const [one, two] = [await startService(), await startService()];
    const { run, stored } = startWith({ profiles: {} });
    const login = ({ sandbox }: typeof one) =>
      run(['login', '--base-url', sandbox.baseUrl, '--with-key'], { stdin: sandbox.apiKey });
    await run(['profiles', 'fields', 'note=comment']);
    await login(one);
    expect(stored().profiles.default.fields).toEqual({ note: 'comment' });
    await run(['logout']);
    await login(one);
    expect(stored().profiles.default.fields).toEqual({ note: 'comment' });
    await login(two);
    expect(stored().profiles.default).toEqual({ baseUrl: two.sandbox.baseUrl, apiKey: two.sandbox.apiKey });
  });
});

describe('create', () => {
  const order = [
    ...['create', '--external-order-id', 'UB-1', '--phone', '99112233', '--prepaid', '--json'],
    ...['--item', 'sku=TEA-1,quantity:=2', '--set', 'deliveryAddress.city=Улаанбаатар'],
  ];
  const fields = { quantity: 'items[].qty', 'address.city': 'delivery.city' };
  const moved = { items: [{ sku: 'TEA-1', qty: 2 }], delivery: { city: 'Улаанбаатар' } };

  it('sends the fields where the profile says, as the dry run shows it', async () => {
    const { env } = await startService();
    const { run } = startWith({ profiles: { default: { fields } } });
    const dry = await run([...order, '--dry-run'], { env });
    const { body } = JSON.parse(dry.stdout);
    expect(body).toMatchObject(moved);
    expect(Object.keys(body)).not.toContain('deliveryAddress');
    const created = JSON.parse((await run(order, { env })).stdout);
    expect(created.items).toEqual(moved.items);
    expect((await run(order, { env })).stderr).toContain('already exists with the same content');
    expect(JSON.parse((await run(['list', '--json'], { env })).stdout).total).toBe(1);
  });

  it('sends nothing when another value is in the place', async () => {
    const { env, sandbox } = await startService();
    const { run } = startWith({ profiles: { default: { fields } } });
    const { stdout, stderr, exitCode } = await run([...order, '--set', 'delivery.city=Дархан'], { env });
    expect([stdout, exitCode, sandbox.requestCount()]).toEqual(['', 2, 0]);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'order_invalid',
      message: '"delivery.city" has another value already, and the profile sends another field there.',
      outcome: 'not_sent',
    });
  });

  it('stores the language of a terminal', async () => {
    const configDirectory = temporaryDirectory();
    const run = (words: string[], env = {}) =>
      runCli(words, { configDirectory, answers: [], env: { NO_COLOR: '1', ...env } });
    expect((await run(['profiles', 'language', 'mn'])).stderr).toBe('Хадгаллаа: Монгол.\n');
    expect((await run(['profiles'])).stderr).toMatch(/^Профайл алга\. Хадгалах бол:/);
    const named = await run(['profiles', 'language', 'en'], { MERCHANT_ORDERS_LANG: 'mn' });
    expect(named.stderr).toContain('MERCHANT_ORDERS_LANG');
    expect((await run(['profiles'])).stderr).toMatch(/^No profiles\. To store one, run:/);
    expect((await run(['profiles', 'language', 'de'])).exitCode).toBe(2);
  });
});
