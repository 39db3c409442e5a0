import { isDeepStrictEqual } from 'node:util';
import { CliError } from '../../errors.ts';
import { isOpen, type LedgerEntry } from '../../ledger/entry.ts';
import { hashBody, type Ledger } from '../../ledger/ledger.ts';
import { writeOrderBody } from '../../orders/order.ts';
import type { OrderOutcome } from '../results/order-outcome.ts';
import { type Decision, decide, type Facts } from './decide.ts';
import type { KnownOrder, KnownOrders } from './known-orders.ts';
import type { OrderToSend } from './order-to-send.ts';
import { contentChanged, earlierAttemptOpen, leftAlone, namesOf, orderCancelled } from './outcomes.ts';

export interface RecallParts {
  ledger: Ledger;
  known: KnownOrders;
  /** Whether a cancelled order may be created again. */
  recreates: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** All that counts, before the service is asked; `isNews` when the entry is not as the ledger has it. Error: `ledger_not_writable`. */
export function gatherFacts(
  { externalOrderId }: OrderToSend,
  bodyHash: string,
  { ledger, known, recreates, now }: RecallParts,
): { facts: Facts; found: KnownOrder | undefined; isNews: boolean } {
  const before = known.find(externalOrderId);
  const isUnderWay = before?.row.state === 'intent' && ledger.runs.isAlive(before.row.holder);
  const found =
    before === undefined || isUnderWay ? before : { ...before, row: takeOver(before.row, ledger, now()) };
  const row = found?.row;
  return {
    found,
    isNews: found !== undefined && !isDeepStrictEqual(found.row, before?.row),
    facts: {
      ...{ row, bodyHash, isUnderWay, recreates, now: now(), seen: undefined },
      sentWith: found?.sentWith ?? 'own',
      rejectedGeneration: row && ledger.orders.rejectedGeneration(externalOrderId, bodyHash),
      isCancelled: typeof row?.orderId === 'string' && ledger.cancellations.has(row.orderId),
    },
  };
}

/** The intent of a run that died may have left until it died; a time that lies ahead is from before the clock was set back. */
export function takeOver(row: LedgerEntry, { runs }: Ledger, now: number): LedgerEntry {
  const past = (time: number | null) => (time === null ? null : Math.min(time, now));
  const isAbandoned = row.state === 'intent';
  return {
    ...row,
    state: isAbandoned ? 'unknown' : row.state,
    unknownAt: isAbandoned ? runs.lastSign(row.holder) : past(row.unknownAt),
    disputedAt: past(row.disputedAt),
  };
}

/**
 * What the ledger lets be said of an order without asking the service; undefined when it is to be sent, or to be
 * asked for. Error: `ledger_not_writable`.
 */
export function recallOutcome(order: OrderToSend, parts: RecallParts): OrderOutcome | undefined {
  const { facts, found } = gatherFacts(order, hashBody(writeOrderBody(order.order)), parts);
  const decision = decide(facts);
  if (decision.do === 'read') return contentChanged(order, facts.row, undefined);
  return outcomeOf(order, decision, found);
}

/** The outcome of a decision that needs no service. */
export function outcomeOf(
  order: OrderToSend,
  decision: Decision,
  found: Pick<KnownOrder, 'row' | 'log'> | undefined,
): OrderOutcome | undefined {
  const row = found?.row;
  switch (decision.do) {
    case 'skip':
      return found && alreadyThere(order, found);
    case 'conflict':
      return decision.code === 'order_cancelled'
        ? orderCancelled(order, row)
        : contentChanged(order, row, undefined);
    case 'leave':
      return leftAlone(order, decision.code, row);
    default:
      return undefined;
  }
}

function alreadyThere(
  { externalOrderId, row }: OrderToSend,
  { row: known, log }: Pick<KnownOrder, 'row' | 'log'>,
): OrderOutcome {
  const when = new Date(log.recordedAt(externalOrderId) ?? 0).toISOString().replace(/\.\d+/, '');
  const isOurs = known.run !== '';
  return {
    ...{ row, externalOrderId, outcome: 'already_exists', attempts: 0, ...namesOf(known) },
    message: isOurs ? `created ${when} by run ${known.run}` : `found there ${when}`,
    ...(isOurs ? { createdByRun: known.run } : {}),
  };
}

/** The outcome of an order that was not begun: what is known of it stands. Error: `ledger_not_writable`. */
export function notBegun(order: OrderToSend, parts: RecallParts): OrderOutcome {
  const known = recallOutcome(order, parts);
  if (known !== undefined) return known;
  const row = parts.known.find(order.externalOrderId)?.row;
  return row !== undefined && isOpen(row) ? earlierAttemptOpen(order, row) : notSent(order);
}

export function notSent({ externalOrderId, row }: OrderToSend): OrderOutcome {
  return { row, externalOrderId, outcome: 'not_sent', code: 'stopped', attempts: 0 };
}

/** The same; a ledger that cannot be read says nothing of it. */
export function unsent(order: OrderToSend, parts: RecallParts): OrderOutcome {
  try {
    return notBegun(order, parts);
  } catch (error) {
    if (error instanceof CliError) return notSent(order);
    throw error;
  }
}
