import type { Creation } from '../../api/operations/create.ts';
import { isCancelled, type ServiceOrder } from '../../api/responses/order.ts';
import { type Copies, notLookedUp } from '../../ledger/copies.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isOpen, type LedgerEntry, notCompared } from '../../ledger/order-log.ts';
import { textField } from '../../orders/order.ts';

/** The entry to record before the request leaves; `before`: the earlier entry, of any key. */
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
    first409At: isSameBody ? before.first409At : null,
    copies: before === undefined ? null : copiesAfter(before, leftSomething(before)),
  };
}

/** `isDue`: a lookup has to show how many orders there are. */
export function copiesAfter({ copies }: LedgerEntry, isDue: boolean): Copies | null {
  return isDue ? (copies ?? notLookedUp) : copies;
}

/** An attempt without a response, or a 409 without an order: there may be an order that was not seen. */
function leftSomething(entry: LedgerEntry): boolean {
  return isOpen(entry) || entry.unknownAt !== null || entry.first409At !== null;
}

/** The entry of an order that is being sent, and the one of this key that it replaced. */
export interface Intent {
  entry: LedgerEntry;
  before: LedgerEntry | undefined;
}

/** Call it in a transaction. Error: `ledger_not_writable`. */
export function recordCreation(ledger: Ledger, intent: Intent, creation: Creation, now: number): void {
  const { orders, cancellations } = ledger;
  const { entry, before } = intent;
  switch (creation.outcome) {
    case 'created':
    case 'already_exists': {
      const { outcome, order } = creation;
      const copies = copiesAfter(entry, creation.mayBeSeveral);
      // No run created an order that existed before, so no undo may cancel it.
      orders.record(createdEntry({ ...entry, copies }, order, outcome === 'created' ? entry.run : ''));
      if (isCancelled(order))
        cancellations.add({ orderId: order.id, externalOrderId: entry.externalOrderId });
      break;
    }
    case 'conflict':
      recordConflict(ledger, intent, creation);
      break;
    case 'unknown':
      orders.record({ ...entry, ...attemptTimes(entry, creation, now), state: 'unknown' });
      break;
    case 'rejected': {
      // A 403 was not processed: it settles no earlier attempt.
      if (creation.result.outcome === 'forbidden') orders.withdraw(entry.externalOrderId, before);
      else {
        const code = creation.error.details.serviceCode ?? null;
        orders.record({ ...entry, ...attemptTimes(entry, creation, now), state: 'rejected', code });
      }
      break;
    }
    default:
      orders.withdraw(entry.externalOrderId, before);
  }
}

/** `run` created it; blank when no run did. */
export function createdEntry(base: LedgerEntry, { id, order }: ServiceOrder, run: string): LedgerEntry {
  return {
    ...base,
    state: 'created',
    orderId: id,
    orderNumber: textField(order, 'orderNumber') ?? null,
    code: null,
    run,
    unknownAt: null,
    first409At: null,
  };
}

/** Another order has the ID, which settles any earlier attempt of this one. */
function recordConflict(
  { orders, cancellations }: Ledger,
  { entry, before }: Intent,
  { order, error }: Extract<Creation, { outcome: 'conflict' }>,
): void {
  const { externalOrderId, run } = entry;
  const wasOpen = before !== undefined && isOpen(before);
  if (error.code === 'order_cancelled') {
    cancellations.add({ orderId: order.id, externalOrderId });
    orders.record(createdEntry(entry, order, wasOpen ? run : ''));
  } else if (wasOpen) orders.record({ ...createdEntry(entry, order, ''), code: notCompared });
  else orders.withdraw(externalOrderId, before);
}

function attemptTimes(
  { unknownAt, first409At }: LedgerEntry,
  { result, saw409 }: Extract<Creation, { result: unknown }>,
  now: number,
): Pick<LedgerEntry, 'unknownAt' | 'first409At'> {
  return {
    unknownAt: result.sawUnknown ? now : unknownAt,
    first409At: saw409 ? (first409At ?? now) : first409At,
  };
}
