import { member, writeJson } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { normalisePhone } from '../behaviour/phones.ts';
import type { SandboxParts } from '../parts.ts';
import type { Caller } from '../store/accounts.ts';
import { needsDelivery } from './needs-delivery.ts';
import { orderNumber } from './order-number.ts';
import { resolveCustomer } from './resolve-customer.ts';

/** Writes an order that nothing speaks against, `stored` of what was `sent`, and its delivery; gives its id. */
export function addOrder(
  { store, behaviour, now, randomUuid }: SandboxParts,
  caller: Caller,
  sent: Order,
  stored: Order,
): string {
  const { customers, orders, deliveries } = behaviour;
  const sentCustomer = member(sent, 'customer');
  const sentPhone = textField(sentCustomer, 'phone');
  const phone = sentPhone === undefined ? undefined : normalisePhone[customers.phone](sentPhone);
  const externalCustomerId = textField(sentCustomer, 'externalCustomerId');
  const customerId = resolveCustomer(store, caller, { phone, externalCustomerId }, customers.externalId);
  const createdAt = now();
  const id = randomUuid();
  const year = new Date(createdAt).getUTCFullYear();
  store.orders.add({
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
  });
  if (needsDelivery(sent, deliveries)) store.deliveries.add(id, randomUuid(), deliveries.created);
  return id;
}
