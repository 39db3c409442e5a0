import { member, writeJson } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { ApiError, fieldError } from '../behaviour/api-error.ts';
import type { WireResponse } from '../behaviour/responses.ts';
import { type Behaviour, deliveryStates, orderStates } from '../behaviour/schema.ts';
import type { Caller } from '../store/accounts.ts';
import { normalisePhone } from '../store/customers.ts';
import type { StoredOrder } from '../store/orders.ts';
import type { Store } from '../store/store.ts';
import { checkOrder, checkSkus } from './check-order.ts';
import { orderResponse } from './order-response.ts';
import { findOrder, timeOrderedUuid } from './order-status.ts';
import type { Service } from './service.ts';
import { keptFields } from './unknown-fields.ts';

interface Created {
  response: WireResponse;
  orderId?: string;
}

/** What a seed says of an order; a service gives these itself. */
interface Stated {
  /** Epoch milliseconds. */
  createdAt?: number | undefined;
  orderNumber?: string | undefined;
  hasNoDelivery?: boolean;
}

interface NewOrder {
  caller: Caller;
  order: Order;
  stated?: Stated;
}

/** Interface section 4.1; inside a transaction. An ApiError is thrown before anything is written. */
export function createOrder(service: Service, { caller, order, stated = {} }: NewOrder): Created {
  const { behaviour, clock } = service;
  checkOrder(order, behaviour, clock.now());
  const stored = keptFields(order, behaviour.orders.fieldsBeyond);
  const old = findOldOrder(service, caller, order);
  if (old !== undefined) return { response: orderResponse(behaviour, 200, findOrder(service, caller, old)) };
  if (service.anySku !== true) checkSkus(service, caller.merchantId, order);
  const added = addOrder(service, caller, { sent: order, stored, stated });
  const response = orderResponse(behaviour, behaviour.responses.createStatus, added, stored);
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
  { sent, stored, stated }: { sent: Order; stored: Order; stated: Stated },
): StoredOrder {
  const sentCustomer = member(sent, 'customer');
  const sentPhone = textField(sentCustomer, 'phone');
  const phone = sentPhone === undefined ? undefined : normalisePhone(sentPhone);
  const externalCustomerId = textField(sentCustomer, 'externalCustomerId');
  const customerId = resolveCustomer(store, caller, { phone, externalCustomerId });
  const { createdAt = clock.now(), hasNoDelivery = false } = stated;
  const newId = () => timeOrderedUuid(createdAt, randomUuid());
  const id = newId();
  const year = new Date(createdAt).getUTCFullYear();
  const order = {
    id,
    merchantId: caller.merchantId,
    clientId: caller.clientId,
    customerId,
    orderNumber: stated.orderNumber ?? orderNumber(year, store.orders.nextNumber(year)),
    externalOrderId: textField(sent, 'externalOrderId') ?? null,
    status: orderStates[0],
    customerPhone: phone,
    body: writeJson(stored),
    createdAt,
  };
  if (stated.orderNumber !== undefined) takeNumber(store, stated.orderNumber);
  store.orders.add(order);
  const deliveryId = !hasNoDelivery && needsDelivery(sent, behaviour.deliveries) ? newId() : null;
  const [deliveryStatus] = deliveryStates;
  if (deliveryId !== null) store.deliveries.add(id, deliveryId, deliveryStatus, null);
  return {
    ...order,
    cancelReason: null,
    cancelledAt: null,
    deliveryId,
    deliveryStatus: deliveryId === null ? null : deliveryStatus,
    deliveredAt: null,
  };
}

/** Interface section 1. */
function needsDelivery(order: Order, { createdFor }: Behaviour['deliveries']): boolean {
  if (createdFor === 'collecting_orders') return member(order, 'collectionMode') === 'COLLECT';
  return createdFor === 'every_order';
}

/** `ORD-<year>-<sequence>` (interface section 2.1); the sequence has at least six digits. */
function orderNumber(year: number, sequence: number): string {
  return `ORD-${year}-${String(sequence).padStart(6, '0')}`;
}

/** Later orders of its year are numbered after it. @throws ApiError if another order has it */
function takeNumber({ orders }: Store, number: string): void {
  if (orders.withReference(number).some((order) => order.orderNumber === number))
    throw fieldError('requestInvalid', 'orderNumber', 'another order has it');
  const [, year, sequence] = number.split('-').map(Number);
  orders.takeNumber(year ?? 0, sequence ?? 0);
}

interface SentCustomer {
  phone: string | undefined;
  externalCustomerId: string | undefined;
}

/** Interface section 4.1. @throws ApiError */
function resolveCustomer({ customers }: Store, caller: Caller, sent: SentCustomer): number {
  const { phone, externalCustomerId: externalId } = sent;
  const known = externalId === undefined ? undefined : customers.withExternalId(caller.clientId, externalId);
  if (known !== undefined) return known;
  const matches = phone === undefined ? [] : customers.withPhone(caller.merchantId, phone);
  const [only, ...others] = matches;
  if (others.length > 0) {
    throw fieldError('phoneAmbiguous', 'customer.phone', `${matches.length} customers have ${phone}`);
  }
  const customerId = only ?? customers.add(caller.merchantId, phone);
  if (externalId !== undefined) {
    customers.remember(caller.clientId, externalId, caller.merchantId, customerId);
  }
  return customerId;
}
