import { describe, expect, it } from 'vitest';
import { createRequestLog, RequestEnded } from '../../../src/sandbox/record/request-log.ts';
import { createRequests } from '../../../src/sandbox/store/requests.ts';
import { openDatabase } from '../../../src/system/sqlite.ts';
import { admin } from '../admin/admin-client.ts';
import { singleRule } from '../faults/faulty-request.ts';
import { openConnection } from '../faults/raw-request.ts';
import { anOrder, orders, start, temporaryFile } from '../start.ts';

describe('the request log under concurrency', () => {
  it('has each of 200 concurrent requests, and the right peak concurrency', async () => {
    const faults = { latencyMs: 10 };
    const { create, store } = await start({ behaviour: { faults } });
    const ids = Array.from({ length: 200 }, (_, place) => `UB-${place}`);
    const left = [...ids];
    let open = 0;
    let maxOpen = 0;
    const created = new Map<string, string>();
    const worker = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        open += 1;
        maxOpen = Math.max(maxOpen, open);
        const { json } = await create(anOrder({ externalOrderId: id }));
        created.set(id, json.id);
        open -= 1;
      }
    };
    await Promise.all(Array.from({ length: 32 }, worker));
    const rows = store.requests.all();
    expect(new Map(rows.map(({ subject, orderId }) => [subject, orderId]))).toEqual(created);
    expect(rows.length).toBe(200);
    const { requests, peakConcurrency } = store.requests.totals();
    expect(requests).toBe(200);
    expect(peakConcurrency).toBeGreaterThan(1);
    expect(peakConcurrency).toBeLessThanOrEqual(maxOpen);
  });
});

describe('a reset', () => {
  it('ends the requests of before, which write nothing, also when they wait for their transaction', async () => {
    const { store } = await start();
    const { begin, write, complete, end, reset } = createRequestLog(store, () => 0);
    const before = begin('create', undefined);
    let isRun = false;
    const written = write(before, () => {
      isRun = true;
    });
    reset();
    await expect(written).rejects.toThrow(RequestEnded);
    await expect(complete(before)).rejects.toThrow(RequestEnded);
    expect([isRun, store.requests.totals().requests]).toEqual([false, 0]);
    const after = begin('create', undefined);
    after.clientId = 1;
    end(before);
    await complete(after);
    expect(store.requests.totals().requests).toBe(1);
  });
});

describe('a logged request', () => {
  it('is visible before its response arrives, also to other processes', async () => {
    const file = temporaryFile();
    const { create, get, cancel } = await start({ file });
    const observer = createRequests(await openDatabase(file));
    const { json } = await create(anOrder());
    const counts = [observer.all().length];
    for (const send of [
      () => create(anOrder({ items: [] })),
      () => get(orders),
      () => get(`${orders}/${json.id}`),
      () => cancel(json.id),
      () => get('/api/nowhere'),
    ]) {
      await send();
      counts.push(observer.all().length);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
    expect(observer.all().map(({ route, status }) => [route, status])).toEqual([
      ['create', 201],
      ['create', 422],
      ['list', 200],
      ['get', 200],
      ['cancel', 200],
      ['other', 404],
    ]);
  });

  it('is only counted without a valid key or Host, as one row for any number', async () => {
    const { create, get, store, database } = await start();
    const order = anOrder();
    const foreignHost = { headers: { host: 'example.com' } };
    for (let times = 0; times < 3; times += 1) {
      expect((await create(order, { key: null })).status).toBe(401);
      expect((await get(orders, { key: 'live' })).status).toBe(401);
      expect((await get(orders, foreignHost)).status).toBe(403);
    }
    expect(store.requests.all()).toEqual([]);
    expect(store.requests.authorizations()).toEqual([
      { route: 'create', authorization: 'none', requests: 3 },
      { route: 'list', authorization: 'foreign', requests: 3 },
      { route: 'list', authorization: 'unknown', requests: 3 },
    ]);
    expect(store.requests.totals()).toEqual({ requests: 9, peakConcurrency: 0 });
    expect(database.prepare('SELECT * FROM counted_requests').all().length).toBe(3);
  });

  it.each(['reset', 'close', 'cut_body'] as const)(
    'is visible before anything of %s arrives',
    async (kind) => {
      const file = temporaryFile();
      const faults = singleRule('after_commit', { kind });
      const { sandbox } = await start({ file, behaviour: { faults } });
      const observer = createRequests(await openDatabase(file));
      const connection = await openConnection(sandbox.baseUrl);
      connection.send('GET', orders, { key: sandbox.apiKey });
      await connection.until((text) => text !== '');
      expect(observer.all()).toMatchObject([{ fault: kind, status: 200, route: 'list' }]);
    },
  );

  it('has the subject and the times of the request', async () => {
    const { create, cancel, get, store, clock, sandbox } = await start();
    const at = clock.now;
    const { json } = await create(anOrder({ externalOrderId: 'A' }), { headers: { 'idempotency-key': 'K' } });
    clock.now += 5;
    await get(`${orders}?page=2&status=X`);
    await cancel(json.id);
    expect(store.requests.all()).toEqual([
      {
        sequence: 1,
        arrivedAt: at,
        endedAt: at,
        route: 'create',
        subject: 'A',
        idempotencyKey: 'K',
        status: 201,
        fault: null,
        notBefore: null,
        earlyBy: 0,
        orderId: json.id,
      },
      expect.objectContaining({
        route: 'list',
        subject: '?page=2&status=X',
        arrivedAt: at + 5,
        orderId: null,
      }),
      expect.objectContaining({ route: 'cancel', subject: json.id, orderId: null }),
    ]);
    expect(sandbox.requestCount()).toBe(3);
  });
});

describe('the request log', () => {
  it('survives a restart, and is emptied by a reset', async () => {
    const file = temporaryFile();
    const first = await start({ file });
    await first.create(anOrder({ externalOrderId: 'A' }));
    await first.sandbox.stop();
    const { store, create, sandbox } = await start({ file });
    await create(anOrder({ externalOrderId: 'B' }));
    expect(store.requests.all().map(({ subject }) => subject)).toEqual(['A', 'B']);
    expect((await admin(sandbox).post('/reset')).status).toBe(200);
    expect([store.requests.all(), store.requests.keys(), store.requests.authorizations()]).toEqual([
      [],
      [],
      [],
    ]);
    expect(store.requests.totals()).toEqual({ requests: 0, peakConcurrency: 0 });
  });
});
