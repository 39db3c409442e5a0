import { expect } from 'vitest';
import { admin } from '../../admin/admin-client.ts';
import type { Case } from '../case.ts';
import { anOrder, type Service } from '../serve.ts';

const collecting = { collectionMode: 'COLLECT', collectionAmount: '5' };
const addressed = { deliveryAddress: { city: 'Улаанбаатар' } };
const addressedCustomer = { customer: { phone: '99112233', address: 'Өргөө 49' } };

/** Whether each of four orders gets a delivery: a plain one, one that collects, two with an address. */
async function withDelivery({ create }: Service): Promise<boolean[]> {
  const found = [];
  for (const fields of [{}, collecting, addressed, addressedCustomer]) {
    found.push((await create(anOrder(fields))).json.delivery !== null);
  }
  return found;
}

/** The delivery of an order before and after the cancellation. */
async function aroundCancelling({ create, cancel, read }: Service) {
  const { json } = await create(anOrder());
  const cancelled = await cancel(json.id);
  expect((await read(json.id)).json.delivery).toEqual(cancelled.json.delivery);
  return { before: json.delivery, after: cancelled.json.delivery };
}

function createdFor(value: string, expected: boolean[]): Case {
  return {
    setting: 'deliveries.createdFor',
    value,
    check: async (service) => expect(await withDelivery(service)).toEqual(expected),
  };
}

export const deliveryCases: Case[] = [
  ...[true, false].map(
    (value): Case => ({
      setting: 'deliveries.createdAtOnce',
      value,
      check: async (service) => expect(await withDelivery(service)).toEqual([value, value, value, value]),
    }),
  ),
  createdFor('every_order', [true, true, true, true]),
  createdFor('collecting_orders', [false, true, false, false]),
  createdFor('orders_with_address', [false, false, true, true]),
  ...[['PENDING', 'IN_DELIVERY', 'DELIVERED'], ['proposed', 'done'], ['only']].map(
    (value): Case => ({
      setting: 'deliveries.states',
      value,
      check: async ({ create, read, sandbox }) => {
        const { json } = await create(anOrder());
        const states = [json.delivery.status];
        for (const status of ['IN_DELIVERY', 'DELIVERED', 'CONFIRMED']) {
          await admin(sandbox).put(`/orders/${json.id}/status`, { status });
          states.push((await read(json.id)).json.delivery.status);
        }
        const last = value.at(-1);
        expect(states).toEqual([value[0], value[1] ?? last, last, value[0]]);
      },
    }),
  ),
  ...['CANCELLED', 'void'].map(
    (value): Case => ({
      setting: 'deliveries.cancelled',
      value,
      check: async (service) => expect((await aroundCancelling(service)).after.status).toBe(value),
    }),
  ),
  {
    setting: 'deliveries.whenOrderCancelled',
    value: 'cancelled',
    check: async (service) => {
      const { before, after } = await aroundCancelling(service);
      expect(after).toEqual({ ...before, status: 'CANCELLED' });
    },
  },
  {
    setting: 'deliveries.whenOrderCancelled',
    value: 'untouched',
    check: async (service) => {
      const { before, after } = await aroundCancelling(service);
      expect([before.status, after]).toEqual(['PENDING', before]);
    },
  },
  {
    setting: 'deliveries.whenOrderCancelled',
    value: 'removed',
    check: async (service) => expect((await aroundCancelling(service)).after).toBeNull(),
  },
];
