import { expect } from 'vitest';
import type { Case } from '../case.ts';
import { anOrder } from '../serve.ts';

const beyond = {
  externalOrderId: 'A',
  customer: { phone: '99112233', name: 'Бат' },
  items: [{ sku: 'TEA', quantity: 2 }, { name: 'Gift wrapping' }],
  collectionMode: 'NONE',
  note: 'ring twice',
};

const methods = [
  { fulfillmentType: 'PICKUP' },
  { delivery: { deliveryMethod: 'STORE_PICKUP' } },
  { items: [{ sku: 'TEA', shippingMethod: 'PICKUP' }] },
  { deliveryType: 'Pickup' },
  { delivery: { window: { deliveryType: 'PICKUP' } } },
  { note: 'PICKUP' },
];

const pickupProblems = {
  refuse: [
    'fulfillmentType: is a pickup, which is not a delivery',
    'delivery.deliveryMethod: is a pickup, which is not a delivery',
    'items[0].shippingMethod: is a pickup, which is not a delivery',
    undefined,
    undefined,
    undefined,
  ],
  accept: methods.map(() => undefined),
};

export const orderCases: Case[] = [
  ...(['shown', 'hidden'] as const).map(
    (value): Case => ({
      setting: 'orders.createdAt',
      value,
      check: async ({ create, read, list }) => {
        const { json } = await create(anOrder());
        for (const order of [json, (await read(json.id)).json, (await list()).json.data[0]]) {
          expect('createdAt' in order).toBe(value === 'shown');
        }
      },
    }),
  ),
  ...(['refuse', 'accept'] as const).map(
    (value): Case => ({
      setting: 'orders.pickup',
      value,
      check: async ({ create }) => {
        const problems = [];
        for (const fields of methods) problems.push((await create(anOrder(fields))).json.error?.message);
        expect(problems).toEqual(pickupProblems[value]);
      },
    }),
  ),
  ...[null, 60].map(
    (value): Case => ({
      setting: 'orders.advanceAfterSeconds',
      value,
      check: async ({ create, cancel, read, list, clock }) => {
        const { json } = await create(anOrder());
        const states = [];
        for (const seconds of [59, 1, 60]) {
          clock.now += seconds * 1000;
          const { data } = (await list()).json;
          expect(data).toEqual([(await read(json.id)).json]);
          states.push([data[0].status, data[0].delivery.status]);
        }
        const confirmed = ['CONFIRMED', 'PENDING'];
        const later = [
          ['IN_DELIVERY', 'IN_DELIVERY'],
          ['DELIVERED', 'DELIVERED'],
        ];
        expect(states).toEqual([confirmed, ...(value === null ? [confirmed, confirmed] : later)]);
        expect((await cancel(json.id)).status).toBe(value === null ? 200 : 409);
      },
    }),
  ),
  ...[['items', 'collectionMode'], [], ['externalOrderId', 'customer.phone', 'total']].map(
    (value): Case => ({
      setting: 'orders.required',
      value,
      check: async ({ create }) => {
        const whole = {
          ...anOrder({ total: '1' }),
          customer: { phone: '99112233', externalCustomerId: 'C' },
        };
        const { phone, ...customer } = whole.customer;
        expect((await create(whole)).status).toBe(201);
        const missing = [];
        for (const fields of [
          { items: undefined },
          { collectionMode: undefined },
          { externalOrderId: undefined },
          { customer },
          { total: undefined },
        ]) {
          const { json } = await create({
            ...anOrder(),
            ...whole,
            externalOrderId: `${missing.length}`,
            ...fields,
          });
          missing.push(json.error?.message.split(':')[0]);
        }
        const fields = ['items', 'collectionMode', 'externalOrderId', 'customer.phone', 'total'];
        expect(missing).toEqual(fields.map((field) => (value.includes(field) ? field : undefined)));
      },
    }),
  ),
  {
    setting: 'orders.fieldsBeyond',
    value: 'returned',
    check: async ({ create }) => {
      expect((await create(beyond)).json).toMatchObject(beyond);
    },
  },
  {
    setting: 'orders.fieldsBeyond',
    value: 'dropped',
    check: async ({ create, read }) => {
      const { json } = await create(beyond);
      for (const order of [json, (await read(json.id)).json]) {
        expect(order.customer).toEqual({ phone: '99112233' });
        expect(order.items).toEqual([{ sku: 'TEA' }, {}]);
        expect(order).not.toHaveProperty('note');
      }
    },
  },
  {
    setting: 'orders.fieldsBeyond',
    value: 'moved',
    check: async ({ create, read }) => {
      const sent = { ...beyond, externalOrderId: 'A-2', platform: { street: 'Энхтайвны 5' } };
      const { json } = await create(sent);
      for (const order of [json, (await read(json.id)).json]) {
        expect(order).toMatchObject({
          customer: { phone: '99112233', platform: { name: 'Бат' } },
          items: [{ sku: 'TEA', platform: { quantity: 2 } }, { platform: { name: 'Gift wrapping' } }],
          platform: { note: 'ring twice', street: 'Энхтайвны 5' },
        });
        expect(order).not.toHaveProperty('note');
      }
    },
  },
  {
    setting: 'orders.fieldsBeyond',
    value: 'refused',
    check: async ({ create }) => {
      const { note, ...withoutNote } = beyond;
      const named = [];
      for (const order of [
        { ...withoutNote, note },
        { ...withoutNote, customer: { phone: '1' } },
      ]) {
        const { status, json } = await create(order);
        expect([status, json.error.code]).toEqual([422, 'MERCHANT_API_INVALID_ORDER']);
        named.push(json.error.details.map(({ field }: { field: string }) => field));
      }
      const ofItems = ['items[0].quantity', 'items[1].name'];
      expect(named).toEqual([['note', 'customer.name', ...ofItems], ofItems]);
      expect((await create(anOrder())).status).toBe(201);
    },
  },
  {
    setting: 'orders.externalOrderIdTaken',
    value: 'refused',
    check: async ({ create }) => {
      await create(anOrder({ externalOrderId: 'A' }));
      expect((await create(anOrder({ externalOrderId: 'A' }))).status).toBe(409);
    },
  },
  {
    setting: 'orders.externalOrderIdTaken',
    value: 'old_order',
    check: async ({ create, store }) => {
      const first = await create(anOrder({ externalOrderId: 'A', total: '1' }));
      const second = await create(anOrder({ externalOrderId: 'A', total: '2' }));
      expect([second.status, second.json]).toEqual([200, first.json]);
      expect(second.headers['idempotent-replayed']).toBeUndefined();
      expect(store.orders.count()).toBe(1);
    },
  },
  {
    setting: 'orders.cancelFreesExternalOrderId',
    value: false,
    check: async ({ create, cancel }) => {
      await cancel((await create(anOrder({ externalOrderId: 'A' }))).json.id);
      expect((await create(anOrder({ externalOrderId: 'A' }))).status).toBe(409);
    },
  },
  {
    setting: 'orders.cancelFreesExternalOrderId',
    value: true,
    check: async ({ create, cancel, list }) => {
      const first = await create(anOrder({ externalOrderId: 'A' }));
      expect((await create(anOrder({ externalOrderId: 'A' }))).status).toBe(409);
      await cancel(first.json.id);
      const second = await create(anOrder({ externalOrderId: 'A' }));
      expect(second.status).toBe(201);
      expect((await create(anOrder({ externalOrderId: 'A' }))).status).toBe(409);
      const { json } = await list('?externalOrderId=A');
      expect(json.data.map((order: { id: string }) => order.id).sort()).toEqual(
        [first.json.id, second.json.id].sort(),
      );
    },
  },
];
