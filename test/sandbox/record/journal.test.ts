import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { FaultSettings } from '../../../src/sandbox/behaviour/fault-settings.ts';
import type { JournalEntry } from '../../../src/sandbox/record/journal.ts';
import { resetSandbox } from '../../../src/sandbox/sandbox.ts';
import { admin } from '../admin/admin-client.ts';
import { singleRule } from '../faults/faulty-request.ts';
import { anOrder, orders, start } from '../start.ts';

describe('GET /_sandbox/requests', () => {
  it('has the latest requests with their bodies', async () => {
    const { sandbox, create, get, clock } = await start();
    const order = anOrder({ externalOrderId: 'A' });
    const created = await create(order, { headers: { 'idempotency-key': 'K' } });
    clock.now += 5;
    await get(`${orders}?page=2`);
    await get(orders, { key: null });
    const { status, json } = await admin(sandbox).get('/requests');
    expect([status, json.total, json.page, json.pageSize]).toEqual([200, 2, 1, 20]);
    const [list, first] = json.requests;
    expect(list).toMatchObject({ sequence: 2, method: 'GET', path: `${orders}?page=2`, status: 200 });
    expect([list.requestBody, list.responseBody]).toEqual([
      null,
      '{"data":[],"page":2,"pageSize":20,"total":1}',
    ]);
    expect(first).toEqual({
      sequence: 1,
      time: '2026-11-25T08:00:00.000Z',
      method: 'POST',
      path: orders,
      route: 'create',
      status: 201,
      durationMs: expect.any(Number),
      requestId: created.headers['x-request-id'],
      idempotencyKey: 'K',
      externalOrderId: 'A',
      orderId: created.json.id,
      fault: null,
      headers: expect.objectContaining({ authorization: 'Bearer (key)', 'idempotency-key': 'K' }),
      requestBody: JSON.stringify(order),
      responseBody: created.text,
    });
  });

  it('is narrowed by its filters, and paged', async () => {
    const { sandbox, create, get } = await start();
    await create(anOrder({ externalOrderId: 'A' }), { headers: { 'idempotency-key': 'KEY-1' } });
    await create(anOrder({ externalOrderId: 'B', items: [] }), { headers: { 'idempotency-key': 'L' } });
    await get(orders);
    const sequences = async (query: string) =>
      (await admin(sandbox).get(`/requests?${query}`)).json.requests.map(
        ({ sequence }: JournalEntry) => sequence,
      );
    expect(await sequences('route=create')).toEqual([2, 1]);
    expect(await sequences('status=422')).toEqual([2]);
    expect(await sequences('pageSize=1&page=2')).toEqual([2]);
    expect(await sequences('route=create&status=200')).toEqual([]);
    expect(await sequences('order=A')).toEqual([1]);
    expect(await sequences('search=key-')).toEqual([1]);
    expect(await sequences('search=invalid_order')).toEqual([2]);
    expect(await sequences('search=%25')).toEqual([]);
  });

  it('tells outcomes apart by what the client received', async () => {
    const faults: FaultSettings = {
      rules: [
        { match: { externalOrderId: 'LOST' }, when: 'after_commit', do: { kind: 'reset' } },
        { match: { externalOrderId: 'LATE' }, when: 'after_commit', do: { kind: 'wait', seconds: 0 } },
        { match: { externalOrderId: '504' }, when: 'after_commit', do: { kind: 'status', status: 504 } },
      ],
    };
    const { sandbox, create } = await start({ behaviour: { faults } });
    const ids = ['GOOD', 'LOST', 'LATE', '504', 'BAD'];
    for (const externalOrderId of ids) {
      const fields = externalOrderId === 'BAD' ? { items: [] } : {};
      await create(anOrder({ externalOrderId, ...fields })).catch(() => {});
    }
    const found = async (outcome: string) => {
      const { json } = await admin(sandbox).get(`/requests?outcome=${outcome}`);
      return json.requests.map((entry: JournalEntry) => entry.externalOrderId).reverse();
    };
    expect(await found('success')).toEqual(['GOOD', 'LATE']);
    expect(await found('error')).toEqual(['LOST', '504', 'BAD']);
    expect(await found('fault')).toEqual(['LOST', 'LATE', '504']);
    expect((await admin(sandbox).get('/requests?order=NONE')).status).toBe(404);
  });

  it.each(['route=delete', 'status=abc', 'page=0', 'pageSize=101', 'outcome=none', 'client=A'])(
    'rejects ?%s and names the parameter',
    async (query) => {
      const { sandbox } = await start();
      const { status, json } = await admin(sandbox).get(`/requests?${query}`);
      expect([status, json.error.message]).toEqual([400, expect.stringContaining(query.split('=')[0] ?? '')]);
    },
  );

  it('says what a fault did', async () => {
    const action = { kind: 'status', status: 504 } as const;
    const faults = singleRule('after_commit', action, { externalOrderId: 'A' });
    const { sandbox, create } = await start({ behaviour: { faults } });
    expect((await create(anOrder({ externalOrderId: 'A' }))).status).toBe(504);
    const [entry] = (await admin(sandbox).get('/requests')).json.requests;
    expect(entry).toMatchObject({
      status: 201,
      fault: { kind: 'status', when: 'after_commit', status: 504 },
    });
    expect(JSON.parse(entry.responseBody)).toMatchObject({ externalOrderId: 'A' });
  });

  it('has no key, wherever it was sent', async () => {
    const { sandbox, create, get } = await start();
    const { apiKey, readOnlyApiKey, adminToken } = sandbox;
    const escaped = JSON.stringify(`${apiKey} ${adminToken}`).replace('sandbox', '\\u0073andbox');
    await create(`{"note":${escaped},"customer":{"phone":"${readOnlyApiKey}"}}`, {
      headers: { 'idempotency-key': apiKey },
    });
    await get(`${orders}?externalOrderId=${apiKey}&status=${encodeURIComponent(readOnlyApiKey)}`);
    const text = JSON.stringify((await admin(sandbox).get('/requests')).json);
    expect(text).toContain('note');
    for (const secret of [apiKey, readOnlyApiKey, adminToken]) expect(text).not.toContain(secret.slice(9));
  });

  it('has at most 1,000 requests, cuts long bodies, and is emptied by a reset', async () => {
    const { sandbox, create, get } = await start();
    await create(anOrder({ note: 'x'.repeat(100_000) }));
    const { requests } = (await admin(sandbox).get('/requests')).json;
    expect([requests[0].requestBody.length, requests[0].responseBody.length]).toEqual([8192, 8192]);
    for (let sent = 0; sent < 1000; sent += 100) {
      await Promise.all(Array.from({ length: 100 }, () => get(`${orders}/none`)));
    }
    const { total } = (await admin(sandbox).get('/requests')).json;
    expect(total).toBe(1000);
    expect((await admin(sandbox).get('/requests?route=create')).json.total).toBe(0);
    await admin(sandbox).post('/reset');
    expect((await admin(sandbox).get('/requests')).json.total).toBe(0);
  });
});

