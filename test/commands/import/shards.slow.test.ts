import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli.ts';
import { runProgram, startServedSandbox } from '../../support/program.ts';
import { countBy, fixRejects, folderWith, noOrders, rowsOf, start } from './setup.ts';

const shards = [1, 2, 3, 4];
/** The number of orders of `orders.csv` in each of four shards. */
const sizes = [74, 61, 63, 66];

const namesOf = (kind: string) => shards.map((number) => `orders.${number}of4.${kind}.csv`);
const idsOf = (path: string) => rowsOf(path).map((row) => row.external_order_id ?? '');

describe('the shards of a file', () => {
  it('import the whole file in processes that share a ledger', async () => {
    const served = await startServedSandbox();
    const { csv, path, files } = folderWith('orders.csv');
    const env = { MERCHANT_ORDERS_BASE_URL: served.baseUrl, MERCHANT_ORDERS_API_KEY: served.apiKey };
    const configDirectory = temporaryDirectory();
    const ended = await Promise.all(
      shards.map((number) =>
        runProgram(['import', csv, '--shard', `${number}/4`, '--yes', '--json'], { env, configDirectory }),
      ),
    );
    expect(ended.map(({ stdout, exitCode }) => [JSON.parse(stdout).orders.created, exitCode])).toEqual(
      sizes.map((size) => [size, 0]),
    );
    expect(files()).toEqual([...namesOf('results'), 'orders.csv'].sort());
    const inResults = namesOf('results').flatMap((name) => idsOf(path(name)));
    const { orders, requests } = await served.ledger();
    expect([orders.map(({ commits }) => commits), requests]).toEqual([Array(264).fill(1), 264 + 4]);
    expect([...inResults].sort()).toEqual(orders.map(({ externalOrderId }) => externalOrderId).sort());
  });

  it('list orders beyond --limit in their results, but no orders of other shards', async () => {
    const shop = await start('orders.csv');
    const { stdout } = await shop.import(['--shard', '2/4', '--limit', '3', '--yes', '--json']);
    expect(JSON.parse(stdout).orders).toEqual({ ...noOrders, total: 3, created: 3 });
    const rows = rowsOf(shop.path('orders.2of4.results.csv'));
    expect(countBy(rows, 'outcome')).toEqual({ created: 3, not_sent: 58 });
    expect(rows.slice(0, 3).map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
  });
});

describe('a shard without orders', () => {
  it.each([
    ['the file is small', ['--shard', '1/4']],
    ['the rows belong to another shard', ['--shard', '2/4', '--rows', '3']],
  ])('succeeds when %s', async (_, flags) => {
    const shop = await start('orders.csv');
    // The second and the third shard have one order each.
    const orders = ['UB-10001', 'UB-10002'].map((id) => `${id},99112233,TEA-001,NONE\n`).join('');
    writeFileSync(shop.csv, `externalOrderId,customer.phone,items[].sku,collectionMode\n${orders}`);
    const { stdout, stderr, exitCode } = await shop.import([...flags, '--yes']);
    const results = shop.path(`orders.${flags[1]?.replace('/', 'of')}.results.csv`);
    expect({ stdout, stderr, exitCode, requests: shop.sandbox.requestCount() }).toEqual({
      stdout: 'outcome\torders\ntotal\t0\n',
      stderr: `${shop.csv} has no order to import in this shard.\nResults: ${results}\n`,
      exitCode: 0,
      requests: 0,
    });
  });
});

describe('the rejects of a shard', () => {
  it('are in a file of their own, and may get IDs of any shard', async () => {
    const shop = await start('orders-invalid.csv');
    const rejects = shop.path('orders-invalid.2of4.rejects.csv');
    const flags = ['--shard', '2/4', '--on-invalid', 'skip', '--yes'];
    const { stdout, stderr, exitCode } = await shop.import(flags);
    expect([stdout, exitCode]).toEqual(['outcome\torders\ncreated\t3\ninvalid\t8\ntotal\t11\n', 6]);
    const fixed = ['import', rejects, '--on-invalid', 'skip', '--yes'];
    expect(stderr).toContain(`Fix them in ${rejects} and run:\n  merchant-orders ${fixed.join(' ')}\n`);
    const results = 'orders-invalid.2of4.results.csv';
    expect(shop.files()).toEqual(['orders-invalid.2of4.rejects.csv', results, 'orders-invalid.csv'].sort());
    fixRejects(rejects, {
      'bad-phone-damaged': { 'customer.phone': '99112234' },
      'bad-items-missing': { 'items[].sku': 'TEA-001' },
      'bad-collection-amount-not-allowed': { collectionAmount: '' },
      'bad-collection-amount-zero': { collectionMode: 'NONE' },
      'bad-decimal-exponent': { total: '100000' },
      'bad-date-april-31': { requestedDeliveryDate: '2030-04-30' },
      'bad-two-problems': { collectionAmount: '5', requestedDeliveryDate: '2030-06-30' },
      // With this ID it is an order of the third shard.
      '': { externalOrderId: 'found-again' },
    });
    const again = await shop.run(fixed);
    expect([again.stdout, again.exitCode]).toEqual(['outcome\torders\ncreated\t8\ntotal\t8\n', 0]);
  });
});

describe('invalid flags', () => {
  it.each([
    ['--shard', '0/4', 'Expected k/n such as 1/4, with at most 1024 parts.'],
    ['--max-errors', '5.5%', 'Expected a number, or a percentage up to 100%.'],
  ])('%s: %s', async (flag, text, message) => {
    const shop = await start('orders.csv');
    const { stdout, stderr, exitCode } = await shop.import([flag, text]);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: '',
      stderr: `error: The value of ${flag} is not valid. ${message}\nRun: merchant-orders import --help\n`,
      exitCode: 2,
    });
  });
});
