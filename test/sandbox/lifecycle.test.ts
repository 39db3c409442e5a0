import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Hono } from 'hono';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SandboxEnv } from '../../src/sandbox/http/context.ts';
import { serve } from '../../src/sandbox/http/serve.ts';
import { describeSandbox } from '../../src/sandbox/sandbox.ts';
import { resetSandbox } from '../../src/sandbox/store/reset.ts';
import { sharedPhone } from '../../src/sandbox/store/seed.ts';
import { openDatabase } from '../../src/system/sqlite.ts';
import { asText } from '../support/advice.ts';
import { runCli } from '../support/cli.ts';
import { openSandboxDatabase } from './database.ts';
import { anOrder, orders, start, temporaryFile } from './start.ts';

const { Request: globalRequest, Response: globalResponse } = globalThis;

describe('a restart on the same file', () => {
  it('keeps orders, keys, identity, catalogue and idempotency keys; the admin token is new', async () => {
    const file = temporaryFile();
    const first = await start({ file });
    const order = anOrder();
    const headers = { 'idempotency-key': 'K' };
    const created = await first.create(order, { headers });
    const { apiKey, readOnlyApiKey, identity, adminToken } = first.sandbox;
    await first.sandbox.stop();
    const database = await openSandboxDatabase(file);
    const second = await start({ database, catalogue: undefined as never });
    expect(second.sandbox).toMatchObject({ apiKey, readOnlyApiKey, identity });
    expect(second.sandbox.adminToken).not.toBe(adminToken);
    expect((await second.get(`${orders}/${created.json.id}`)).text).toBe(created.text);
    expect((await second.create(order, { headers })).text).toBe(created.text);
    expect((await second.create(anOrder())).json.orderNumber).toBe('ORD-2026-000002');
  });

  it('replaces the catalogue when one is given', async () => {
    const file = temporaryFile();
    const first = await start({ file });
    await first.sandbox.stop();
    const second = await start({ file, catalogue: [{ sku: 'CUP', active: true }] });
    expect((await second.create(anOrder())).json.error.code).toBe('PRODUCT_SKU_NOT_FOUND');
    expect((await second.create(anOrder({ items: [{ sku: 'CUP' }] }))).status).toBe(201);
    expect(second.store.products.count()).toBe(1);
  });
});

describe('reset', () => {
  it('deletes orders, customers and idempotency keys, and keeps API keys and catalogue', async () => {
    const { sandbox, database, create, get, countCustomers } = await start();
    const { identity, apiKey, readOnlyApiKey } = sandbox;
    const order = anOrder({ externalOrderId: 'A', customer: { phone: '99112233', externalCustomerId: 'C' } });
    const headers = { 'idempotency-key': 'K' };
    const { json: before } = await create(order, { headers });
    resetSandbox(database, randomUUID);
    expect(await describeSandbox(database)).toEqual({
      servers: [],
      identity: expect.not.stringContaining(identity),
      apiKey,
      readOnlyApiKey,
      products: 2,
      orders: 0,
    });
    expect(countCustomers()).toBe(2);
    const afterReset = await get(`${orders}/${before.id}`);
    expect(afterReset.status).toBe(404);
    expect(afterReset.headers['x-merchant-orders-sandbox']).toBe(sandbox.identity);
    const again = await create(order, { headers });
    expect([again.status, again.json.orderNumber]).toEqual([201, 'ORD-2026-000001']);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    expect(again.json.id).not.toBe(before.id);
    const ambiguous = await create(anOrder({ customer: { phone: sharedPhone } }));
    expect(ambiguous.json.error.code).toBe('CUSTOMER_PHONE_AMBIGUOUS');
  });

  it('leaves the checks of the database on', async () => {
    const { database } = await start();
    resetSandbox(database, randomUUID);
    expect(() =>
      database.exec("INSERT INTO deliveries (order_id, id, status) VALUES ('none', 'D', 'PENDING')"),
    ).toThrow('FOREIGN KEY');
  });
});

const patiently = { timeout: 30_000 };

