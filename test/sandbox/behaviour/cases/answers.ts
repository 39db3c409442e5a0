import { expect } from 'vitest';
import type { Case } from '../case.ts';
import { anOrder, orders, type Service } from '../serve.ts';

const createdOrder = expect.objectContaining({ orderNumber: 'ORD-2026-000001' });

/** The id of the first order, read from the store. */
function firstId({ store }: Service): string {
  return store.listOrders(1, {}, { offset: 0, limit: 1 }).orders[0]?.id ?? '';
}

async function createAndCancel(service: Service) {
  const created = await service.create(anOrder({ externalOrderId: 'A' }));
  const id = firstId(service);
  const cancelled = await service.cancel(id);
  return { created, cancelled, read: await service.read(id) };
}

function envelope(value: string, wrap: (order: unknown) => unknown): Case {
  return {
    setting: 'answers.order',
    value,
    check: async (service) => {
      const { created, cancelled, read } = await createAndCancel(service);
      for (const { json } of [created, cancelled, read]) expect(json).toEqual(wrap(createdOrder));
      expect((await service.list()).json.data).toEqual([createdOrder]);
    },
  };
}

const amounts = { collectionMode: 'COLLECT', collectionAmount: '25000.50', total: '99999999999999999999.10' };

const absent = {
  externalOrderId: null,
  collectionAmount: null,
  total: null,
  requestedDeliveryDate: null,
  cancelReason: null,
  cancelledAt: null,
};

export const answerCases: Case[] = [
  ...['absent', 'null'].map(
    (value): Case => ({
      setting: 'answers.absentFields',
      value,
      check: async ({ create, read }) => {
        const { json } = await create(anOrder({ externalOrderId: undefined, items: [{ name: 'Gift' }] }));
        expect((await read(json.id)).json).toEqual(json);
        const nulls = Object.entries(json).filter(([, field]) => field === null);
        expect(Object.fromEntries(nulls)).toEqual(value === 'null' ? absent : {});
        expect([json.customer, json.items, json.delivery]).toEqual([
          { phone: '99112233', ...(value === 'null' ? { externalCustomerId: null } : {}) },
          [{ name: 'Gift', ...(value === 'null' ? { sku: null } : {}) }],
          { id: expect.any(String), status: 'PENDING', ...(value === 'null' ? { deliveredAt: null } : {}) },
        ]);
      },
    }),
  ),
  ...[201, 200, 202].map(
    (value): Case => ({
      setting: 'answers.createStatus',
      value,
      check: async ({ create }) => {
        const { status, json } = await create(anOrder());
        expect([status, json]).toEqual([value, createdOrder]);
      },
    }),
  ),
  ...[200, 202, 204].map(
    (value): Case => ({
      setting: 'answers.cancelStatus',
      value,
      check: async (service) => {
        const { cancelled, read } = await createAndCancel(service);
        expect(cancelled.status).toBe(value);
        expect(read.json.status).toBe('CANCELLED');
        if (value === 204) expect(cancelled.text).toBe('');
        else expect(cancelled.json).toEqual(read.json);
      },
    }),
  ),
  ...['order', 'nothing'].map(
    (value): Case => ({
      setting: 'answers.createBody',
      value,
      check: async (service) => {
        const { create } = service;
        const order = anOrder();
        const created = await create(order, 'K');
        const replayed = await create(order, 'K');
        expect([replayed.status, replayed.text]).toEqual([201, created.text]);
        if (value === 'nothing') expect(created.text).toBe('');
        else expect(created.json).toEqual(createdOrder);
        expect((await service.read(firstId(service))).json).toEqual(createdOrder);
      },
    }),
  ),
  ...['order', 'nothing'].map(
    (value): Case => ({
      setting: 'answers.cancelBody',
      value,
      check: async (service) => {
        const { cancelled, read } = await createAndCancel(service);
        expect(cancelled.status).toBe(200);
        expect(cancelled.json).toEqual(value === 'nothing' ? undefined : read.json);
      },
    }),
  ),
  envelope('bare', (order) => order),
  envelope('data', (order) => ({ data: order })),
  envelope('order', (order) => ({ order })),
  envelope('result', (order) => ({ result: order })),
  envelope('data.order', (order) => ({ data: { order } })),
  {
    setting: 'answers.amounts',
    value: 'text',
    check: async ({ create }) => expect((await create(anOrder(amounts))).json).toMatchObject(amounts),
  },
  {
    setting: 'answers.amounts',
    value: 'number',
    check: async ({ create, send }) => {
      const { text, json } = await create(anOrder({ ...amounts, note: '7' }));
      for (const body of [text, (await send('GET', `${orders}/${json.id}`)).text]) {
        expect(body).toContain('"collectionAmount":25000.50,');
        expect(body).toContain('"total":99999999999999999999.10,');
        expect(body).toContain('"note":"7"');
      }
    },
  },
  ...[true, false].map(
    (value): Case => ({
      setting: 'answers.externalOrderId',
      value,
      check: async (service) => {
        const { created, cancelled, read } = await createAndCancel(service);
        const listed = await service.list('?externalOrderId=A');
        for (const order of [created.json, cancelled.json, read.json, listed.json.data[0]]) {
          expect(order).toEqual(createdOrder);
          expect(order.externalOrderId).toBe(value ? 'A' : undefined);
        }
      },
    }),
  ),
];
