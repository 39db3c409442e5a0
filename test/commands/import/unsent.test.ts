import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/orders/json.ts';
import { fixture } from '../../import/tables.ts';
import { errorIn, runCli } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { catalogue, countBy, folderWith, noOrders, rowsOf, start } from './setup.ts';

describe('an import that sends nothing', () => {
  const allNotSent = { ...noOrders, total: 264, not_sent: 264 };

  it.each<[string, (sandbox: { readOnlyApiKey: string }) => string, string]>([
    ['a key that is unknown', () => 'sandbox_0123456789abcdef', 'key_refused'],
    ['a key without orders:write', ({ readOnlyApiKey }) => readOnlyApiKey, 'permission_missing'],
  ])('with %s', async (_, keyOf, code) => {
    const shop = await start('orders.csv');
    const env = { MERCHANT_ORDERS_API_KEY: keyOf(shop.sandbox) };
    const { stdout, stderr, exitCode } = await shop.import(['--yes', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ orders: allNotSent, rejects: null, exitCode: 4 });
    expect(errorIn(stderr)).toMatchObject({ code, exitCode: 4 });
    expect(exitCode).toBe(4);
    // Eight requests at a time, and one that began between the first two responses.
    expect(shop.sandbox.requestCount()).toBeLessThanOrEqual(9);
    expect(countBy(rowsOf(shop.results), 'outcome')).toEqual({ not_sent: 264 });
    expect(Object.keys(countBy(rowsOf(shop.results), 'code'))).toEqual([expect.stringMatching(/^[A-Z_]+$/)]);
    expect(await shop.listed()).toEqual([]);
    expect((await shop.import(['--yes'])).exitCode).toBe(0);
  });

  it('when the service cannot be reached; the same command sends it later', async () => {
    const shop = await start('orders.csv');
    const stopped = await startService({ catalogue });
    await stopped.sandbox.stop();
    const { stdout, stderr, exitCode } = await shop.import(['--yes', '--json'], { env: stopped.env });
    expect(JSON.parse(stdout)).toMatchObject({ orders: allNotSent, rejects: null, exitCode: 7 });
    const error = errorIn(stderr);
    expect(error).toMatchObject({
      code: 'unreachable',
      outcome: 'not_sent',
      exitCode: 7,
      hint: `264 orders were not sent. Run the same command again:\n  merchant-orders import ${shop.csv} --yes --json`,
    });
    expect(exitCode).toBe(7);
    expect((await shop.import(['--yes'])).exitCode).toBe(0);
  });

  it.each<[string, string[], what: string, file: string]>([
    ['its own CSV', ['--results', 'orders.csv'], 'results', 'orders.csv'],
    ['its own CSV, in another spelling', ['--rejects', './/orders.csv'], 'rejects', 'orders.csv'],
    ['its own CSV, by a link', ['--results', 'soft.csv'], 'results', 'orders.csv'],
    ['its own CSV, by a second name', ['--rejects', 'hard.csv'], 'rejects', 'orders.csv'],
    ['the results', ['--results', 'same.csv', '--rejects', 'same.csv'], 'rejects', 'same.csv'],
    ['its mapping', ['--map', 'map.json', '--results', 'link.json'], 'results', 'map.json'],
    ['the ledger', ['--rejects', 'ledger.csv'], 'rejects', 'own/ledger.db'],
    ['a configuration that does not exist', ['--results', 'own/CONFIG.json'], 'results', 'own/config.json'],
    ['the sandbox', ['--results', 'own/sandbox.db'], 'results', 'own/sandbox.db'],
    [
      'what SQLite keeps beside the ledger',
      ['--rejects', 'own/ledger.db-wal'],
      'rejects',
      'own/ledger.db-wal',
    ],
    ['the locks', ['--results', 'own/runs'], 'results', 'own/runs'],
    ['a lock', ['--results', 'own/runs/1a2b3c4d.db'], 'results', 'own/runs'],
  ])('when a file would overwrite %s', async (_, flags, what, file) => {
    const shop = await start('orders.csv');
    linkSync(shop.csv, shop.path('hard.csv'));
    symlinkSync(shop.csv, shop.path('soft.csv'));
    symlinkSync(shop.path('map.json'), shop.path('link.json'));
    writeFileSync(shop.path('map.json'), '{}');
    symlinkSync(join(shop.configDirectory, 'ledger.db'), shop.path('ledger.csv'));
    mkdirSync(join(shop.configDirectory, 'runs'), { recursive: true });
    writeFileSync(join(shop.configDirectory, 'ledger.db'), '');
    symlinkSync(shop.configDirectory, shop.path('own'));
    const paths = flags.map((word) => (word.startsWith('--') ? word : `${shop.path('.')}/${word}`));
    const { stdout, stderr, exitCode } = await shop.import(['--yes', ...paths]);
    const path = file.startsWith('own/')
      ? join(shop.configDirectory, '..', file.replace('own', 'configuration'))
      : shop.path(file);
    expect({ stdout, stderr, exitCode, requests: shop.sandbox.requestCount() }).toEqual({
      stdout: '',
      stderr: `error: The ${what} would overwrite ${path}. Nothing was sent.\nChoose another name with --${what}.\n`,
      exitCode: 2,
      requests: 0,
    });
    expect(readFileSync(shop.csv)).toEqual(readFileSync(fixture('orders.csv')));
  });

  it('when the ledger is damaged', async () => {
    const shop = await start('orders.csv');
    mkdirSync(shop.configDirectory);
    const ledger = join(shop.configDirectory, 'ledger.db');
    writeFileSync(ledger, 'this is no ledger'.repeat(100));
    const { stdout, stderr, exitCode } = await shop.import(['--yes']);
    expect({ stdout, exitCode, requests: shop.sandbox.requestCount() }).toEqual({
      stdout: '',
      exitCode: 7,
      requests: 0,
    });
    expect(stderr).toMatch(/^error: The ledger of past imports cannot be used: /);
    expect(readFileSync(ledger, 'utf8')).toBe('this is no ledger'.repeat(100));
  });
});

