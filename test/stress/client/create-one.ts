import type { ApiClient } from '../../../src/api/client.ts';
import { type Creation, createOrder } from '../../../src/api/operations/create.ts';
import { createOrderFinder } from '../../../src/api/pages/order-finder.ts';
import { type Order, textField } from '../../../src/orders/order.ts';

/** Creates an order that nobody has heard of, under this key. */
export function createOne(client: ApiClient, order: Order, key: string): Promise<Creation> {
  return createOrder(client, createOrderFinder(client), {
    externalOrderId: textField(order, 'externalOrderId') ?? '',
    ...{ order, body: JSON.stringify(order), key },
    ...{
      hasOpenAttempt: false,
      mayComeLate: false,
      looksUpRefusals: false,
      isOverdue: false,
      replaced: new Set(),
    },
  });
}
