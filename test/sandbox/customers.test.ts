import { describe, expect, it } from 'vitest';
import { sharedPhone } from '../../src/sandbox/store/seed.ts';
import { anOrder, orders, start } from './start.ts';

type Customer = { phone?: string; externalCustomerId?: string };

async function startForCustomers() {
  const service = await start();
  const createFor = (customer: Customer, key?: string) =>
    service.create(anOrder({ customer }), key === undefined ? {} : { key });
  const ordersOf = async (phone: string) =>
    (await service.get(`${orders}?customerPhone=${encodeURIComponent(phone)}`)).json.total;
  return { ...service, createFor, ordersOf };
}

describe('customer resolution (section 4.1)', () => {
  it('creates a customer when none matches, and reuses it for every spelling of the phone', async () => {
    const { createFor, countCustomers } = await startForCustomers();
    const before = countCustomers();
    for (const phone of ['99112233', '+976 9911-2233', '00976 99112233', ' 9911 2233 ']) {
      expect((await createFor({ phone })).status).toBe(201);
    }
    expect(countCustomers()).toBe(before + 1);
  });

  it('rejects a phone of several customers of the merchant', async () => {
    const { createFor, store } = await startForCustomers();
    for (const customer of [{ phone: sharedPhone }, { phone: '9900 0000', externalCustomerId: 'NEW' }]) {
      const { status, json } = await createFor(customer);
      expect([status, json.error.code]).toEqual([422, 'CUSTOMER_PHONE_AMBIGUOUS']);
    }
    expect(store.orders.count()).toBe(0);
  });

  it('prefers the customer of an external customer ID to that of the phone', async () => {
    const { createFor, countCustomers } = await startForCustomers();
    await createFor({ phone: '99112233', externalCustomerId: 'C' });
    const customers = countCustomers();
    expect((await createFor({ phone: sharedPhone, externalCustomerId: 'C' })).status).toBe(201);
    expect((await createFor({ phone: '88112233', externalCustomerId: 'C' })).status).toBe(201);
    expect(countCustomers()).toBe(customers);
    await createFor({ phone: '88112233' });
    expect(countCustomers()).toBe(customers + 1);
  });

  it('stores a new external customer ID for the customer of the phone', async () => {
    const { createFor, countCustomers, ordersOf } = await startForCustomers();
    await createFor({ phone: '99112233' });
    await createFor({ phone: '99112233', externalCustomerId: 'C' });
    const customers = countCustomers();
    await createFor({ externalCustomerId: 'C' });
    expect(countCustomers()).toBe(customers);
    expect(await ordersOf('99112233')).toBe(2);
  });

  it('does not store the external customer ID of a rejected order', async () => {
    const { createFor, create, countCustomers } = await startForCustomers();
    const customer = { phone: '99112233', externalCustomerId: 'C' };
    await create(anOrder({ customer, items: [{ sku: 'UNKNOWN' }] }));
    const before = countCustomers();
    await createFor({ externalCustomerId: 'C' });
    expect(countCustomers()).toBe(before + 1);
  });

  it('creates one customer for an unknown external customer ID without a phone', async () => {
    const { createFor, countCustomers } = await startForCustomers();
    const before = countCustomers();
    for (let time = 0; time < 2; time += 1) {
      expect((await createFor({ externalCustomerId: 'C' })).status).toBe(201);
    }
    expect(countCustomers()).toBe(before + 1);
  });

  it('separates the external customer IDs of clients', async () => {
    const { createFor, addKey, countCustomers } = await startForCustomers();
    await createFor({ externalCustomerId: 'C' });
    const before = countCustomers();
    await createFor({ externalCustomerId: 'C' }, addKey(1));
    expect(countCustomers()).toBe(before + 1);
  });

  it('shares customers among the clients of a merchant but not among merchants', async () => {
    const { createFor, addKey, countCustomers } = await startForCustomers();
    await createFor({ phone: '99112233' });
    const before = countCustomers();
    await createFor({ phone: '99112233' }, addKey(1));
    expect(countCustomers()).toBe(before);
    const otherMerchantKey = addKey();
    await createFor({ phone: '99112233' }, otherMerchantKey);
    expect(countCustomers()).toBe(before + 1);
    expect((await createFor({ phone: sharedPhone }, otherMerchantKey)).status).toBe(201);
  });

  it('compares text that is not a phone number as it is', async () => {
    const { createFor, countCustomers } = await startForCustomers();
    const before = countCustomers();
    for (const phone of ['extension 7', ' extension 7', 'extension 8']) await createFor({ phone });
    expect(countCustomers()).toBe(before + 2);
  });
});
