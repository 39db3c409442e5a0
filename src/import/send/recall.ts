import { isDeepStrictEqual } from 'node:util';
import { CliError } from '../../errors.ts';
import { isOpen, type LedgerEntry } from '../../ledger/entry.ts';
import { hashBody, type Ledger } from '../../ledger/ledger.ts';
import { writeOrderBody } from '../../orders/order.ts';
import type { LeftOutReason } from '../choices.ts';
import type { OrderOutcome } from '../results/order-outcome.ts';
import { type Decision, decide, type Facts } from './decide.ts';
import type { KnownOrder, OrderInFile, OrderToSend, RecallContext } from './known-orders.ts';
import {
  contentChangedOutcome,
  deferredOutcome,
  earlierAttemptOpenOutcome,
  idsOfEntry,
  orderCancelledOutcome,
} from './outcomes.ts';

/** The facts before a lookup; `hasChanged` when `known` differs from what the ledger holds. Error: `ledger_not_writable`. */
export function gatherFacts(
  { externalOrderId }: OrderInFile,
  bodyHash: string,
  { ledger, known: knownOrders, recreatesCancelled, now, run }: RecallContext,
): { facts: Facts; known: KnownOrder | undefined; hasChanged: boolean } {
  const stored = knownOrders.find(externalOrderId);
  const isBeingSent = stored?.entry.state === 'intent' && ledger.runs.isAlive(stored.entry.lastRun);
  const known =
    stored === undefined || isBeingSent
      ? stored
      : { ...stored, entry: recoverEntry(stored.entry, ledger, now()) };
  const entry = known?.entry;
  return {
    known,
    hasChanged: known !== undefined && !isDeepStrictEqual(known.entry, stored?.entry),
    facts: {
      entry,
      sentWith: known?.sentWith ?? 'own',
      bodyHash,
      // Rejections are kept beside an entry, so without one of this key there are none of it.
      rejectedGeneration: known?.wasRejected
        ? ledger.orders.rejectedGeneration(externalOrderId, bodyHash)
        : undefined,
      isBeingSent,
      isOfThisRun: entry !== undefined && entry.lastRun === run,
      isCancelled: known?.isCancelled ?? false,
      recreatesCancelled,
      now: now(),
      lookup: undefined,
    },
  };
}

/** An intent of a dead run becomes `unknown` as of its last possible request; a time in the future counts as now. */
export function recoverEntry(entry: LedgerEntry, { runs }: Ledger, now: number): LedgerEntry {
  const past = (time: number | null) => (time === null ? null : Math.min(time, now));
  const isAbandoned = entry.state === 'intent';
  return {
    ...entry,
    state: isAbandoned ? 'unknown' : entry.state,
    unknownAt: isAbandoned ? runs.lastHeartbeat(entry.lastRun) : past(entry.unknownAt),
    disputedAt: past(entry.disputedAt),
  };
}

/** Undefined for an order that has to be sent or looked up. Error: `ledger_not_writable`. */
export function recallOutcome(order: OrderToSend, context: RecallContext): OrderOutcome | undefined {
  return recallByHash(order, hashBody(writeOrderBody(order.order)), context);
}

export function recallByHash(
  order: OrderInFile,
  bodyHash: string,
  context: RecallContext,
): OrderOutcome | undefined {
  const { facts, known } = gatherFacts(order, bodyHash, context);
  const decision = decide(facts);
  if (decision.action === 'read') return contentChangedOutcome(order, facts.entry);
  return outcomeOf(order, decision, known);
}

export function outcomeOf(
  order: OrderInFile,
  decision: Decision,
  known: KnownOrder | undefined,
): OrderOutcome | undefined {
  switch (decision.action) {
    case 'skip':
      return known && alreadyExistsOutcome(order, known);
    case 'conflict':
      return decision.code === 'order_cancelled'
        ? orderCancelledOutcome(order, known?.entry)
        : contentChangedOutcome(order, known?.entry);
    case 'defer':
      return deferredOutcome(order, decision.code, known?.entry);
    default:
      return undefined;
  }
}

function alreadyExistsOutcome(
  { externalOrderId, row }: OrderInFile,
  { entry, recordedAt }: KnownOrder,
): OrderOutcome {
  const when = new Date(recordedAt).toISOString().replace(/\.\d+/, '');
  return {
    row,
    externalOrderId,
    outcome: 'already_exists',
    attempts: 0,
    message: entry.run === '' ? `found to exist ${when}` : `created ${when} by run ${entry.run}`,
    ...originOf(entry),
  };
}

/** What names the order in the service, and the run that created it. */
function originOf(entry: LedgerEntry): Partial<OrderOutcome> {
  return { ...idsOfEntry(entry), ...(entry.run === '' ? {} : { createdByRun: entry.run }) };
}

/** The names of the order that an earlier import created; undefined without one, or when it was cancelled here. */
export function createdBefore(
  externalOrderId: string,
  context: RecallContext,
): Partial<OrderOutcome> | undefined {
  const known = findCreated(externalOrderId, context);
  return known && originOf(known.entry);
}

function findCreated(externalOrderId: string, { known }: RecallContext): KnownOrder | undefined {
  const found = known.find(externalOrderId);
  return found?.entry.state === 'created' && !found.isCancelled ? found : undefined;
}

/** The outcome of an order that this run does not send, from the ledger. Error: `ledger_not_writable`. */
export function skippedOutcome(order: OrderToSend, context: RecallContext): OrderOutcome {
  const recalled = recallOutcome(order, context);
  if (recalled !== undefined) return recalled;
  const entry = context.known.find(order.externalOrderId)?.entry;
  return entry !== undefined && isOpen(entry)
    ? earlierAttemptOpenOutcome(order, entry)
    : notSentOutcome(order);
}

/** The outcome of an order that is not to be delivered; what an earlier import did about it is kept. */
export function leftOutOutcome(
  { externalOrderId, row }: OrderInFile,
  reason: LeftOutReason,
  context: RecallContext | undefined,
): OrderOutcome {
  const created = context && findCreated(externalOrderId, context);
  if (created !== undefined) return alreadyExistsOutcome({ externalOrderId, row }, created);
  const entry = context?.known.find(externalOrderId)?.entry;
  if (entry !== undefined && isOpen(entry)) return earlierAttemptOpenOutcome({ externalOrderId, row }, entry);
  return { row, externalOrderId, outcome: 'left_out', code: reason, attempts: 0 };
}

export function notSentOutcome({ externalOrderId, row }: OrderToSend): OrderOutcome {
  return { row, externalOrderId, outcome: 'not_sent', code: 'stopped', attempts: 0 };
}

/** The same as `skippedOutcome`, also when the ledger cannot be read. */
export function stoppedOutcome(order: OrderToSend, context: RecallContext): OrderOutcome {
  try {
    return skippedOutcome(order, context);
  } catch (error) {
    if (error instanceof CliError) return notSentOutcome(order);
    throw error;
  }
}
