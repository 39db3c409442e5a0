import { randomUUID } from 'node:crypto';
import { seededClientId, seededMerchantId } from '../../src/sandbox/store/seed.ts';
import type { Database } from '../../src/system/sqlite.ts';

/** Creation times: over a year, within ten minutes as after one import, or all at once and for one phone. */
export const spreads = ['year', 'ten_minutes', 'one_moment'] as const;
export type Spread = (typeof spreads)[number];

export const lastMoment = Date.parse('2026-11-25T08:00:00.000Z');
export const orderCount = 1_000_000;
const phoneCount = 200_000;

const widths: Record<Spread, number> = {
  year: 365 * 86_400_000,
  ten_minutes: 600_000,
  one_moment: 0,
};

/** The time of an order in epoch milliseconds. */
export function momentOf(place: number, spread: Spread): number {
  return lastMoment - Math.floor(((orderCount - 1 - place) / orderCount) * widths[spread]);
}

/** The first phone has a tenth of the orders, the next ones a few thousand each, most others a handful. */
export function phoneOf(place: number, spread: Spread): string {
  if (spread === 'one_moment' || place % 10 === 0) return '+97680000000';
  const share = ((place * 7919) % 999_983) / 999_983;
  return `+976${80_000_001 + Math.floor(share ** 3 * (phoneCount - 1))}`;
}

/** Nearly all are delivered, the newest not yet; the rarest status is among the oldest only. */
function statusOf(place: number): string {
  if (place < 300) return 'CANCELLED';
  if (place >= orderCount * 0.98) return 'CONFIRMED';
  return place % 40 === 0 ? 'IN_DELIVERY' : 'DELIVERED';
}

function bodyOf(place: number, phone: string): string {
  const items = Array.from({ length: 1 + (place % 3) }, (_, line) => ({
    sku: `TEA-${(place + line) % 500}`,
    name: 'Green tea, 100 g',
    quantity: 1 + (place % 4),
    price: `${12_500 + line * 100}.00`,
  }));
  return JSON.stringify({
    externalOrderId: `A-${place}`,
    customer: { phone, name: 'Bat-Erdene Ganbold' },
    address: { city: 'Ulaanbaatar', district: 'Sukhbaatar', street: `Peace Avenue ${place % 200}` },
    items,
    collectionMode: 'COLLECT',
    collectionAmount: '37500.00',
    total: '37500.00',
    requestedDeliveryDate: '2026-11-26',
  });
}

/** Writes the orders and their deliveries in one transaction, as single creates would have. */
export function fillWithOrders(database: Database, spread: Spread): void {
  database.exec('PRAGMA cache_size = -1000000');
  const insertCustomer = database.prepare(
    'INSERT INTO customers (merchant_id, phone) VALUES (?, NULL) RETURNING id',
  );
  const insertOrder = database.prepare(`
    INSERT INTO orders (id, merchant_id, client_id, customer_id, order_number, external_order_id, status,
      customer_phone, body, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  `);
  const insertDelivery = database.prepare('INSERT INTO deliveries (order_id, id, status) VALUES (?, ?, ?)');
  database.transaction(() => {
    database.prepare('INSERT INTO order_numbers (year, last) VALUES (2026, ?)').run(orderCount);
    const customer = insertCustomer.get(seededMerchantId) as { id: number };
    for (let place = 0; place < orderCount; place += 1) {
      const id = randomUUID();
      const phone = phoneOf(place, spread);
      insertOrder.run(
        ...[
          id,
          seededMerchantId,
          seededClientId,
          customer.id,
          `ORD-2026-${String(place + 1).padStart(6, '0')}`,
        ],
        ...[`A-${place}`, statusOf(place), phone, bodyOf(place, phone), momentOf(place, spread)],
      );
      insertDelivery.run(id, randomUUID(), 'PENDING');
    }
  });
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
