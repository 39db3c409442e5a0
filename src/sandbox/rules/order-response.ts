import { type Json, type JsonObject, parseJson, writeJson } from '../../orders/json.ts';
import { statedFields } from '../../orders/order.ts';
import { orderEnvelopes } from '../behaviour/envelopes.ts';
import { jsonResponse, type WireResponse } from '../behaviour/responses.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import type { StoredOrder } from '../store/orders.ts';
import { pick } from './unknown-fields.ts';

/** Set by the service; fields of these names that were sent are not returned. */
const serviceFields = new Set([
  'id',
  'orderNumber',
  'status',
  'currency',
  'delivery',
  'createdAt',
  'cancelReason',
  'cancelledAt',
]);

export function toOrderJson(order: StoredOrder, sent: JsonObject, { orders }: Behaviour): JsonObject {
  const isStated = (name: string) => statedFields.some((field) => field === name);
  const { externalOrderId, ...stated } = pick(sent, isStated);
  const unknown = pick(sent, (name) => !serviceFields.has(name) && !isStated(name));
  const shownId = order.externalOrderId ?? externalOrderId;
  return {
    id: order.id,
    orderNumber: order.orderNumber,
    ...(shownId === undefined ? {} : { externalOrderId: shownId }),
    status: order.status,
    ...stated,
    ...unknown,
    currency: 'MNT',
    delivery: deliveryJson(order),
    ...(orders.createdAt === 'hidden' ? {} : { createdAt: new Date(order.createdAt).toISOString() }),
    ...(order.cancelledAt === null
      ? {}
      : { cancelReason: order.cancelReason, cancelledAt: new Date(order.cancelledAt).toISOString() }),
  };
}

/** As it was sent, or as much of it as the behaviour keeps. */
export function bodyOf({ body }: StoredOrder): JsonObject {
  return parseJson(body) as JsonObject;
}

export function deliveryJson({ deliveryId, deliveryStatus, deliveredAt }: StoredOrder): Json {
  if (deliveryId === null) return null;
  const delivery = { id: deliveryId, status: deliveryStatus };
  return deliveredAt === null ? delivery : { ...delivery, deliveredAt: new Date(deliveredAt).toISOString() };
}

export function orderResponse(
  behaviour: Behaviour,
  status: number,
  order: StoredOrder,
  body = bodyOf(order),
): WireResponse {
  const envelope = orderEnvelopes[behaviour.responses.order];
  return jsonResponse(status, writeJson(envelope(toOrderJson(order, body, behaviour))));
}
