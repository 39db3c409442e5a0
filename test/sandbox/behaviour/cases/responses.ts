import { expect } from 'vitest';
import type { Case } from '../case.ts';
import { anOrder, type Service } from '../serve.ts';

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
    setting: 'responses.order',
    value,
    check: async (service) => {
      const { created, cancelled, read } = await createAndCancel(service);
      for (const { json } of [created, cancelled, read]) expect(json).toEqual(wrap(createdOrder));
      expect((await service.list()).json.data).toEqual([createdOrder]);
    },
  };
}

export const responseCases: Case[] = [
  ...[201, 200, 202].map(
    (value): Case => ({
      setting: 'responses.createStatus',
      value,
      check: async ({ create }) => {
        const { status, json } = await create(anOrder());
        expect([status, json]).toEqual([value, createdOrder]);
      },
    }),
  ),
  ...[200, 202, 204].map(
    (value): Case => ({
      setting: 'responses.cancelStatus',
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
  envelope('bare', (order) => order),
  envelope('data', (order) => ({ data: order })),
  envelope('order', (order) => ({ order })),
];
