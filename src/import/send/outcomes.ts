import { advice, again, command } from '../../advice/advice.ts';
import type { Creation } from '../../api/operations/create.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import type { CliError } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { Difference } from '../../orders/compare.ts';
import { jsonText, member } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { echoDiffers, type OrderOutcome } from '../results/order-outcome.ts';
import type { ComparedLookup } from './lookup.ts';
import type { OrderInFile, OrderToSend } from './recall.ts';

function unsentOutcome(
  { externalOrderId, row }: OrderInFile,
  entry: LedgerEntry | undefined,
  fields: Pick<OrderOutcome, 'outcome' | 'code' | 'message' | 'fix'>,
): OrderOutcome {
  return { row, externalOrderId, ...idsOfEntry(entry), attempts: 0, ...fields };
}

export function idsOfEntry(
  entry: LedgerEntry | undefined,
): Pick<OrderOutcome, 'orderId' | 'orderNumber' | 'idempotencyKey'> {
  if (entry === undefined) return {};
  const { orderId, orderNumber, idempotencyKey } = entry;
  return {
    ...(orderId === null ? {} : { orderId }),
    ...(orderNumber === null ? {} : { orderNumber }),
    ...(idempotencyKey === '' ? {} : { idempotencyKey }),
  };
}

export function contentChangedOutcome(
  order: OrderInFile,
  entry: LedgerEntry | undefined,
  differing: readonly string[] = [],
): OrderOutcome {
  const name = entry?.orderNumber ?? entry?.orderId ?? order.externalOrderId;
  const fields = differing.length === 0 ? '' : `; different: ${differing.join(', ')}`;
  return unsentOutcome(order, entry, {
    outcome: 'conflict',
    code: 'content_changed',
    message: `it was created before with other content (${name}${fields})`,
    fix: advice`compare it: ${command('get', name)}; then correct its rows, or remove them`,
  });
}

export function orderCancelledOutcome(order: OrderInFile, entry: LedgerEntry | undefined): OrderOutcome {
  const name = entry?.orderNumber ?? entry?.orderId ?? order.externalOrderId;
  return unsentOutcome(order, entry, {
    outcome: 'conflict',
    code: 'order_cancelled',
    message: `it was created before and is cancelled (${name})`,
    fix: 'import it under a new ID, or again with --recreate-cancelled; or remove its rows',
  });
}

/** An earlier request with other content may still take effect: sending this one could create a second order. */
export function earlierAttemptOpenOutcome(order: OrderInFile, entry: LedgerEntry | undefined): OrderOutcome {
  return unsentOutcome(order, entry, {
    outcome: 'unknown',
    code: 'earlier_attempt_open',
    message: 'it was sent before, and it is not known yet whether it was created',
    fix: advice`run the same command again later; the earlier request can take effect for up to ten minutes${again()}`,
  });
}

export function deferredOutcome(
  order: OrderInFile,
  code: 'in_other_run' | 'earlier_attempt_open' | 'sent_with_other_key',
  entry: LedgerEntry | undefined,
): OrderOutcome {
  switch (code) {
    case 'in_other_run':
      return unsentOutcome(order, undefined, {
        outcome: 'not_sent',
        code,
        message: `run ${entry?.lastRun ?? ''} is sending it now`,
      });
    case 'sent_with_other_key':
      return unsentOutcome(order, entry, {
        outcome: 'unknown',
        code,
        message:
          'it was sent before with another API key, and this key cannot find out whether it was created',
        fix: advice`run the same command with a key that may list orders${again()}`,
      });
    default:
      return earlierAttemptOpenOutcome(order, entry);
  }
}

export function creationOutcome(order: OrderToSend, creation: Creation, intent: LedgerEntry): OrderOutcome {
  const sent: OrderOutcome = {
    row: order.row,
    externalOrderId: order.externalOrderId,
    outcome: creation.outcome,
    attempts: creation.attempts,
    idempotencyKey: intent.idempotencyKey,
  };
  if (!('order' in creation)) return { ...sent, ...errorFields(creation.error) };
  const ids = idsOfOrder(creation.order);
  if (creation.outcome === 'conflict') {
    if (creation.error.code !== 'order_cancelled') return { ...sent, ...ids, ...errorFields(creation.error) };
    const { orderId, orderNumber = null } = ids;
    return { ...orderCancelledOutcome(order, { ...intent, orderId, orderNumber }), ...sent, ...ids };
  }
  const outcome = Object.assign(
    sent,
    ids,
    deliveryOf(creation.order),
    notComparedFields(creation.notCompared),
    echoFields(creation.differences),
  );
  if (creation.outcome === 'created') outcome.createdByRun = intent.run;
  return outcome;
}

/** `entry` is as the ledger has it afterwards. */
export function foundOutcome(
  order: OrderToSend,
  outcome: 'created' | 'already_exists',
  lookup: Extract<ComparedLookup, { kind: 'equal' | 'different' }>,
  entry: LedgerEntry,
): OrderOutcome {
  return {
    row: order.row,
    externalOrderId: order.externalOrderId,
    outcome,
    attempts: 0,
    ...idsOfOrder(lookup.order),
    ...deliveryOf(lookup.order),
    idempotencyKey: entry.idempotencyKey,
    ...notComparedFields(lookup.notCompared),
    ...echoFields(lookup.differences),
    ...(entry.run === '' ? {} : { createdByRun: entry.run }),
  };
}

function idsOfOrder({ id, order }: ServiceOrder): { orderId: string; orderNumber?: string } {
  const orderNumber = textField(order, 'orderNumber');
  return { orderId: id, ...(orderNumber === undefined ? {} : { orderNumber }) };
}

function deliveryOf({ order }: ServiceOrder): Pick<OrderOutcome, 'delivery'> {
  const delivery = member(order, 'delivery');
  return delivery === undefined || delivery === null ? {} : { delivery: jsonText(delivery) };
}

function notComparedFields(fields: readonly string[]): Pick<OrderOutcome, 'code' | 'message'> {
  if (fields.length === 0) return {};
  return {
    code: 'not_compared',
    message: `could not be compared with the order of the service: ${fields.join(', ')}`,
  };
}

/** The service normalised or added fields as it stored the order. */
function echoFields(differences: readonly Difference[]): Pick<OrderOutcome, 'code' | 'warnings'> {
  if (differences.length === 0) return {};
  const warnings = differences.map(({ field, sent, shown }) => ({
    code: echoDiffers,
    path: field,
    message: `was sent as "${sent}", and the service shows "${shown}"`,
  }));
  return { code: echoDiffers, warnings };
}

function errorFields({
  reportedCode,
  wholeMessage,
  details: { hint },
}: CliError): Pick<OrderOutcome, 'code' | 'message' | 'fix'> {
  return { code: reportedCode, message: wholeMessage, ...(hint === undefined ? {} : { fix: hint }) };
}
