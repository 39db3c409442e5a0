import { isDeepStrictEqual } from 'node:util';
import { CliError } from '../../errors.ts';
import { hashOrder, isOpen, type LedgerEntry, statedIds } from '../../ledger/entry.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { LeftOutReason } from '../choices.ts';
import type { OrderOutcome } from '../results/order-outcome.ts';
import type { LedgerContext, OrderInFile, OrderToSend } from './context.ts';
import { type Decision, type DecisionInput, decide } from './decide.ts';
import type { MerchantEntry } from './merchant-entries.ts';
import { ledgerOutcome } from './outcomes.ts';

/** Before a lookup. `isRecovered`: `found` differs from the ledger's entry. Error: `ledger_not_writable`. */
export function readLedger(
  { externalOrderId }: OrderInFile,
  bodyHash: string,
  { ledger, entries, recreatesCancelled, now, run }: LedgerContext,
): { input: DecisionInput; found: MerchantEntry | undefined; isRecovered: boolean } {
  const stored = entries.find(externalOrderId);
  const isBeingSent = stored?.entry.state === 'intent' && ledger.runs.isAlive(stored.entry.lastRun);
  const found =
    stored === undefined || isBeingSent
      ? stored
      : { ...stored, entry: recoverEntry(stored.entry, ledger, now()) };
  const entry = found?.entry;
  const input: DecisionInput = {
    entry,
    owner: found?.owner ?? 'this_key',
    bodyHash,
    // Rejections are kept with an entry: without one of this key there are none.
    rejectedGeneration: found?.wasRejected
      ? ledger.orders.rejectedGeneration(externalOrderId, bodyHash)
      : undefined,
    isBeingSent,
    isOfThisRun: entry !== undefined && entry.lastRun === run,
    isCancelled: found?.isCancelled ?? false,
    recreatesCancelled,
    now: now(),
    lookup: undefined,
  };
  return { input, found, isRecovered: !isDeepStrictEqual(entry, stored?.entry) };
}

/** The intent of a dead run becomes `unknown` as of its last possible request, but not later than now. */
export function recoverEntry(entry: LedgerEntry, { runs }: Ledger, now: number): LedgerEntry {
  const past = (time: number | null) => (time === null ? null : Math.min(time, now));
  const isAbandoned = entry.state === 'intent';
  return {
    ...entry,
    state: isAbandoned ? 'unknown' : entry.state,
    unknownAt: isAbandoned ? runs.lastHeartbeat(entry.lastRun) : past(entry.unknownAt),
    first409At: past(entry.first409At),
  };
}

/** Undefined for an order that has to be sent or looked up. Error: `ledger_not_writable`. */
export function outcomeFromLedger(
  order: OrderInFile,
  bodyHash: string,
  context: LedgerContext,
): OrderOutcome | undefined {
  const { input, found } = readLedger(order, bodyHash, context);
  const decision = decide(input);
  if (decision.action === 'read') return ledgerOutcome(order, 'content_changed', input.entry);
  return outcomeWithoutSending(order, decision, found);
}

export function outcomeWithoutSending(
  order: OrderInFile,
  decision: Decision,
  found: MerchantEntry | undefined,
): OrderOutcome | undefined {
  if (decision.action === 'skip') return found && alreadyExistsOutcome(order, found);
  return 'code' in decision ? ledgerOutcome(order, decision.code, found?.entry) : undefined;
}

function alreadyExistsOutcome(
  { externalOrderId, row }: OrderInFile,
  { entry, recordedAt }: MerchantEntry,
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

function originOf(entry: LedgerEntry): Partial<OrderOutcome> {
  return { ...statedIds(entry), ...(entry.run === '' ? {} : { createdByRun: entry.run }) };
}

/** Undefined without an order that an earlier import created, or when it was cancelled here. */
export function createdBefore(
  externalOrderId: string,
  context: LedgerContext,
): Partial<OrderOutcome> | undefined {
  const created = findCreated(externalOrderId, context);
  return created && originOf(created.entry);
}

function findCreated(externalOrderId: string, { entries }: LedgerContext): MerchantEntry | undefined {
  const found = entries.find(externalOrderId);
  return found?.entry.state === 'created' && !found.isCancelled ? found : undefined;
}

export function leftOutOutcome(
  order: OrderInFile,
  reason: LeftOutReason,
  context: LedgerContext | undefined,
): OrderOutcome {
  const { externalOrderId, row } = order;
  const created = context && findCreated(externalOrderId, context);
  if (created !== undefined) return alreadyExistsOutcome(order, created);
  const open = context && openOutcome(order, context);
  return open ?? { row, externalOrderId, outcome: 'left_out', code: reason, attempts: 0 };
}

function openOutcome(order: OrderInFile, { entries }: LedgerContext): OrderOutcome | undefined {
  const entry = entries.find(order.externalOrderId)?.entry;
  return entry && isOpen(entry) ? ledgerOutcome(order, 'earlier_attempt_open', entry) : undefined;
}

export function notSentOutcome({ externalOrderId, row }: OrderInFile): OrderOutcome {
  return { row, externalOrderId, outcome: 'not_sent', code: 'stopped', attempts: 0 };
}

/** The outcome of an order that this run does not send, from the ledger. Error: `ledger_not_writable`. */
export function skippedOutcome(order: OrderToSend, context: LedgerContext): OrderOutcome {
  return (
    outcomeFromLedger(order, hashOrder(order.order), context) ??
    openOutcome(order, context) ??
    notSentOutcome(order)
  );
}

/** Like `skippedOutcome`, but works when the ledger cannot be read. */
export function stoppedOutcome(order: OrderToSend, context: LedgerContext): OrderOutcome {
  try {
    return skippedOutcome(order, context);
  } catch (error) {
    if (error instanceof CliError) return notSentOutcome(order);
    throw error;
  }
}