describe('requests after a reset by another process', () => {
  it('take the place of those before it, whose numbers they have', async () => {
    const { sandbox, database, create, get } = await start();
    await create(anOrder());
    await create(anOrder());
    resetSandbox(database, randomUUID);
    await get(orders);
    const { requests } = (await admin(sandbox).get('/requests')).json;
    expect(requests).toMatchObject([{ sequence: 1, route: 'list' }]);
  });
});

describe('onRequest', () => {
  it('is called with each request when it has ended, also without a valid key, and without the key', async () => {
    const seen: JournalEntry[] = [];
    const faults = singleRule('before_commit', { kind: 'close' }, { externalOrderId: 'LOST' });
    const { create, get, sandbox } = await start({
      behaviour: { faults },
      onRequest: (request) => seen.push(request),
    });
    await create(anOrder({ externalOrderId: 'A' }));
    await get(`${orders}?status=${sandbox.apiKey}`, { key: 'live' });
    await create(anOrder({ externalOrderId: 'LOST' })).catch(() => undefined);
    await get(orders);
    expect(
      seen.map(({ method, status, externalOrderId, fault }) => [
        method,
        status,
        externalOrderId,
        fault?.kind,
      ]),
    ).toEqual([
      ['POST', 201, 'A', undefined],
      ['GET', 401, null, undefined],
      ['POST', null, 'LOST', 'close'],
      ['GET', 200, null, undefined],
    ]);
    expect(JSON.stringify(seen)).not.toContain(sandbox.apiKey);
  });
});
