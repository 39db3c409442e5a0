import { type Issue, issueOf } from '../orders/issue.ts';
import type { Order } from '../orders/order.ts';
import { deliveryMethodsOf } from '../orders/unnamed-fields.ts';
import { isPickup } from './words.ts';

/** Fields that say that the customer picks the order up. It must not be sent, whatever the tool checks (interface section 1). */
export function findPickup(order: Order): Issue[] {
  return deliveryMethodsOf(order)
    .filter(({ text }) => isPickup(text))
    .map(({ path, text }) => issueOf('pickup_not_deliverable', path, text));
}
