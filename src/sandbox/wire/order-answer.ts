import { type Json, parseJson, writeJson } from '../../orders/json.ts';
import { orderEnvelopes } from '../behaviour/order-envelopes.ts';
import type { Behaviour } from '../behaviour.ts';
import type { StoredOrder } from '../store/orders.ts';
import { jsonAnswer, type WireAnswer } from './answer.ts';
import { orderOnTheWire } from './order.ts';

/** The answer that holds one order; `body` is its body where that is at hand as a value. */
export function orderAnswer(
  behaviour: Behaviour,
  status: number,
  order: StoredOrder,
  body: Json = parseJson(order.body),
): WireAnswer {
  const envelope = orderEnvelopes[behaviour.answers.order];
  return jsonAnswer(status, writeJson(envelope(orderOnTheWire(order, body, behaviour.answers))));
}
