import { isJsonObject, type Json, type JsonObject, parseJson, writeJson } from '../../orders/json.ts';
import { moneyFields, statedFields } from '../../orders/order.ts';
import type { Behaviour } from '../behaviour/behaviour.ts';
import { orderEnvelopes } from '../behaviour/order-envelopes.ts';
import type { StoredOrder } from '../store/orders.ts';
import { jsonAnswer, type WireAnswer } from './response.ts';

/** What only the service says about an order; a field of the same name that was sent is not returned. */
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

/** An order as every operation answers it: the fields as they were sent, among what the service adds. */
export function orderOnTheWire(order: StoredOrder, sent: Json, answers: Behaviour['answers']): JsonObject {
  const stated = fieldsOf(sent, (name) => statedFields.some((field) => field === name));
  const beyond = fieldsOf(sent, (name) => !serviceFields.has(name) && !Object.hasOwn(stated, name));
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
    ...beyond,
    currency: 'MNT',
    delivery: order.deliveryId === null ? null : { id: order.deliveryId, status: order.deliveryStatus },
    createdAt: new Date(order.createdAt).toISOString(),
    ...(order.cancelledAt === null
      ? {}
      : { cancelReason: order.cancelReason, cancelledAt: new Date(order.cancelledAt).toISOString() }),
  };
}

function fieldsOf(sent: Json, isWanted: (name: string) => boolean): JsonObject {
  return isJsonObject(sent)
    ? Object.fromEntries(Object.entries(sent).filter(([name]) => isWanted(name)))
    : {};
}

/** Amounts as JSON numbers, with the digits that they have as text. */
function withNumbers(stated: JsonObject): JsonObject {
  const entries = Object.entries(stated).map(([name, value]): [string, Json] => {
    const isAmount = moneyFields.some((field) => field === name) && typeof value === 'string';
    return [name, isAmount ? parseJson(value) : value];
  });
  return Object.fromEntries(entries);
}

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
