import type { ApiClient } from '../../../src/api/client.ts';
import { type Creation, createOrder } from '../../../src/api/operations/create.ts';
import { createOrderFinder } from '../../../src/api/pages/order-finder.ts';
import { type Order, textField } from '../../../src/orders/order.ts';
import { defaultPaths } from '../../../src/orders/unnamed-fields.ts';

/** Creates a new order under this key. */
export function createOne(client: ApiClient, order: Order, key: string): Promise<Creation> {
  const externalOrderId = textField(order, 'externalOrderId') ?? '';
  const newOrder = {
    externalOrderId,
    order,
    body: JSON.stringify(order),
    key,
    replacedIds: new Set<string>(),
    fieldPaths: defaultPaths,
  };
  return createOrder(client, createOrderFinder(client), newOrder, {
    hasOpenAttempt: false,
    mayTakeEffectLate: false,
    looksUpRejections: false,
    isOverdue: false,
  });
}
