import type { Creation } from '../../api/operations/create.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import type { CliError } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import { jsonText, member } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import type { OrderOutcome } from '../results/order-outcome.ts';
import type { OrderToSend } from './order-to-send.ts';

/** What the ledger calls an order, as a line of the results. */
export function namesOf(
  row: LedgerEntry | undefined,
): Pick<OrderOutcome, 'orderId' | 'orderNumber' | 'idempotencyKey'> {
  if (row === undefined) return {};
  const { orderId, orderNumber, idempotencyKey } = row;
  return {
    ...(orderId === null ? {} : { orderId }),
    ...(orderNumber === null ? {} : { orderNumber }),
    ...(idempotencyKey === '' ? {} : { idempotencyKey }),
  };
}

/** An order of this machine is there with other content than the file has now; `differing` where the service shows it. */
export function contentChanged(
  order: OrderToSend,
  row: LedgerEntry | undefined,
  differing: readonly string[] | undefined,
): OrderOutcome {
  const name = row?.orderNumber ?? row?.orderId ?? order.externalOrderId;
  const other = differing === undefined || differing.length === 0 ? '' : `; other: ${differing.join(', ')}`;
  return {
    ...{ ...placeOf(order), ...namesOf(row), outcome: 'conflict', attempts: 0, code: 'content_changed' },
    message: `it was created before with other content (${name}${other})`,
    fix: 'cancel that order and import this one under a new id, or take its rows out',
  };
}

export function orderCancelled(order: OrderToSend, row: LedgerEntry | undefined): OrderOutcome {
  const name = row?.orderNumber ?? row?.orderId ?? order.externalOrderId;
  return {
    ...{ ...placeOf(order), ...namesOf(row), outcome: 'conflict', attempts: 0, code: 'order_cancelled' },
    message: `it was created before and is cancelled (${name})`,
    fix: 'import it under a new id, or again with --recreate-cancelled; or take its rows out',
  };
}

/** Other content may be on its way under this id: sending this one as well could make two orders of it. */
export function earlierAttemptOpen(order: OrderToSend, row: LedgerEntry | undefined): OrderOutcome {
  return {
    ...{ ...placeOf(order), ...namesOf(row), outcome: 'unknown', attempts: 0, code: 'earlier_attempt_open' },
    message: 'it was sent before, and nobody knows yet what came of that',
    fix: 'run the same command again later; what was sent may take effect for ten minutes',
  };
}

/** Nothing is sent for this order now, and why. */
export function leftAlone(
  order: OrderToSend,
  code: 'in_other_run' | 'earlier_attempt_open' | 'sent_with_other_key',
  row: LedgerEntry | undefined,
): OrderOutcome {
  switch (code) {
    case 'in_other_run':
      return {
        ...{ ...placeOf(order), outcome: 'not_sent', attempts: 0, code },
        message: `run ${row?.holder ?? ''} is sending it now`,
      };
    case 'sent_with_other_key':
      return {
        ...{ ...placeOf(order), ...namesOf(row), outcome: 'unknown', attempts: 0, code },
        message: 'it was sent with another API key before, and this key cannot find out whether it is there',
        fix: 'run the same command with a key that may list orders',
      };
    default:
      return earlierAttemptOpen(order, row);
  }
}

export function placeOf({
  externalOrderId,
  row,
}: OrderToSend): Pick<OrderOutcome, 'row' | 'externalOrderId'> {
  return { row, externalOrderId };
}

/** What came of a create, as the outcome of its order. */
export function creationOutcome(order: OrderToSend, creation: Creation, intent: LedgerEntry): OrderOutcome {
  const { outcome, attempts } = creation;
  const told = { ...placeOf(order), outcome, attempts, idempotencyKey: intent.idempotencyKey };
  if (!('order' in creation)) return { ...told, ...toldBy(creation.error) };
  const names = namesOfOfCreationOutcome(creation.order);
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
    ...{ ...placeOf(order), outcome: found.outcome, attempts: 0, ...namesOfOfCreationOutcome(found.order) },
    ...{ ...deliveryOf(found.order), idempotencyKey: found.key, ...notComparedOf(found.notCompared) },
    ...(found.run === '' ? {} : { createdByRun: found.run }),
  };
}

function namesOfOfCreationOutcome({ id, order }: ServiceOrder): Partial<OrderOutcome> {
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
