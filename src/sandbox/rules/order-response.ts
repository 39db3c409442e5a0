import { isJsonObject, type Json, type JsonObject, parseJson, writeJson } from '../../orders/json.ts';
import { statedFields } from '../../orders/order.ts';
import { orderEnvelopes } from '../behaviour/envelopes.ts';
import { jsonResponse, type WireResponse } from '../behaviour/responses.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import type { StoredOrder } from '../store/orders.ts';

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

export function toOrderJson(order: StoredOrder, sent: Json, { orders }: Behaviour): JsonObject {
  const isStated = (name: string) => statedFields.some((field) => field === name);
  const { externalOrderId, ...stated } = fieldsOf(sent, isStated);
  const unknown = fieldsOf(sent, (name) => !serviceFields.has(name) && !isStated(name));
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

export function deliveryJson({ deliveryId, deliveryStatus, deliveredAt }: StoredOrder): Json {
  if (deliveryId === null) return null;
  const delivery = { id: deliveryId, status: deliveryStatus };
  return deliveredAt === null ? delivery : { ...delivery, deliveredAt: new Date(deliveredAt).toISOString() };
}

function fieldsOf(sent: Json, isWanted: (name: string) => boolean): JsonObject {
  return isJsonObject(sent)
    ? Object.fromEntries(Object.entries(sent).filter(([name]) => isWanted(name)))
    : {};
}

export function orderResponse(
  behaviour: Behaviour,
  status: number,
  order: StoredOrder,
  body: Json = parseJson(order.body),
): WireResponse {
  const envelope = orderEnvelopes[behaviour.answers.order];
  return jsonResponse(status, writeJson(envelope(toOrderJson(order, body, behaviour))));
}
