import { expect } from 'vitest';
import type { BehaviourSettings } from '../../../../src/sandbox/behaviour/schema.ts';
import type { Case } from '../case.ts';
import { anOrder, orders, type Service } from '../serve.ts';

interface Rejection {
  statuses: number[];
  code: string;
  otherSettings?: BehaviourSettings;
  provoke(service: Service): ReturnType<Service['send']>;
}

const unknown = '00000000-0000-4000-8000-000000000000';

async function createTwice({ create }: Service, second: object) {
  const order = anOrder();
  await create(order, 'K');
  return create({ ...order, ...second }, 'K');
}

const rejections: Record<string, Rejection> = {
  keyMissing: {
    statuses: [401, 400, 403],
    code: 'UNAUTHORIZED',
    provoke: ({ send }) => send('GET', orders, { key: null }),
  },
  keyRefused: {
    statuses: [401, 403],
    code: 'UNAUTHORIZED',
    provoke: ({ send }) => send('GET', orders, { key: 'sandbox_unknown' }),
  },
  scopeMissing: {
    statuses: [403, 401],
    code: 'SCOPE_MISSING',
    provoke: ({ send, sandbox }) => send('POST', orders, { key: sandbox.readOnlyApiKey, body: anOrder() }),
  },
  idempotencyKeyMissing: {
    statuses: [400, 422],
    code: 'IDEMPOTENCY_KEY_MISSING',
    provoke: ({ send }) => send('POST', orders, { body: anOrder() }),
  },
  idempotencyKeyInvalid: {
    statuses: [400, 422],
    code: 'IDEMPOTENCY_KEY_INVALID',
    otherSettings: { keys: { format: 'uuid' } },
    provoke: ({ create }) => create(anOrder(), 'K'),
  },
  idempotencyKeyInUse: {
    statuses: [409, 425],
    code: 'IDEMPOTENCY_KEY_IN_USE',
    otherSettings: { faults: { latencyMs: 100 } },
    provoke: async ({ create }) => {
      const order = anOrder();
      const both = await Promise.all([create(order, 'K'), create(order, 'K')]);
      expect(both.map(({ status }) => status)).toContain(201);
      return both[0].status === 201 ? both[1] : both[0];
    },
  },
  bodyNotJson: {
    statuses: [400, 422],
    code: 'INVALID_JSON',
    provoke: ({ create }) => create([]),
  },
  bodyTooLarge: {
    statuses: [413, 400],
    code: 'BODY_TOO_LARGE',
    provoke: ({ create }) => create(anOrder({ note: 'x'.repeat(1024 * 1024) })),
  },
  queryInvalid: {
    statuses: [400, 422],
    code: 'INVALID_QUERY',
    provoke: ({ list }) => list('?page=x'),
  },
  reasonMissing: {
    statuses: [422, 400],
    code: 'REASON_REQUIRED',
    provoke: async ({ create, send }) => {
      const { json } = await create(anOrder());
      return send('POST', `${orders}/${json.id}/cancel`, { body: {} });
    },
  },
  idempotencyKeyRepeated: {
    statuses: [409, 422],
    code: 'IDEMPOTENCY_KEY_REPEATED',
    otherSettings: { keys: { repeated: 'refused' } },
    provoke: (service) => createTwice(service, {}),
  },
  idempotencyKeyReused: {
    statuses: [422, 409, 400],
    code: 'IDEMPOTENCY_KEY_REUSED',
    provoke: (service) => createTwice(service, { total: '1' }),
  },
  externalOrderIdExists: {
    statuses: [409, 422, 400],
    code: 'EXTERNAL_ORDER_ID_EXISTS',
    provoke: async ({ create }) => {
      await create(anOrder({ externalOrderId: 'A' }));
      return create(anOrder({ externalOrderId: 'A' }));
    },
  },
  orderInvalid: {
    statuses: [422, 400],
    code: 'MERCHANT_API_INVALID_ORDER',
    provoke: ({ create }) => create(anOrder({ collectionAmount: '5' })),
  },
  orderUnknown: {
    statuses: [404, 410, 400],
    code: 'ORDER_NOT_FOUND',
    provoke: ({ read }) => read(unknown),
  },
  orderNotCancellable: {
    statuses: [409, 422, 400],
    code: 'ORDER_NOT_CANCELLABLE',
    provoke: async ({ create, cancel }) => {
      const { json } = await create(anOrder());
      await cancel(json.id);
      return cancel(json.id);
    },
  },
};

/** Each error with its default, another status, and, unless the document states it, another code. */
export const refusalCases: Case[] = Object.entries(rejections).flatMap(([name, rejection]) => {
  const { statuses, code, otherSettings = {}, provoke } = rejection;
  const [status = 0, other = 0] = statuses;
  const changes: object[] = [{}, { [name]: { status: other } }];
  if (name !== 'orderInvalid') changes.push({ [name]: { code: 'another.code' } });
  return changes.map(
    (value, place): Case => ({
      setting: 'refusals',
      value,
      otherSettings,
      check: async (service) => {
        const { status: found, json } = await provoke(service);
        const expected = [place === 1 ? other : status, place === 2 ? 'another.code' : code];
        expect([found, json.error.code]).toEqual(expected);
      },
    }),
  );
});
