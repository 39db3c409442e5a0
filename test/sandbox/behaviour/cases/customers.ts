import { expect } from 'vitest';
import { sharedPhone } from '../../../../src/sandbox/store/seed.ts';
import type { Case } from '../case.ts';
import { anOrder, type Service } from '../serve.ts';

const spellings = ['99112233', '+976 9911 2233', '9911-2233', '+97699112233'];

/** The number of customers created for one phone in four spellings. */
async function countCustomers({ create, countCustomers: count }: Service): Promise<number> {
  const before = count();
  for (const phone of spellings) expect((await create(anOrder({ customer: { phone } }))).status).toBe(201);
  return count() - before;
}

async function expectAmbiguous({ create }: Service, phone: string): Promise<void> {
  const { json } = await create(anOrder({ customer: { phone } }));
  expect(json.error?.code).toBe('CUSTOMER_PHONE_AMBIGUOUS');
}

/** The external order IDs of the orders of one phone. */
async function externalOrderIdsOf({ list }: Service, phone: string): Promise<string> {
  const { json } = await list(`?customerPhone=${encodeURIComponent(phone)}`);
  return json.data.map((order: { externalOrderId: string }) => order.externalOrderId).join(' ');
}

/** The customers of three orders with one external customer ID: the second has another customer's phone, the third none. */
async function resolveCustomers(service: Service) {
  const order = (externalOrderId: string, customer: object) =>
    service.create(anOrder({ externalOrderId, customer }));
  await order('A', { phone: '88112233' });
  await order('1', { phone: '99112233', externalCustomerId: 'C' });
  await order('2', { phone: '88112233', externalCustomerId: 'C' });
  await order('3', { externalCustomerId: 'C' });
  const rows = service.database
    .prepare('SELECT external_order_id AS id, customer_id AS customer FROM orders ORDER BY sequence')
    .all() as { id: string; customer: number }[];
  return Object.fromEntries(rows.map(({ id, customer }) => [id, customer]));
}

export const customerCases: Case[] = [
  {
    setting: 'customers.phone',
    value: 'libphonenumber',
    check: async (service) => {
      expect(await countCustomers(service)).toBe(1);
      await expectAmbiguous(service, '9900 0000');
    },
  },
  {
    setting: 'customers.phone',
    value: 'digits',
    check: async (service) => {
      expect(await countCustomers(service)).toBe(2);
      await expectAmbiguous(service, '976-99000000');
      await service.create(anOrder({ externalOrderId: 'A', customer: { phone: '88-11' } }));
      expect(await externalOrderIdsOf(service, '8811')).toBe('A');
    },
  },
  {
    setting: 'customers.phone',
    value: 'as_typed',
    check: async (service) => {
      expect(await countCustomers(service)).toBe(4);
      await expectAmbiguous(service, sharedPhone);
      await service.create(anOrder({ externalOrderId: 'A', customer: { phone: '88-11' } }));
      expect([await externalOrderIdsOf(service, '8811'), await externalOrderIdsOf(service, '88-11')]).toEqual(
        ['', 'A'],
      );
    },
  },
  {
    setting: 'customers.externalId',
    value: 'first_order',
    check: async (service) => {
      const customers = await resolveCustomers(service);
      expect([customers[2], customers[3]]).toEqual([customers[1], customers[1]]);
      expect(customers.A).not.toBe(customers[1]);
    },
  },
  {
    setting: 'customers.externalId',
    value: 'latest_order',
    check: async (service) => {
      const customers = await resolveCustomers(service);
      expect([customers[2], customers[3]]).toEqual([customers[1], customers.A]);
      expect(customers.A).not.toBe(customers[1]);
    },
  },
  {
    setting: 'customers.externalId',
    value: 'never',
    check: async (service) => {
      const customers = await resolveCustomers(service);
      expect(customers[2]).toBe(customers.A);
      expect([customers.A, customers[1]]).not.toContain(customers[3]);
    },
  },
];
