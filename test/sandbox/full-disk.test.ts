import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/system/sqlite.ts';
import { anOrder, orders, start } from './start.ts';

/** The database cannot grow by more than these pages, as on a full disk. */
function leaveRoom(database: Database, pages: number): void {
  const { page_count: used } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  database.exec(`PRAGMA max_page_count = ${used + pages}`);
}

const note = 'x'.repeat(20_000);

describe('a full disk', () => {
  it('is named with status 507, and loses no order that was acknowledged', async () => {
    const { database, create, get, store } = await start();
    leaveRoom(database, 40);
    const created: { id: string; text: string }[] = [];
    for (;;) {
      const responses = await Promise.all([1, 2, 3].map(() => create(anOrder({ note }))));
      for (const { status, json, text } of responses) if (status === 201) created.push({ id: json.id, text });
      const refused = responses.find(({ status }) => status !== 201);
      if (refused === undefined) continue;
      expect([refused.status, refused.json.error]).toMatchObject([
        507,
        { code: 'INSUFFICIENT_STORAGE', message: 'The disk of the sandbox is full: nothing was stored' },
      ]);
      break;
    }
    leaveRoom(database, 1_000_000);
    expect(created.length).toBeGreaterThan(0);
    expect(store.orders.count()).toBe(created.length);
    for (const { id, text } of created) expect((await get(`${orders}/${id}`)).text).toBe(text);
    const next = await create(anOrder({ note }));
    const number = String(created.length + 1).padStart(6, '0');
    expect([next.status, next.json.orderNumber]).toEqual([201, `ORD-2026-${number}`]);
  });

  it('is not stored under the key, even where failures are', async () => {
    const { database, create } = await start({ behaviour: { keys: { kept: 'everything' } } });
    leaveRoom(database, 0);
    const order = anOrder({ note });
    const headers = { 'idempotency-key': 'K' };
    expect((await create(order, { headers })).status).toBe(507);
    leaveRoom(database, 1_000_000);
    const again = await create(order, { headers });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  it('has the error shape of the behaviour', async () => {
    const { database, create } = await start({ behaviour: { responses: { error: 'problem_details' } } });
    leaveRoom(database, 0);
    const { status, json } = await create(anOrder({ note }));
    expect([status, json.status]).toEqual([507, 507]);
  });

  it('is named by the admin API', async () => {
    const { sandbox, database, post } = await start();
    leaveRoom(database, 0);
    const keys = Array.from({ length: 60 }, () =>
      post('/_sandbox/keys', { key: sandbox.adminToken, body: {} }),
    );
    const statuses = (await Promise.all(keys)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201, 507]));
  });
});
