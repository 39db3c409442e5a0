import { isJsonObject, type Json, type JsonObject, writeJson } from '../../orders/json.ts';
import { moneyFields, statedFields } from '../../orders/order.ts';
import { parseJson } from '../../orders/parse-json.ts';
import { orderEnvelopes } from '../behaviour/envelopes.ts';
import { jsonResponse, type WireResponse } from '../behaviour/responses.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import type { StoredOrder } from '../store/orders.ts';

/** Fields that the service sets; a sent field of the same name is not returned. */
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

export function toOrderJson(order: StoredOrder, sent: Json, answers: Behaviour['answers']): JsonObject {
  const stated = fieldsOf(sent, (name) => statedFields.some((field) => field === name));
  const unknown = fieldsOf(sent, (name) => !serviceFields.has(name) && !Object.hasOwn(stated, name));
  const { externalOrderId, ...fields }: JsonObject = {
    externalOrderId: order.externalOrderId,
    ...(answers.amounts === 'number' ? withNumbers(stated) : stated),
  };
  return {
    id: order.id,
    orderNumber: order.orderNumber,
    ...(answers.externalOrderId ? { externalOrderId: externalOrderId ?? null } : {}),
    status: order.status,
    ...fields,
    ...unknown,
    currency: 'MNT',
    delivery: deliveryJson(order),
    createdAt: new Date(order.createdAt).toISOString(),
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

/** Amounts as JSON numbers with the same digits. */
function withNumbers(stated: JsonObject): JsonObject {
  const entries = Object.entries(stated).map(([name, value]): [string, Json] => {
    const isAmount = moneyFields.some((field) => field === name) && typeof value === 'string';
    return [name, isAmount ? parseJson(value) : value];
  });
  return Object.fromEntries(entries);
}

export function orderResponse(
  behaviour: Behaviour,
  status: number,
  order: StoredOrder,
  body: Json = parseJson(order.body),
): WireResponse {
  const envelope = orderEnvelopes[behaviour.answers.order];
  return jsonResponse(status, writeJson(envelope(toOrderJson(order, body, behaviour.answers))));
}
