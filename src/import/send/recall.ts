import { isDeepStrictEqual } from 'node:util';
import { CliError } from '../../errors.ts';
import { isOpen, type LedgerEntry } from '../../ledger/entry.ts';
import { hashBody, type Ledger } from '../../ledger/ledger.ts';
import { writeOrderBody } from '../../orders/order.ts';
import type { OrderOutcome } from '../results/order-outcome.ts';
import { type Decision, decide, type Facts } from './decide.ts';
import type { KnownOrder } from './known-orders.ts';
import {
  contentChangedOutcome,
  deferredOutcome,
  earlierAttemptOpenOutcome,
  idsOfEntry,
  orderCancelledOutcome,
} from './outcomes.ts';
import type { OrderInFile, OrderToSend, RecallContext } from './send-context.ts';

/** The facts before a lookup; `hasChanged` when `known` differs from what the ledger holds. Error: `ledger_not_writable`. */
export function gatherFacts(
  { externalOrderId }: OrderInFile,
  bodyHash: string,
  { ledger, known: knownOrders, recreatesCancelled, now }: RecallContext,
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
      rejectedGeneration: entry && ledger.orders.rejectedGeneration(externalOrderId, bodyHash),
      isBeingSent,
      isCancelled: typeof entry?.orderId === 'string' && ledger.cancellations.has(entry.orderId),
      recreatesCancelled,
      now: now(),
      lookup: undefined,
    },
  };
}

/**
 * An intent of a run that died becomes `unknown`, as of the last time that the run may have sent it. A time in the
 * future dates from before the clock was set back, and counts as now.
 */
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

/**
 * The outcome that follows from the ledger alone; undefined for an order that has to be sent or looked up.
 * Error: `ledger_not_writable`.
 */
export function recallOutcome(order: OrderToSend, context: RecallContext): OrderOutcome | undefined {
  return recallByHash(order, hashBody(writeOrderBody(order.order)), context);
}

/** The same for an order of which only the hash of its body is at hand. */
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
  { entry, log }: KnownOrder,
): OrderOutcome {
  const when = new Date(log.recordedAt(externalOrderId) ?? 0).toISOString().replace(/\.\d+/, '');
  const isOurs = entry.run !== '';
  return {
    row,
    externalOrderId,
    outcome: 'already_exists',
    attempts: 0,
    ...idsOfEntry(entry),
    message: isOurs ? `created ${when} by run ${entry.run}` : `found to exist ${when}`,
    ...(isOurs ? { createdByRun: entry.run } : {}),
  };
}

/** The outcome of an order that this run does not send: what the ledger knows of it still holds. Error: `ledger_not_writable`. */
export function skippedOutcome(order: OrderToSend, context: RecallContext): OrderOutcome {
  const recalled = recallOutcome(order, context);
  if (recalled !== undefined) return recalled;
  const entry = context.known.find(order.externalOrderId)?.entry;
  return entry !== undefined && isOpen(entry)
    ? earlierAttemptOpenOutcome(order, entry)
    : notSentOutcome(order);
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
