import { isJsonObject, type Json, member, writeJson } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { ApiError, fieldError } from '../behaviour/api-error.ts';
import { emptyResponse, type WireResponse } from '../behaviour/responses.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import type { Caller } from '../store/accounts.ts';
import { normalisePhone } from '../store/customers.ts';
import type { StoredOrder } from '../store/orders.ts';
import type { Store } from '../store/store.ts';
import { checkOrder, checkSkus } from './check-order.ts';
import { orderResponse } from './order-response.ts';
import { findOrder, timeOrderedUuid } from './order-status.ts';
import type { Service } from './service.ts';
import { applyUnknownFields } from './unknown-fields.ts';

export interface Created {
  response: WireResponse;
  orderId?: string;
}

/** Interface section 4.1; inside a transaction. An ApiError is thrown before anything is written. */
export function createOrder(service: Service, { caller, order }: { caller: Caller; order: Order }): Created {
  const { store, behaviour, clock } = service;
  checkOrder(order, behaviour, clock.now());
  const stored = applyUnknownFields(order, behaviour.orders);
  const old = findOldOrder(service, caller, order);
  if (old !== undefined) return { response: orderResponse(behaviour, 200, findOrder(store, caller, old)) };
  if (!service.anySku) checkSkus(store, caller.merchantId, order);
  const added = addOrder(service, caller, order, stored);
  const { createStatus, createBody } = behaviour.answers;
  const response =
    createBody === 'nothing'
      ? emptyResponse(createStatus)
      : orderResponse(behaviour, createStatus, added, stored);
  return { response, orderId: added.id };
}

/** The id of the order with this `externalOrderId`. @throws ApiError where the behaviour rejects a repeat */
function findOldOrder({ store, behaviour }: Service, { clientId }: Caller, order: Order): string | undefined {
  const externalOrderId = textField(order, 'externalOrderId');
  if (externalOrderId === undefined) return undefined;
  const old = store.orders.withExternalId(clientId, externalOrderId);
  if (old === undefined || behaviour.orders.externalOrderIdTaken === 'old_order') return old;
  throw new ApiError('externalOrderIdExists', `An order with externalOrderId "${externalOrderId}" exists`, [
    { field: 'externalOrderId', problem: 'is taken' },
  ]);
}

/** `stored` are the fields of `sent` that the behaviour keeps. */
function addOrder(
  { store, behaviour, clock, randomUuid }: Service,
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
    customerPhone: phone,
    body: writeJson(stored),
    createdAt,
  };
  store.orders.add(order);
  const deliveryId = needsDelivery(sent, deliveries) ? newId() : null;
  const deliveryStatus = deliveryId === null ? null : (deliveries.states[0] ?? '');
  if (deliveryStatus !== null) store.deliveries.add(id, deliveryId ?? '', deliveryStatus, null);
  return {
    ...order,
    externalOrderId: order.externalOrderId ?? null,
    cancelReason: null,
    cancelledAt: null,
    deliveryId,
    deliveryStatus,
    deliveredAt: null,
  };
}

/** Interface section 1. */
function needsDelivery(order: Order, { createdAtOnce, createdFor }: Behaviour['deliveries']): boolean {
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

/** The interface names no address field, so any non-empty field with "address" in its name counts. */
function hasAddress(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, content]) => /address/i.test(name) && Boolean(content));
}

/** `ORD-<year>-<sequence>` (interface section 2.1); the sequence has at least six digits. */
function orderNumber(year: number, sequence: number): string {
  return `ORD-${year}-${String(sequence).padStart(6, '0')}`;
}

interface SentCustomer {
  phone: string | undefined;
  externalCustomerId: string | undefined;
}

/** Interface section 4.1. `remembered` is the customer of later orders with this external ID. @throws ApiError */
function resolveCustomer(
  { customers }: Store,
  caller: Caller,
  { phone, externalCustomerId }: SentCustomer,
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
    throw fieldError('phoneAmbiguous', 'customer.phone', `${matches.length} customers have ${phone}`);
  }
  const customerId = only ?? customers.add(caller.merchantId, phone);
  if (externalId !== undefined) customers.remember(caller, externalId, customerId);
  return customerId;
}
