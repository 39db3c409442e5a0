import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { describeSandbox } from '../../../src/sandbox/sandbox.ts';
import { type Database, openDatabase } from '../../../src/system/sqlite.ts';
import { anOrder, orders, start, temporaryFile } from '../start.ts';
import { firstSchema } from './first-schema.ts';

const rows = `
  INSERT INTO sandbox VALUES (1, 'identity-1');
  INSERT INTO merchants VALUES (1);
  INSERT INTO clients VALUES (1, 1);
  INSERT INTO api_keys VALUES ('sandbox_all', 1, 'orders:read orders:write'), ('sandbox_read', 1, 'orders:read');
  INSERT INTO products VALUES (1, 'TEA', NULL, 1);
  INSERT INTO customers VALUES (1, 1, '+97699000000'), (2, 1, '+97699000000'), (3, 1, '+97699112233');
  INSERT INTO external_customers VALUES (1, 'C', 1, 3);
  INSERT INTO order_numbers VALUES (2026, 2);
  INSERT INTO orders VALUES
    (1, 'id-1', 1, 1, 3, 'ORD-2026-000001', 'A', 'CONFIRMED', '+97699112233', '{"externalOrderId":"A"}', 5, NULL, NULL),
    (2, 'id-2', 1, 1, 3, 'ORD-2026-000002', 'B', 'CANCELLED', '+97699112233', '{"externalOrderId":"B"}', 6, 'why', 7);
  INSERT INTO deliveries VALUES ('id-1', 'delivery-1', 'PENDING'), ('id-2', 'delivery-2', 'CANCELLED');
  INSERT INTO idempotency_keys VALUES (1, 'K', 'hash', 201, '{"id":"id-1"}');
  PRAGMA user_version = 1;
`;

async function firstVersion(file = ':memory:'): Promise<Database> {
  const database = await openDatabase(file);
  database.exec(firstSchema + rows);
  return database;
}

function tablesOf(database: Database): unknown[] {
  return database
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name')
    .all();
}

describe('a database of version 1', () => {
  it('gets the tables that a new one has, and keeps all its rows', async () => {
    const database = await firstVersion();
    expect(await describeSandbox(database)).toEqual({
      baseUrl: undefined,
      behaviour: 'default',
      identity: 'identity-1',
      apiKey: 'sandbox_all',
      readOnlyApiKey: 'sandbox_read',
      products: 1,
      orders: 2,
    });
    const fresh = await openDatabase(':memory:');
    await describeSandbox(fresh);
    expect(tablesOf(database)).toEqual(tablesOf(fresh));
    expect(database.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: 3 });
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    expect(database.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
    expect(database.prepare('SELECT * FROM deliveries ORDER BY id').all()).toHaveLength(2);
    const kept = database.prepare('SELECT * FROM idempotency_keys').get() as { kept_at: number };
    expect(kept).toMatchObject({ key: 'K', status: 201, content_type: 'application/json' });
    expect(Math.abs(kept.kept_at - Date.now())).toBeLessThan(60_000);
  });

  it('serves its orders, takes no own id twice, and goes on counting', async () => {
    const file = temporaryFile();
    (await firstVersion(file)).close();
    const { get, create, cancel } = await start({ file });
    expect((await get(`${orders}/id-1`)).json).toMatchObject({
      externalOrderId: 'A',
      delivery: { id: 'delivery-1', status: 'PENDING' },
    });
    expect((await get(`${orders}/id-2`)).json).toMatchObject({
      cancelReason: 'why',
      cancelledAt: '1970-01-01T00:00:00.007Z',
    });
    for (const externalOrderId of ['A', 'B']) {
      expect((await create(anOrder({ externalOrderId }))).status).toBe(409);
    }
    expect((await create(anOrder())).json.orderNumber).toBe('ORD-2026-000003');
    expect((await cancel('id-1')).json.delivery.status).toBe('CANCELLED');
  });

  it('is brought up once by two that open it at the same time', async () => {
    const file = temporaryFile();
    const first = await firstVersion(file);
    const second = await openDatabase(file);
    expect(await describeSandbox(second)).toEqual(await describeSandbox(first));
    expect((await describeSandbox(second)).orders).toBe(2);
  });
});

describe('an own id', () => {
  it('is unique by the tables themselves among the orders that own it', async () => {
    const { create, database, store } = await start();
    const first = await create(anOrder({ externalOrderId: 'A' }));
    const second = await create(anOrder({ externalOrderId: 'B' }));
    const take = database.prepare("UPDATE orders SET external_order_id = 'A' WHERE id = ?");
    expect(() => take.run(second.json.id)).toThrow('UNIQUE');
    store.orders.freeExternalId(first.json.id);
    take.run(second.json.id);
    expect(
      (await create(anOrder({ externalOrderId: 'A' }), { headers: { 'idempotency-key': randomUUID() } }))
        .status,
    ).toBe(409);
  });
});
