import type { JsonObject } from '../../orders/json.ts';
import { ApiError } from '../behaviour/api-error.ts';
import { bodyOf, deliveryJson } from '../rules/order-response.ts';
import type { StoredOrder } from '../store/orders.ts';
import type { Store } from '../store/store.ts';

/** The order with this id (in either case), order number or external order ID. @throws ApiError */
export function findReferred({ orders }: Store, reference: string): StoredOrder {
  const [order, another] = orders.withReference(reference);
  if (!order) {
    const message = `There is no order with the id, order number or externalOrderId "${reference}"`;
    throw new ApiError('notFound', message);
  }
  if (another) {
    throw new ApiError('requestInvalid', `More than one order matches "${reference}": use the id of one`);
  }
  return order;
}

export function describeOrder({ customers }: Store, order: StoredOrder): JsonObject {
  const { customerId, deliveryId, deliveryStatus, deliveredAt, createdAt, cancelledAt, body, ...others } =
    order;
  return {
    ...others,
    createdAt: new Date(createdAt).toISOString(),
    cancelledAt: cancelledAt === null ? null : new Date(cancelledAt).toISOString(),
    customer: customers.find(customerId),
    delivery: deliveryJson(order),
    sent: bodyOf(order),
  };
}