describe('describe', () => {
  it('creates a sandbox in an empty database, the same each time', async () => {
    const database = await openSandboxDatabase(':memory:');
    const described = await describeSandbox(database);
    expect(described).toMatchObject({ products: 0, orders: 0, apiKey: expect.stringMatching(/^sandbox_/) });
    expect(await describeSandbox(database)).toEqual(described);
    const { sandbox } = await start({ database });
    expect(described).toMatchObject({ apiKey: sandbox.apiKey, identity: sandbox.identity });
  });

  it('names every running sandbox of a database, the newest first', async () => {
    const file = temporaryFile();
    const first = await start({ file, isPublic: true });
    const second = await start({ file, isPublic: true });
    const database = await openSandboxDatabase(file);
    const addresses = async () => (await describeSandbox(database)).servers.map(({ baseUrl }) => baseUrl);
    const both = [second.sandbox.baseUrl, first.sandbox.baseUrl];
    // One that does not answer soon, as on a busy machine, is not named.
    await expect.poll(addresses, patiently).toEqual(both);
    const info = async () => (await runCli(['sandbox', 'info', '--json', '--db', file])).stdout;
    const served = both.map((baseUrl) => ({ baseUrl, behaviour: 'default' }));
    await expect.poll(async () => JSON.parse(await info()).servers, patiently).toEqual(served);
    await second.sandbox.stop();
    await expect.poll(addresses, patiently).toEqual([first.sandbox.baseUrl]);
    await first.sandbox.stop();
    expect(await addresses()).toEqual([]);
    database.close();
  });

  it('uses the tables that another process creates at the same time', async () => {
    const file = temporaryFile();
    const [one, other] = await Promise.all([openSandboxDatabase(file), openSandboxDatabase(file)]);
    expect(await describeSandbox(one)).toEqual(await describeSandbox(other));
  });

  it.each([
    ['of an earlier version', 'CREATE TABLE sandbox (one INTEGER, identity TEXT); PRAGMA user_version = 3'],
    ['of a newer version', 'PRAGMA application_id = 1297044290; PRAGMA user_version = 99'],
    ['without tables, of another schema', 'PRAGMA user_version = 99'],
    ['of another program', 'CREATE TABLE runs (id INTEGER)'],
  ])('reports a database %s and does not change it', async (_whose, sql) => {
    const file = temporaryFile();
    const database = await openDatabase(file);
    database.exec(`${sql}; PRAGMA journal_mode = DELETE`);
    database.close();
    const before = readFileSync(file);
    await expect(openSandboxDatabase(file)).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: `The database ${file} was made by another version of merchant-orders, or by another program.`,
      details: {
        hint: asText(
          'It was left as it is. Move it away and run the same command again, or give another file with sandbox start --db FILE.',
        ),
      },
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });
});

/** Longer than any test, in milliseconds. */
const longIdle = 3_600_000;

describe('start and stop', () => {
  it('reports a port that another program uses', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await expect(start({ port })).rejects.toMatchObject({
      code: 'port_in_use',
      message: `Port ${port} is in use.`,
      details: { hint: asText('Give another port with --port, or --port 0 for any that is free.') },
    });
  });

  it('reports a port in use, and does not change the catalogue of its sandbox', async () => {
    const file = temporaryFile();
    const { sandbox, store } = await start({ file });
    const port = Number(new URL(sandbox.baseUrl).port);
    const second = start({ file, port, catalogue: [] });
    await expect(second).rejects.toMatchObject({
      code: 'port_in_use',
      message: `Port ${port} is in use.`,
    });
    expect(store.products.count()).toBe(2);
  });

  it('closes its port when the catalogue of the package is missing', async () => {
    const [first, file] = [await start(), temporaryFile()];
    await first.sandbox.stop();
    await (await start({ file })).sandbox.stop();
    const port = Number(new URL(first.sandbox.baseUrl).port);
    const missing = new Error('ENOENT');
    const defaultCatalogue = () => {
      throw missing;
    };
    await expect(
      start({ file, port, catalogue: undefined, defaultCatalogue, anySku: 'rehearsal' }),
    ).rejects.toBe(missing);
    expect((await (await start({ port })).get(orders)).status).toBe(200);
  });

  it('completes open requests before it stops, and accepts no later ones', async () => {
    const { sandbox, create, get, database } = await start();
    const underway = create(anOrder());
    while (sandbox.requestCount() === 0) await new Promise(setImmediate);
    const stopped = sandbox.stop();
    expect(sandbox.stop()).toBe(stopped);
    expect((await underway).status).toBe(201);
    await stopped;
    expect(() => database.prepare('SELECT 1')).toThrow('not open');
    await expect(get(orders)).rejects.toThrow('ECONNREFUSED');
  });

  it('does not wait for an unread request body', async () => {
    const app = new Hono<SandboxEnv>().post('/', (context) => context.text('too large', 413));
    const { port, stop } = await serve(app, { port: 0, host: '127.0.0.1' }, () => longIdle);
    const connection = connect(port, '127.0.0.1');
    connection.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n\r\n');
    connection.write('x'.repeat(1000));
    const [response] = (await once(connection, 'data')) as [Buffer];
    expect(response.toString()).toContain('413');
    connection.on('error', () => connection.destroy());
    await new Promise<void>((written) => connection.write('x'.repeat(1_999_000), () => written()));
    await stop(3_600_000);
    connection.destroy();
  });

  it('waits for nothing more when it is told to stop at once', async () => {
    const events = new EventEmitter();
    const entered = once(events, 'entered');
    const app = new Hono<SandboxEnv>().get('/', () => {
      events.emit('entered');
      return new Promise<Response>(() => {});
    });
    const { port, stop } = await serve(app, { port: 0, host: '127.0.0.1' }, () => longIdle);
    const underway = expect(request(`http://127.0.0.1:${port}`)).rejects.toThrow('other side closed');
    await entered;
    const atOnce = new AbortController();
    const stopped = stop(3_600_000, atOnce.signal);
    atOnce.abort();
    await stopped;
    await underway;
  });

  it('does not change the global Request and Response', async () => {
    await start();
    expect(globalThis.Request).toBe(globalRequest);
    expect(globalThis.Response).toBe(globalResponse);
  });
});
