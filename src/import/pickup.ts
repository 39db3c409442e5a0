import { type Issue, issueOf } from '../orders/issue.ts';
import type { Order } from '../orders/order.ts';
import { deliveryMethodsOf } from '../orders/unnamed-fields.ts';
import { isPickup } from './words.ts';

/** Fields for customers who pick the order up; they must not be sent, even without checks (interface section 1). */
export function findPickup(order: Order): Issue[] {
  return deliveryMethodsOf(order)
    .filter(({ text }) => isPickup(text))
    .map(({ path, text }) => issueOf('pickup_not_deliverable', path, text));
}
