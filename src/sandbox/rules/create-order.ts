import { type Order, textField } from '../../orders/order.ts';
import { Refusal } from '../behaviour/refusal.ts';
import { orderAnswer } from '../http/order-response.ts';
import { emptyAnswer, type WireAnswer } from '../http/response.ts';
import type { SandboxParts } from '../parts.ts';
import type { Caller } from '../store/accounts.ts';
import { addOrder } from './add-order.ts';
import { findOrder } from './cancel-order.ts';
import { checkOrder, checkSkus, treatFieldsBeyond } from './check-order.ts';

export interface Created {
  answer: WireAnswer;
  /** Of the order that was committed; absent when none was. */
  orderId?: string;
}

interface Creation {
  caller: Caller;
  order: Order;
}

/** Create (interface section 4.1), inside a transaction: a refusal has written nothing. */
export function createOrder(parts: SandboxParts, { caller, order }: Creation): Created {
  const { store, behaviour } = parts;
  checkOrder(order);
  const stored = treatFieldsBeyond(order, behaviour.orders);
  const old = findOldOrder(parts, caller, order);
  if (old !== undefined) return { answer: orderAnswer(behaviour, 200, findOrder(store, caller, old)) };
  if (!parts.anySku) checkSkus(store, caller.merchantId, order);
  const added = addOrder(parts, caller, order, stored);
  const { createStatus, createBody } = behaviour.answers;
  const answer =
    createBody === 'nothing'
      ? emptyAnswer(createStatus)
      : orderAnswer(behaviour, createStatus, added, stored);
  return { answer, orderId: added.id };
}

/** The order that has this `externalOrderId`, where that is no reason to refuse. */
function findOldOrder(
  { store, behaviour }: SandboxParts,
  { clientId }: Caller,
  order: Order,
): string | undefined {
  const externalOrderId = textField(order, 'externalOrderId');
  if (externalOrderId === undefined) return undefined;
  const old = store.orders.withExternalId(clientId, externalOrderId);
  if (old === undefined || behaviour.orders.externalOrderIdTaken === 'old_order') return old;
  throw new Refusal('externalOrderIdExists', `An order with externalOrderId "${externalOrderId}" exists`, [
    { field: 'externalOrderId', problem: 'is taken' },
  ]);
}
