import { isJsonObject, type Json, member } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import type { Behaviour } from '../behaviour.ts';

/** Whether an order gets its delivery as soon as it is created (interface section 1). */
export function needsDelivery(order: Order, { createdAtOnce, createdFor }: Behaviour['deliveries']): boolean {
  if (!createdAtOnce) return false;
  switch (createdFor) {
    case 'every_order':
      return true;
    case 'collecting_orders':
      return member(order, 'collectionMode') === 'COLLECT';
    case 'orders_with_address':
      return hasAddress(order) || hasAddress(member(order, 'customer'));
  }
}

/** The document shows no address fields: one is what calls itself an address. */
function hasAddress(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, content]) => /address/i.test(name) && Boolean(content));
}
