import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { OrderFilters, Sequence } from '../../../src/sandbox/store/order-list.ts';
import type { NewOrder } from '../../../src/sandbox/store/orders.ts';
import { seededMerchantId } from '../../../src/sandbox/store/seed.ts';
import { openStore } from '../../../src/sandbox/store/store.ts';
import { openDatabase } from '../../../src/system/sqlite.ts';
import { aStoredOrder, combinationsOf } from './many-orders.ts';

const heavyPhone = '+97699112233';
const statuses = ['CONFIRMED', 'DELIVERED', 'CANCELLED'];
const count = 8000;

/** When each order is created: the clock goes on, goes astray, or stands still. */
const clocks: Record<string, (place: number) => number> = {
  'goes on': (place) => place * 10,
  'goes astray': (place) => ((place * 7919) % 8009) * 10,
  'stands still': (place) => (place < 7500 ? 40_000 : place * 10),
};

function orderAt(place: number, time: (place: number) => number): NewOrder {
  return aStoredOrder(place, {
    status: statuses[place % 7 === 0 ? 1 : 0] ?? '',
    customerPhone: [heavyPhone, undefined, `+976${place % 50}`][place % 5 < 3 ? 0 : (place % 5) - 2],
    createdAt: time(place),
  });
}

async function storeWith(time: (place: number) => number) {
  const database = await openDatabase(':memory:');
  const store = openStore(database, randomUUID);
  const orders = Array.from({ length: count }, (_, place) => orderAt(place, time));
  store.inTransaction(() => {
    for (const order of orders) store.orders.add(order);
    for (const order of orders.filter((_, place) => place % 3 === 0)) {
      store.orders.cancel(order.id, 'CANCELLED', 'why', 0);
      order.status = 'CANCELLED';
    }
  });
  return { database, store, orders };
}

const filters = combinationsOf({
  status: [...statuses, 'LOST'],
  customerPhone: [heavyPhone, '+9763', 'none'],
  createdFrom: [0, 33_333, 40_000, 40_001, 60_000],
  createdTo: [-1, 20_000, 40_000, 46_666],
});

function isWanted(order: NewOrder, { status, customerPhone, createdFrom, createdTo }: OrderFilters): boolean {
  return (
    (status === undefined || order.status === status) &&
    (customerPhone === undefined || order.customerPhone === customerPhone) &&
    order.createdAt >= (createdFrom ?? -Infinity) &&
    order.createdAt <= (createdTo ?? Infinity)
  );
}

const compare: Record<Sequence, (one: NewOrder, other: NewOrder, places: number) => number> = {
  newest_first: (one, other, places) => other.createdAt - one.createdAt || -places,
  oldest_first: (one, other, places) => one.createdAt - other.createdAt || places,
  by_id: (one, other) => (one.id < other.id ? -1 : 1),
};

describe.each(Object.entries(clocks))('when the clock %s', (_name, time) => {
  it('lists with any filters what there is, in its order, with its total', async () => {
    const { store, orders } = await storeWith(time);
    for (const sequence of Object.keys(compare) as Sequence[]) {
      const places = new Map(orders.map((order, place) => [order, place]));
      const placeOf = (order: NewOrder) => places.get(order) ?? 0;
      const sorted = orders.toSorted((one, other) =>
        compare[sequence](one, other, placeOf(one) - placeOf(other)),
      );
      for (const wanted of filters) {
        const all = sorted.filter((order) => isWanted(order, wanted));
        const { orders: page, total } = store.listOrders(seededMerchantId, wanted, 10, 20, sequence);
        expect([wanted, total]).toEqual([wanted, all.length]);
        expect(page.map(({ id }) => id)).toEqual(all.slice(10, 30).map(({ id }) => id));
      }
    }
  });

  it('counts in rows that stay small, and none when all are gone', async () => {
    const { database } = await storeWith(time);
    const select = database.prepare('SELECT since, orders FROM order_counts');
    const rows = select.all() as { since: number; orders: number }[];
    const large = rows.filter(({ orders }) => orders > 2048);
    const standing = time(1) === time(2) ? rows.filter(({ since }) => since <= 40_000) : [];
    expect(large.filter((row) => !standing.includes(row))).toEqual([]);
    expect(rows.length).toBeGreaterThanOrEqual(statuses.length);
    database.exec('DELETE FROM orders');
    expect(select.all()).toEqual([]);
  });
});

describe('counts', () => {
  it('are of one merchant each', async () => {
    const { store, orders } = await storeWith((place) => place);
    const merchantId = store.accounts.addMerchant();
    const clientId = store.accounts.addClient(merchantId);
    const customerId = store.customers.add(merchantId, heavyPhone);
    store.orders.add(aStoredOrder(count, { merchantId, clientId, customerId }));
    for (const wanted of [
      {},
      { customerPhone: heavyPhone },
      { createdFrom: 0 },
      { externalOrderId: 'A-1' },
    ]) {
      const all = orders.filter((order) => isWanted(order, wanted)).length;
      const own = 'externalOrderId' in wanted ? 1 : all;
      expect(store.listOrders(seededMerchantId, wanted, 0, 1).total).toBe(own);
    }
    store.orders.cancel(aStoredOrder(count).id, 'CANCELLED', 'why', 0);
    const confirmed = orders.filter(({ status }) => status === 'CONFIRMED').length;
    expect(store.listOrders(seededMerchantId, { status: 'CONFIRMED' }, 0, 1).total).toBe(confirmed);
    expect(store.listOrders(merchantId, {}, 0, 1).total).toBe(1);
    expect(store.listOrders(merchantId, { customerPhone: heavyPhone, createdFrom: 0 }, 0, 1).total).toBe(1);
    expect(store.listOrders(merchantId, { externalOrderId: 'A-1' }, 0, 1).total).toBe(0);
  });
});
