import type { Creation } from '../../api/create-order.ts';
import type { ServiceOrder } from '../../api/read-order.ts';
import type { CliError } from '../../errors.ts';
import type { LedgerRow } from '../../ledger/ledger-row.ts';
import { jsonText, member } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import type { OrderOutcome } from '../order-outcome.ts';
import type { OrderToSend } from './order-to-send.ts';
import { orderCancelled, placeOf } from './told-outcomes.ts';

/** What came of a create, as the outcome of its order. */
export function creationOutcome(order: OrderToSend, creation: Creation, intent: LedgerRow): OrderOutcome {
  const { outcome, attempts } = creation;
  const told = { ...placeOf(order), outcome, attempts, idempotencyKey: intent.idempotencyKey };
  if (!('order' in creation)) return { ...told, ...toldBy(creation.error) };
  const names = namesOf(creation.order);
  if (creation.outcome === 'conflict') {
    const isCancelled = creation.error.code === 'order_cancelled';
    const why: Partial<OrderOutcome> = isCancelled
      ? orderCancelled(order, {
          ...intent,
          orderId: creation.order.id,
          orderNumber: names.orderNumber ?? null,
        })
      : toldBy(creation.error);
    return { ...why, ...told, ...names };
  }
  return {
    ...{ ...told, ...names, ...deliveryOf(creation.order), ...notComparedOf(creation.notCompared) },
    ...(creation.outcome === 'created' ? { createdByRun: intent.run } : {}),
  };
}

/** An order that a look-up found, with the content that was to be sent. */
export function createdOutcome(
  order: OrderToSend,
  found: {
    order: ServiceOrder;
    outcome: 'created' | 'already_exists';
    run: string;
    key: string;
    notCompared: string[];
  },
): OrderOutcome {
  return {
    ...{ ...placeOf(order), outcome: found.outcome, attempts: 0, ...namesOf(found.order) },
    ...{ ...deliveryOf(found.order), idempotencyKey: found.key, ...notComparedOf(found.notCompared) },
    ...(found.run === '' ? {} : { createdByRun: found.run }),
  };
}

function namesOf({ id, order }: ServiceOrder): Partial<OrderOutcome> {
  const orderNumber = textField(order, 'orderNumber');
  return { orderId: id, ...(orderNumber === undefined ? {} : { orderNumber }) };
}

function deliveryOf({ order }: ServiceOrder): Partial<OrderOutcome> {
  const delivery = member(order, 'delivery');
  return delivery === undefined || delivery === null ? {} : { delivery: jsonText(delivery) };
}

function notComparedOf(fields: readonly string[]): Partial<OrderOutcome> {
  if (fields.length === 0) return {};
  return { code: 'not_compared', message: `the service does not show: ${fields.join(', ')}` };
}

function toldBy({ reportedCode, wholeMessage, details: { hint } }: CliError): Partial<OrderOutcome> {
  return { code: reportedCode, message: wholeMessage, ...(hint === undefined ? {} : { fix: hint }) };
}
