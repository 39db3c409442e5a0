import { randomUUID } from 'node:crypto';
import { seededClientId, seededMerchantId } from '../../src/sandbox/store/seed.ts';
import type { Database } from '../../src/system/sqlite.ts';

/** Creation times: over a year, within ten minutes as after an import, or all at once for one phone. */
export const spreads = ['year', 'ten_minutes', 'one_moment'] as const;
export type Spread = (typeof spreads)[number];

export const lastTime = Date.parse('2026-11-25T08:00:00.000Z');
export const orderCount = 1_000_000;
const phoneCount = 200_000;

const widths: Record<Spread, number> = {
  year: 365 * 86_400_000,
  ten_minutes: 600_000,
  one_moment: 0,
};

/** Epoch milliseconds. */
export function creationTime(index: number, spread: Spread): number {
  return lastTime - Math.floor(((orderCount - 1 - index) / orderCount) * widths[spread]);
}

/** The first phone has a tenth of the orders, the next ones a few thousand each, most others a handful. */
export function phoneOf(index: number, spread: Spread): string {
  if (spread === 'one_moment' || index % 10 === 0) return '+97680000000';
  const share = ((index * 7919) % 999_983) / 999_983;
  return `+976${80_000_001 + Math.floor(share ** 3 * (phoneCount - 1))}`;
}

/** Nearly all are delivered, except the newest; only some of the oldest have the rarest status. */
function statusOf(index: number): string {
  if (index < 300) return 'CANCELLED';
  if (index >= orderCount * 0.98) return 'CONFIRMED';
  return index % 40 === 0 ? 'IN_DELIVERY' : 'DELIVERED';
}

function bodyOf(index: number, phone: string): string {
  const items = Array.from({ length: 1 + (index % 3) }, (_, line) => ({
    sku: `TEA-${(index + line) % 500}`,
    name: 'Green tea, 100 g',
    quantity: 1 + (index % 4),
    price: `${12_500 + line * 100}.00`,
  }));
  return JSON.stringify({
    externalOrderId: `A-${index}`,
    customer: { phone, name: 'Bat-Erdene Ganbold' },
    address: { city: 'Ulaanbaatar', district: 'Sukhbaatar', street: `Peace Avenue ${index % 200}` },
    items,
    collectionMode: 'COLLECT',
    collectionAmount: '37500.00',
    total: '37500.00',
    requestedDeliveryDate: '2026-11-26',
  });
}

/** Writes the rows of single creates in one transaction. */
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
    for (let index = 0; index < orderCount; index += 1) {
      const id = randomUUID();
      const phone = phoneOf(index, spread);
      insertOrder.run(
        id,
        seededMerchantId,
        seededClientId,
        customer.id,
        `ORD-2026-${String(index + 1).padStart(6, '0')}`,
        `A-${index}`,
        statusOf(index),
        phone,
        bodyOf(index, phone),
        creationTime(index, spread),
      );
      insertDelivery.run(id, randomUUID(), 'PENDING');
    }
  });
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
