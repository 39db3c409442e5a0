import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { OrderFilters, Sequence } from '../../../src/sandbox/store/order-list.ts';
import type { NewOrder } from '../../../src/sandbox/store/orders.ts';
import { seededClientId, seededMerchantId } from '../../../src/sandbox/store/seed.ts';
import { openStore } from '../../../src/sandbox/store/store.ts';
import { openSandboxDatabase } from '../database.ts';

const phone = '+97699112233';
const count = 200;

/** An order of the seeded merchant; the ids are in no particular order. */
function orderAt(place: number, fields: Partial<NewOrder> = {}): NewOrder {
  return {
    id: createHash('sha256').update(`${place}`).digest('hex').slice(0, 32),
    merchantId: seededMerchantId,
    clientId: seededClientId,
    customerId: 1,
    orderNumber: `ORD-2026-${place}`,
    externalOrderId: `A-${place}`,
    status: place % 7 === 0 ? 'DELIVERED' : 'CONFIRMED',
    customerPhone: place % 3 === 0 ? phone : undefined,
    body: '{}',
    // Some orders have the same time, and times go back.
    createdAt: (place * 79) % 50,
    ...fields,
  };
}

async function storeWithOrders() {
  const store = openStore(await openSandboxDatabase(':memory:'));
  const orders = Array.from({ length: count }, (_, place) => orderAt(place));
  store.inTransaction(() => {
    for (const order of orders) store.orders.add(order);
  });
  return { store, orders };
}

const values: { [Name in keyof OrderFilters]: OrderFilters[Name][] } = {
  externalOrderId: [undefined, 'A-7'],
  orderNumber: [undefined, 'ORD-2026-7'],
  status: [undefined, 'CONFIRMED', 'LOST'],
  customerPhone: [undefined, phone],
  createdFrom: [undefined, 0, 25],
  createdTo: [undefined, -1, 30],
};

const filters = Object.entries(values).reduce<OrderFilters[]>(
  (found, [name, each]) =>
    found.flatMap((chosen) =>
      each.map((value) => (value === undefined ? chosen : { ...chosen, [name]: value })),
    ),
  [{}],
);

function matches(order: NewOrder, { createdFrom, createdTo, ...others }: OrderFilters): boolean {
  return (
    Object.entries(others).every(([name, value]) => order[name as keyof NewOrder] === value) &&
    order.createdAt >= (createdFrom ?? -Infinity) &&
    order.createdAt <= (createdTo ?? Infinity)
  );
}

const compare: Record<Sequence, (one: NewOrder, other: NewOrder) => number> = {
  newest_first: (one, other) => other.createdAt - one.createdAt,
  latest_first: () => 0,
};

describe('a list of orders', () => {
  it.each(Object.keys(compare) as Sequence[])(
    '%s has the orders that match every filter and their total',
    async (sequence) => {
      const { store, orders } = await storeWithOrders();
      const sorted = orders.toReversed().toSorted(compare[sequence]);
      for (const wanted of filters) {
        const all = sorted.filter((order) => matches(order, wanted));
        for (const [offset, limit] of [
          [0, 1],
          [10, 20],
        ] as const) {
          const { orders: page, total } = store.listOrders(seededMerchantId, wanted, {
            offset,
            limit,
            sequence,
          });
          const ids = all.slice(offset, offset + limit).map(({ id }) => id);
          expect([wanted, total, page.map(({ id }) => id)]).toEqual([wanted, all.length, ids]);
          const ofAll = store.listOrders(undefined, wanted, { offset, limit, sequence });
          expect([wanted, ofAll]).toEqual([wanted, { orders: page, total }]);
        }
      }
    },
  );

  it('has only orders of the merchant', async () => {
    const { store } = await storeWithOrders();
    const merchantId = store.accounts.addMerchant();
    const clientId = store.accounts.addClient(merchantId);
    const customerId = store.customers.add(merchantId, phone);
    store.orders.add(orderAt(count, { merchantId, clientId, customerId, status: 'LOST' }));
    const totalOf = (merchant: number, wanted: OrderFilters) =>
      store.listOrders(merchant, wanted, { offset: 0, limit: 1 }).total;
    for (const wanted of [
      { status: 'LOST' },
      { externalOrderId: `A-${count}` },
      { orderNumber: `ORD-2026-${count}` },
    ]) {
      expect([totalOf(seededMerchantId, wanted), totalOf(merchantId, wanted)]).toEqual([0, 1]);
    }
    expect([totalOf(seededMerchantId, {}), totalOf(merchantId, {})]).toEqual([count, 1]);
  });
});

describe('the orders table', () => {
  it('has each external order ID once until it is freed', async () => {
    const { store, orders } = await storeWithOrders();
    const [first, second] = orders as [NewOrder, NewOrder];
    const addAgain = () => store.orders.add(orderAt(count, { externalOrderId: first.externalOrderId }));
    expect(addAgain).toThrow('UNIQUE');
    store.orders.freeExternalId(second.id);
    expect(addAgain).toThrow('UNIQUE');
    store.orders.freeExternalId(first.id);
    addAgain();
    expect(store.orders.withExternalId(seededClientId, first.externalOrderId ?? '')).toBe(orderAt(count).id);
  });
});
