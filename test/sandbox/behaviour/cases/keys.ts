import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Case } from '../case.ts';
import { anOrder, orders, type Service } from '../serve.ts';

const uuid = '00000000-0000-8000-8000-000000000000';

async function codesOf({ create }: Service, keys: string[]): Promise<unknown[]> {
  const codes = [];
  for (const key of keys) codes.push((await create(anOrder(), key)).json.error?.code);
  return codes;
}

/** Two creates with one key and different bodies and external order IDs. */
async function createOther({ create, store }: Service) {
  const first = await create(anOrder({ total: '1' }), 'K');
  const second = await create(anOrder({ total: '2' }), 'K');
  return { first, second, count: store.orders.count() };
}

/** Whether the error that `breakSql` causes is replayed for its key after `fixSql`. */
async function isKept(service: Service, breakSql: string, fixSql: string): Promise<boolean> {
  const order = anOrder();
  const key = randomUUID();
  service.database.exec(breakSql);
  const first = await service.create(order, key);
  expect(first.status).toBeGreaterThanOrEqual(400);
  service.database.exec(fixSql);
  const second = await service.create(order, key);
  if (second.status === 201) return false;
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  expect(second.headers['content-type']).toBe(first.headers['content-type']);
  expect(second.headers['idempotent-replayed']).toBe('true');
  return true;
}

/** Whether a success, a rejection and a failure are stored under their keys. */
async function whatIsKept(service: Service): Promise<boolean[]> {
  const order = anOrder({ externalOrderId: undefined });
  await service.create(order, 'K');
  const repeated = await service.create(order, 'K');
  return [
    repeated.headers['idempotent-replayed'] === 'true',
    await isKept(
      service,
      'UPDATE products SET active = 0',
      "UPDATE products SET active = 1 WHERE sku = 'TEA'",
    ),
    await isKept(
      service,
      "CREATE TRIGGER broken BEFORE INSERT ON orders BEGIN SELECT RAISE(ABORT, 'no room'); END",
      'DROP TRIGGER broken',
    ),
  ];
}

function kept(value: string, expected: boolean[]): Case {
  return {
    setting: 'keys.kept',
    value,
    otherSettings: { responses: { error: 'problem_details' } },
    check: async (service) => expect(await whatIsKept(service)).toEqual(expected),
  };
}

export const keyCases: Case[] = [
  ...[true, false].map(
    (value): Case => ({
      setting: 'keys.required',
      value,
      check: async ({ send, store }) => {
        const order = anOrder();
        const { status } = await send('POST', orders, { body: order });
        expect([status, store.orders.count()]).toEqual(value ? [400, 0] : [201, 1]);
        if (!value) expect((await send('POST', orders, { body: order })).status).toBe(409);
      },
    }),
  ),
  {
    setting: 'keys.format',
    value: 'any',
    check: async (service) =>
      expect(await codesOf(service, ['K', 'any text at all', uuid])).toEqual([
        undefined,
        undefined,
        undefined,
      ]),
  },
  {
    setting: 'keys.format',
    value: 'uuid',
    check: async (service) =>
      expect(await codesOf(service, ['K', uuid.slice(1), uuid])).toEqual([
        'IDEMPOTENCY_KEY_INVALID',
        'IDEMPOTENCY_KEY_INVALID',
        undefined,
      ]),
  },
  {
    setting: 'keys.repeated',
    value: 'replayed',
    check: async ({ create, store }) => {
      const order = anOrder();
      const first = await create(order, 'K');
      const second = await create(order, 'K');
      expect([second.status, second.text]).toEqual([201, first.text]);
      expect(store.orders.count()).toBe(1);
    },
  },
  {
    setting: 'keys.repeated',
    value: 'refused',
    check: async ({ create, store }) => {
      const order = anOrder();
      await create(order, 'K');
      const { status, json } = await create(order, 'K');
      expect([status, json.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_REPEATED']);
      expect(store.orders.count()).toBe(1);
    },
  },
  {
    setting: 'keys.repeated',
    value: 'ignored',
    check: async ({ create, store }) => {
      const order = anOrder();
      await create(order, 'K');
      const again = await create(order, 'K');
      expect([again.status, again.json.error.code]).toEqual([409, 'EXTERNAL_ORDER_ID_EXISTS']);
      for (const count of [2, 3]) {
        expect((await create(anOrder({ externalOrderId: undefined }), 'K')).status).toBe(201);
        expect(store.orders.count()).toBe(count);
      }
    },
  },
  {
    setting: 'keys.otherBody',
    value: 'refused',
    check: async (service) => {
      const { second, count } = await createOther(service);
      expect([second.status, second.json.error.code, count]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED', 1]);
    },
  },
  {
    setting: 'keys.otherBody',
    value: 'replayed',
    check: async (service) => {
      const { first, second, count } = await createOther(service);
      expect([second.status, second.text, count]).toEqual([201, first.text, 1]);
      expect(second.headers['idempotent-replayed']).toBe('true');
    },
  },
  {
    setting: 'keys.otherBody',
    value: 'processed',
    check: async (service) => {
      const { second, count } = await createOther(service);
      expect([second.status, second.json.total, count]).toEqual([201, '2', 2]);
      const { json } = await service.create(anOrder({ externalOrderId: second.json.externalOrderId }), 'K');
      expect(json.error.code).toBe('EXTERNAL_ORDER_ID_EXISTS');
    },
  },
  kept('nothing', [false, false, false]),
  kept('successes', [true, false, false]),
  kept('refusals', [true, true, false]),
  kept('everything', [true, true, true]),
  ...[null, 60].map(
    (value): Case => ({
      setting: 'keys.retentionSeconds',
      value,
      check: async ({ create, clock, store }) => {
        const order = anOrder({ externalOrderId: undefined });
        const first = await create(order, 'K');
        clock.now += 59_999;
        expect((await create(order, 'K')).text).toBe(first.text);
        clock.now += value === null ? 10 * 366 * 86_400_000 : 1;
        const late = await create(order, 'K');
        expect([late.status, late.text === first.text]).toEqual([201, value === null]);
        expect((await create(order, 'K')).text).toBe(late.text);
        expect(store.orders.count()).toBe(value === null ? 1 : 2);
      },
    }),
  ),
];
