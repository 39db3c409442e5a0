import type { Creation } from '../../api/operations/create.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import { isOpen, type LedgerEntry, notCompared } from '../../ledger/entry.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { textField } from '../../orders/order.ts';

/** The entry that stands in the ledger before a request leaves; `before` is what stood there, or with another key. */
export function createIntent(
  sent: Pick<LedgerEntry, 'externalOrderId' | 'bodyHash' | 'idempotencyKey' | 'generation'>,
  run: string,
  before: LedgerEntry | undefined,
  goesOn: boolean,
): LedgerEntry {
  const isSameBody = before?.bodyHash === sent.bodyHash;
  return {
    ...{ ...sent, state: 'intent', orderId: null, orderNumber: null, code: null, holder: run },
    run: goesOn ? (before?.run ?? run) : run,
    unknownAt: isSameBody ? before.unknownAt : null,
    disputedAt: isSameBody ? before.disputedAt : null,
  };
}

/**
 * Writes what came of an intent; `before` is what stood there earlier. Belongs into a transaction.
 * Error: `ledger_not_writable`.
 */
export function recordCreation(
  ledger: Ledger,
  intent: LedgerEntry,
  creation: Creation,
  before: LedgerEntry | undefined,
  now: number,
): void {
  const { orders } = ledger;
  switch (creation.outcome) {
    case 'created':
      orders.record(createdRow(intent, creation.order, intent.run));
      break;
    case 'already_exists':
      // An order that was there before is no run's to undo, so none is named.
      orders.record(createdRow(intent, creation.order, ''));
      break;
    case 'conflict':
      recordConflict(ledger, intent, creation.order, creation.error.code === 'order_cancelled', before);
      break;
    case 'unknown':
      orders.record({ ...intent, ...timesOf(intent, creation, now), state: 'unknown' });
      break;
    case 'rejected': {
      // A 403 was not processed: it settles no earlier attempt.
      if (creation.ending.outcome === 'forbidden') orders.withdraw(intent.externalOrderId, before);
      else {
        const code = creation.error.details.serviceCode ?? null;
        orders.record({ ...intent, ...timesOf(intent, creation, now), state: 'rejected', code });
      }
      break;
    }
    default:
      orders.withdraw(intent.externalOrderId, before);
  }
}

/** The entry of an order that is there. */
export function createdRow(base: LedgerEntry, { id, order }: ServiceOrder, run: string): LedgerEntry {
  const orderNumber = textField(order, 'orderNumber') ?? null;
  const times = { unknownAt: null, disputedAt: null };
  return { ...base, ...times, state: 'created', orderId: id, orderNumber, code: null, run };
}

/** Another order has the id: what was open here is settled by that. */
function recordConflict(
  { orders, cancellations }: Ledger,
  intent: LedgerEntry,
  found: ServiceOrder,
  isCancelled: boolean,
  before: LedgerEntry | undefined,
): void {
  const { externalOrderId } = intent;
  if (isCancelled) {
    cancellations.add({ orderId: found.id, externalOrderId });
    orders.record(createdRow(intent, found, before !== undefined && isOpen(before) ? intent.run : ''));
  } else if (before !== undefined && isOpen(before)) {
    orders.record({ ...createdRow(intent, found, ''), code: notCompared });
  } else orders.withdraw(externalOrderId, before);
}

function timesOf(
  { unknownAt, disputedAt }: LedgerEntry,
  { ending, isDisputed }: Extract<Creation, { ending: unknown }>,
  now: number,
): Pick<LedgerEntry, 'unknownAt' | 'disputedAt'> {
  return {
    unknownAt: ending.sawUnknown ? now : unknownAt,
    disputedAt: isDisputed ? (disputedAt ?? now) : disputedAt,
  };
}
