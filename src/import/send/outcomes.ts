import { advice, again, command } from '../../advice/advice.ts';
import type { Creation } from '../../api/operations/create.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import type { CliError } from '../../errors.ts';
import { type LedgerEntry, statedIds } from '../../ledger/entry.ts';
import type { Difference } from '../../orders/compare.ts';
import { jsonText, member } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { echoDiffers, type OrderOutcome } from '../results/order-outcome.ts';
import type { OrderInFile, OrderToSend } from './context.ts';
import type { Decision } from './decide.ts';
import type { ComparedOrder } from './lookup.ts';

/** `differing`: the fields in which the existing order differs. */
export function ledgerOutcome(
  { externalOrderId, row }: OrderInFile,
  code: Extract<Decision, { code: string }>['code'],
  entry: LedgerEntry | undefined,
  differing: readonly string[] = [],
): OrderOutcome {
  const name = entry?.orderNumber ?? entry?.orderId ?? externalOrderId;
  const fields = differing.length === 0 ? '' : `; different: ${differing.join(', ')}`;
  const outcomes: Record<typeof code, Pick<OrderOutcome, 'outcome' | 'message' | 'fix'>> = {
    content_changed: {
      outcome: 'conflict',
      message: `it was created before with other content (${name}${fields})`,
      fix: advice`compare it: ${command('get', name)}; then correct its rows, or remove them`,
    },
    order_cancelled: {
      outcome: 'conflict',
      message: `it was created before and is cancelled (${name})`,
      fix: 'import it under a new ID, or again with --recreate-cancelled; or remove its rows',
    },
    in_other_run: { outcome: 'not_sent', message: `run ${entry?.lastRun ?? ''} is sending it now` },
    // An earlier request with other content may still take effect: another could create a second order.
    earlier_attempt_open: {
      outcome: 'unknown',
      message: 'it was sent before, and it is not known yet whether it was created',
      fix: advice`run the same command again later; the earlier request can take effect for up to ten minutes${again()}`,
    },
    sent_with_other_key: {
      outcome: 'unknown',
      message: 'it was sent before with another API key, and this key cannot find out whether it was created',
      fix: advice`run the same command with a key that may list orders${again()}`,
    },
  };
  const { outcome, ...texts } = outcomes[code];
  const ids = code === 'in_other_run' || entry === undefined ? {} : statedIds(entry);
  return { row, externalOrderId, ...ids, attempts: 0, outcome, code, ...texts };
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
    return {
      ...ledgerOutcome(order, 'order_cancelled', { ...intent, orderId, orderNumber }),
      ...sent,
      ...ids,
    };
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

/** `entry`: as it is in the ledger afterwards. */
export function foundOutcome(
  order: OrderToSend,
  outcome: 'created' | 'already_exists',
  lookup: ComparedOrder,
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