describe('a service whose responses are lost', () => {
  it('leaves unknown outcomes, which the same command settles', async () => {
    const folder = folderWith('orders.csv');
    const created = new Map<string, JsonObject>();
    let isLosing = true;
    let sends = 0;
    const env = await serve(async (request, response) => {
      const order = request.method === 'POST' ? JSON.parse(await text(request)) : undefined;
      if (order === undefined) return void response.end('{"data":[],"total":0}');
      sends += 1;
      const key = String(request.headers['idempotency-key']);
      const isOld = created.has(key);
      if (!isOld) created.set(key, { ...order, id: `id-${created.size}` });
      if (isLosing) return void request.socket.destroy();
      response.setHeader('idempotent-replayed', String(isOld));
      response.writeHead(201).end(JSON.stringify(created.get(key)));
    });
    const { configDirectory, csv, results } = folder;
    const run = () => runCli(['import', csv, '--limit', '3', '--yes'], { env, configDirectory });
    const lost = await run();
    expect({ stdout: lost.stdout, exitCode: lost.exitCode }).toEqual({
      stdout: 'outcome\torders\nunknown\t3\ntotal\t3\n',
      exitCode: 8,
    });
    // The number of progress lines depends on the speed of the machine.
    expect(lost.stderr.replace(/^\d\/3 orders .*\n/gm, '')).toBe(
      [
        'row 2  order UB-10001  outcome_unknown',
        '  problem  Order UB-10001 was sent, but no reliable response was received: it may exist. The last attempt failed: the connection was closed.',
        '  fix      Run the same command again: it settles this order and never creates it twice.',
        '           same in 2 more rows: 7, 9',
        '',
        `Results: ${results}`,
        'error: It is not known whether 3 orders were created: UB-10001, UB-10002, UB-10003.',
        `Run the same command again; it settles them and creates none twice:\n  merchant-orders import ${csv} --limit 3 --yes`,
        '',
      ].join('\n'),
    );
    const before = rowsOf(results);
    // Five attempts for each order while the file is read, and again after the last row.
    expect([created.size, sends >= 30]).toEqual([3, true]);
    isLosing = false;
    const settled = await run();
    expect([settled.stdout, settled.exitCode, created.size]).toEqual([
      ...['outcome\torders\ncreated\t3\ntotal\t3\n', 0],
      3,
    ]);
    expect(rowsOf(results).map((row) => row.idempotency_key)).toEqual(
      before.map((row) => row.idempotency_key),
    );
  });

  async function serve(listener: RequestListener): Promise<Record<string, string>> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return { MERCHANT_ORDERS_BASE_URL: `http://127.0.0.1:${port}`, MERCHANT_ORDERS_API_KEY: 'mk_live_1' };
  }
});

describe('the API key', () => {
  it('appears in no output and in no file', async () => {
    const shop = await start('import/rejected-by-service.csv');
    const { stdout, stderr } = await shop.import(['--yes', '--verbose']);
    expect(stderr).toContain('POST /api/v1/merchant/orders → 201');
    const written = [shop.directory, shop.configDirectory].flatMap((directory) =>
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')),
    );
    expect(written.length).toBeGreaterThan(3);
    expect([stdout, stderr, ...written].filter((text) => text.includes(shop.sandbox.apiKey))).toEqual([]);
  });
});
