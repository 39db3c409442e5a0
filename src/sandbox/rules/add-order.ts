import { member, writeJson } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { normalisePhone } from '../behaviour/phones.ts';
import type { SandboxParts } from '../parts.ts';
import type { Caller } from '../store/accounts.ts';
import type { StoredOrder } from '../store/orders.ts';
import { timeOrderedUuid } from '../time-ordered-uuid.ts';
import { needsDelivery } from './needs-delivery.ts';
import { orderNumber } from './order-number.ts';
import { resolveCustomer } from './resolve-customer.ts';

/** Writes an order that nothing speaks against, `stored` of what was `sent`, and its delivery. */
export function addOrder(
  { store, behaviour, clock, randomUuid }: SandboxParts,
  caller: Caller,
  sent: Order,
  stored: Order,
): StoredOrder {
  const { customers, orders, deliveries } = behaviour;
  const sentCustomer = member(sent, 'customer');
  const sentPhone = textField(sentCustomer, 'phone');
  const phone = sentPhone === undefined ? undefined : normalisePhone[customers.phone](sentPhone);
  const externalCustomerId = textField(sentCustomer, 'externalCustomerId');
  const customerId = resolveCustomer(store, caller, { phone, externalCustomerId }, customers.externalId);
  const createdAt = clock.now();
  const newId = () => timeOrderedUuid(createdAt, randomUuid());
  const id = newId();
  const year = new Date(createdAt).getUTCFullYear();
  const order = {
    id,
    merchantId: caller.merchantId,
    clientId: caller.clientId,
    customerId,
    orderNumber: orderNumber(year, store.orders.nextNumber(year)),
    externalOrderId: textField(sent, 'externalOrderId'),
    status: orders.states[0] ?? '',
    customerPhone: phone ?? store.customers.phoneOf(customerId),
    body: writeJson(stored),
    createdAt,
  };
  store.orders.add(order);
  const deliveryId = needsDelivery(sent, deliveries) ? newId() : null;
  if (deliveryId !== null) store.deliveries.add(id, deliveryId, deliveries.created);
  return {
    ...order,
    externalOrderId: order.externalOrderId ?? null,
    cancelReason: null,
    cancelledAt: null,
    deliveryId,
    deliveryStatus: deliveryId === null ? null : deliveries.created,
  };
}
