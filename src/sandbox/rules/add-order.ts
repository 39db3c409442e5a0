import { isJsonObject, type Json, member, writeJson } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import type { Behaviour } from '../behaviour/behaviour.ts';
import { normalisePhone } from '../behaviour/phones.ts';
import { refuseField } from '../behaviour/refusal.ts';
import type { SandboxParts } from '../parts.ts';
import type { Caller } from '../store/accounts.ts';
import type { StoredOrder } from '../store/orders.ts';
import type { Store } from '../store/store.ts';

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

/** `ORD-<year>-<sequence>` (interface section 2.1); the sequence has at least six digits. */
export function orderNumber(year: number, sequence: number): string {
  return `ORD-${year}-${String(sequence).padStart(6, '0')}`;
}

/**
 * A UUID of version 7 (RFC 9562) from the time, in epoch milliseconds, and a random UUID: ids that are made one
 * after another stand side by side in an index, which is what makes it fast to write.
 */
export function timeOrderedUuid(time: number, randomUuid: string): string {
  const digits = Math.trunc(time).toString(16).padStart(12, '0').slice(-12);
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${randomUuid.slice(15)}`;
}

export interface CustomerFacts {
  /** Normalised. */
  phone: string | undefined;
  externalCustomerId: string | undefined;
}

/**
 * The customer of an order, by the rules of interface section 4.1 in their order. Whom an external id means
 * after its first order is the behaviour's choice, and never changes the customer of the order at hand.
 */
export function resolveCustomer(
  { customers }: Store,
  caller: Caller,
  { phone, externalCustomerId }: CustomerFacts,
  remembered: Behaviour['customers']['externalId'],
): number {
  const externalId = remembered === 'never' ? undefined : externalCustomerId;
  const known = externalId === undefined ? undefined : customers.withExternalId(caller.clientId, externalId);
  const matches = phone === undefined ? [] : customers.withPhone(caller.merchantId, phone);
  const [only, ...others] = matches;
  if (known !== undefined) {
    if (remembered === 'latest_order' && only !== undefined && others.length === 0) {
      customers.remember(caller, externalId ?? '', only);
    }
    return known;
  }
  if (others.length > 0) {
    throw refuseField('phoneAmbiguous', 'customer.phone', `${matches.length} customers have ${phone}`);
  }
  const customerId = only ?? customers.add(caller.merchantId, phone);
  if (externalId !== undefined) customers.remember(caller, externalId, customerId);
  return customerId;
}
