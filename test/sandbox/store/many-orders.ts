import { createHash } from 'node:crypto';
import type { OrderFilters } from '../../../src/sandbox/store/order-list.ts';
import type { NewOrder } from '../../../src/sandbox/store/orders.ts';
import { seededClientId, seededMerchantId } from '../../../src/sandbox/store/seed.ts';

/** Of the seeded merchant; ids are without order. */
export function aStoredOrder(place: number, fields: Partial<NewOrder> = {}): NewOrder {
  return {
    id: createHash('sha256').update(`${place}`).digest('hex').slice(0, 32),
    merchantId: seededMerchantId,
    clientId: seededClientId,
    customerId: 1,
    orderNumber: `ORD-2026-${place}`,
    externalOrderId: `A-${place}`,
    status: 'CONFIRMED',
    customerPhone: '+97699112233',
    body: '{}',
    createdAt: place,
    ...fields,
  };
}

/** Every combination of one value, or none, of each filter. */
export function combinationsOf(
  values: { [Name in keyof OrderFilters]: OrderFilters[Name][] },
): OrderFilters[] {
  return Object.entries(values).reduce<OrderFilters[]>(
    (found, [name, each]) =>
      found.concat(found.flatMap((filters) => each.map((value) => ({ ...filters, [name]: value })))),
    [{}],
  );
}
