import { isJsonObject, type Json, type JsonObject, parseJson, writeJson } from '../../orders/json.ts';
import { moneyFields, statedFields } from '../../orders/order.ts';
import { orderEnvelopes } from '../behaviour/envelopes.ts';
import { jsonResponse, type WireResponse } from '../behaviour/responses.ts';
import type { Behaviour } from '../behaviour/schema.ts';
import type { StoredOrder } from '../store/orders.ts';
import { customerFields, lineFields } from './unknown-fields.ts';

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

export function toOrderJson(order: StoredOrder, sent: Json, answers: Behaviour['answers']): JsonObject {
  const isNull = answers.absentFields === 'null';
  const sentStated = fieldsOf(sent, (name) => statedFields.some((field) => field === name));
  const stated = isNull ? withNulls(sentStated) : sentStated;
  const unknown = fieldsOf(sent, (name) => !serviceFields.has(name) && !Object.hasOwn(stated, name));
  const { externalOrderId, ...fields } = answers.amounts === 'number' ? withNumbers(stated) : stated;
  const shownId = order.externalOrderId ?? externalOrderId;
  const cancellation = {
    cancelReason: order.cancelReason,
    cancelledAt: order.cancelledAt === null ? null : new Date(order.cancelledAt).toISOString(),
  };
  return {
    id: order.id,
    orderNumber: order.orderNumber,
    ...(answers.externalOrderId && shownId !== undefined ? { externalOrderId: shownId } : {}),
    status: order.status,
    ...fields,
    ...unknown,
    currency: 'MNT',
    delivery: deliveryJson(order, isNull),
    createdAt: new Date(order.createdAt).toISOString(),
    ...(order.cancelledAt === null && !isNull ? {} : cancellation),
  };
}

/** `isNull`: an unset time is null rather than absent. */
export function deliveryJson({ deliveryId, deliveryStatus, deliveredAt }: StoredOrder, isNull = false): Json {
  if (deliveryId === null) return null;
  const delivery = { id: deliveryId, status: deliveryStatus };
  if (deliveredAt !== null) return { ...delivery, deliveredAt: new Date(deliveredAt).toISOString() };
  return isNull ? { ...delivery, deliveredAt: null } : delivery;
}

function withNulls(stated: JsonObject): JsonObject {
  const nulls = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, null]));
  const { customer, items } = stated;
  return {
    ...nulls(statedFields),
    ...stated,
    ...(isJsonObject(customer) ? { customer: { ...nulls(customerFields), ...customer } } : {}),
    ...(Array.isArray(items)
      ? { items: items.map((line) => (isJsonObject(line) ? { ...nulls(lineFields), ...line } : line)) }
      : {}),
  };
}

function fieldsOf(sent: Json, isWanted: (name: string) => boolean): JsonObject {
  return isJsonObject(sent)
    ? Object.fromEntries(Object.entries(sent).filter(([name]) => isWanted(name)))
    : {};
}

/** Amounts become JSON numbers with the same digits. */
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
