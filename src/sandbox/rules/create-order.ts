import { member, writeJson } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import type { SandboxParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import type { Caller } from '../store/accounts.ts';
import { orderOnTheWire } from '../wire/order.ts';
import { checkOrder } from './check-order.ts';
import { checkSkus } from './check-skus.ts';
import { findOrder } from './find-order.ts';
import { orderNumber } from './order-number.ts';
import { repeatAnswer } from './repeat-answer.ts';
import { resolveCustomer } from './resolve-customer.ts';

export interface CreateRequest {
  caller: Caller;
  idempotencyKey: string;
  /** Of the bytes as they came. */
  bodyHash: string;
  order: Order;
}

export interface CreateAnswer {
  status: number;
  answer: string;
  isReplay: boolean;
}

/** Create (interface section 4.1): every rule is looked at, and everything written, in one transaction. */
export function createOrder(parts: SandboxParts, request: CreateRequest): CreateAnswer {
  const { store, behaviour } = parts;
  const { caller, idempotencyKey, bodyHash, order } = request;
  return store.inTransaction(() => {
    const kept = store.idempotency.find(caller.clientId, idempotencyKey);
    if (kept) return { ...repeatAnswer(kept, bodyHash), isReplay: true };
    checkOrder(order);
    checkIsNew(parts, caller, order);
    if (!parts.anySku) checkSkus(store, caller.merchantId, order);
    const id = addOrder(parts, caller, order);
    const status = behaviour.status.created;
    const answer = writeJson(orderOnTheWire(findOrder(store, caller, id)));
    store.idempotency.keep(caller.clientId, idempotencyKey, { bodyHash, status, answer });
    return { status, answer, isReplay: false };
  });
}

function checkIsNew({ store }: SandboxParts, { clientId }: Caller, order: Order): void {
  const externalOrderId = textField(order, 'externalOrderId');
  if (externalOrderId === undefined || !store.orders.isExternalIdTaken(clientId, externalOrderId)) return;
  throw new Refusal('externalOrderIdExists', `An order with externalOrderId "${externalOrderId}" exists`);
}

function addOrder({ store, behaviour, now, randomUuid }: SandboxParts, caller: Caller, order: Order): string {
  const sentCustomer = member(order, 'customer');
  const sentPhone = textField(sentCustomer, 'phone');
  const phone = sentPhone === undefined ? undefined : behaviour.normalisePhone(sentPhone);
  const externalCustomerId = textField(sentCustomer, 'externalCustomerId');
  const customerId = resolveCustomer(store, caller, { phone, externalCustomerId });
  const createdAt = now();
  const id = randomUuid();
  const year = new Date(createdAt).getUTCFullYear();
  store.orders.add({
    id,
    merchantId: caller.merchantId,
    clientId: caller.clientId,
    customerId,
    orderNumber: orderNumber(year, store.orders.nextNumber(year)),
    externalOrderId: textField(order, 'externalOrderId'),
    status: behaviour.orders.created,
    customerPhone: phone ?? store.customers.phoneOf(customerId),
    body: writeJson(order),
    createdAt,
  });
  if (behaviour.deliveries.createdAtOnce) {
    store.deliveries.add(id, randomUuid(), behaviour.deliveries.created);
  }
  return id;
}
