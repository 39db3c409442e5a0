import { writeJson } from '../../orders/json.ts';
import { orderEnvelopes } from '../behaviour/order-envelopes.ts';
import type { Behaviour } from '../behaviour.ts';
import type { StoredOrder } from '../store/orders.ts';
import { jsonAnswer, type WireAnswer } from './answer.ts';
import { orderOnTheWire } from './order.ts';

/** The answer that holds one order. */
export function orderAnswer(behaviour: Behaviour, status: number, order: StoredOrder): WireAnswer {
  const envelope = orderEnvelopes[behaviour.answers.order];
  return jsonAnswer(status, writeJson(envelope(orderOnTheWire(order, behaviour.answers))));
}
