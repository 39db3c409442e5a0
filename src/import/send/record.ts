import type { Creation } from '../../api/operations/create.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import { isOpen, type LedgerEntry, notCompared } from '../../ledger/entry.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { textField } from '../../orders/order.ts';

/** The entry to record before the request is sent; `before` is the earlier entry, of any key. */
export function createIntent(
  sent: Pick<LedgerEntry, 'externalOrderId' | 'bodyHash' | 'idempotencyKey' | 'generation'>,
  run: string,
  before: LedgerEntry | undefined,
  hasOpenAttempt: boolean,
): LedgerEntry {
  const isSameBody = before?.bodyHash === sent.bodyHash;
  return {
    // One by one: a spread takes several microseconds.
    externalOrderId: sent.externalOrderId,
    bodyHash: sent.bodyHash,
    idempotencyKey: sent.idempotencyKey,
    generation: sent.generation,
    state: 'intent',
    orderId: null,
    orderNumber: null,
    code: null,
    run: hasOpenAttempt ? (before?.run ?? run) : run,
    lastRun: run,
    unknownAt: isSameBody ? before.unknownAt : null,
    disputedAt: isSameBody ? before.disputedAt : null,
  };
}

/** Call it in a transaction; `before` is the entry that the intent replaced. Error: `ledger_not_writable`. */
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
      orders.record(createdEntry(intent, creation.order, intent.run));
      break;
    case 'already_exists':
      // No run created it, so none may undo it.
      orders.record(createdEntry(intent, creation.order, ''));
      break;
    case 'conflict':
      recordConflict(ledger, intent, creation.order, creation.error.code === 'order_cancelled', before);
      break;
    case 'unknown':
      orders.record({ ...intent, ...attemptTimes(intent, creation, now), state: 'unknown' });
      break;
    case 'rejected': {
      // A 403 was not processed: it settles no earlier attempt.
      if (creation.result.outcome === 'forbidden') orders.withdraw(intent.externalOrderId, before);
      else {
        const code = creation.error.details.serviceCode ?? null;
        orders.record({ ...intent, ...attemptTimes(intent, creation, now), state: 'rejected', code });
      }
      break;
    }
    default:
      orders.withdraw(intent.externalOrderId, before);
  }
}

/** The entry of an order that exists; `run` created it, empty when none did. */
export function createdEntry(base: LedgerEntry, { id, order }: ServiceOrder, run: string): LedgerEntry {
  return {
    ...base,
    state: 'created',
    orderId: id,
    orderNumber: textField(order, 'orderNumber') ?? null,
    code: null,
    run,
    unknownAt: null,
    disputedAt: null,
  };
}

/** Another order has the ID, which settles any earlier attempt of this one. */
function recordConflict(
  { orders, cancellations }: Ledger,
  intent: LedgerEntry,
  found: ServiceOrder,
  isCancelled: boolean,
  before: LedgerEntry | undefined,
): void {
  const { externalOrderId } = intent;
  const wasOpen = before !== undefined && isOpen(before);
  if (isCancelled) {
    cancellations.add({ orderId: found.id, externalOrderId });
    orders.record(createdEntry(intent, found, wasOpen ? intent.run : ''));
  } else if (wasOpen) orders.record({ ...createdEntry(intent, found, ''), code: notCompared });
  else orders.withdraw(externalOrderId, before);
}

function attemptTimes(
  { unknownAt, disputedAt }: LedgerEntry,
  { result, isDisputed }: Extract<Creation, { result: unknown }>,
  now: number,
): Pick<LedgerEntry, 'unknownAt' | 'disputedAt'> {
  return {
    unknownAt: result.sawUnknown ? now : unknownAt,
    disputedAt: isDisputed ? (disputedAt ?? now) : disputedAt,
  };
}
