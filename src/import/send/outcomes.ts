import { isDeepStrictEqual } from 'node:util';
import { again, command, joinTexts, t } from '../../advice/advice.ts';
import type { Creation } from '../../api/operations/create.ts';
import { isCancelled, type ServiceOrder } from '../../api/responses/order.ts';
import { CliError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { hashOrder, isOpen, type LedgerEntry, notCompared, statedIds } from '../../ledger/order-log.ts';
import type { Difference } from '../../orders/compare.ts';
import { jsonText, member } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import type { LeftOutReason } from '../choices.ts';
import type { OrderToSend } from '../orders/plan.ts';
import {
  describeCopies,
  echoDiffers,
  fixForCopies,
  isTwice,
  type OrderOutcome,
  orderCancelled,
  type SameId,
  sameIdOf,
  twice,
} from '../results/order-outcome.ts';
import type { LedgerContext } from './context.ts';
import { type Decision, type DecisionInput, decide } from './decide.ts';
import type { ComparedOrder } from './lookup.ts';
import type { MerchantEntry } from './merchant-entries.ts';

/** Before a lookup. `isRecovered`: `found` differs from the ledger's entry. Error: `ledger_not_writable`. */
export function readLedger(
  { externalOrderId }: OrderToSend,
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
    // Rejections are kept with an entry: without an entry of this key there is no rejection.
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
export function outcomeFromLedger(order: OrderToSend, context: LedgerContext): OrderOutcome | undefined {
  const { input, found } = readLedger(order, hashOrder(order.order), context);
  const decision = decide(input);
  if (decision.action === 'read') return ledgerOutcome(order, 'content_changed', input.entry);
  return outcomeWithoutSending(order, decision, found);
}

export function outcomeWithoutSending(
  order: OrderToSend,
  decision: Decision,
  found: MerchantEntry | undefined,
): OrderOutcome | undefined {
  if (decision.action === 'skip') return found && alreadyExistsOutcome(order, found);
  return 'code' in decision ? ledgerOutcome(order, decision.code, found?.entry) : undefined;
}

function alreadyExistsOutcome(
  { externalOrderId, row }: OrderToSend,
  { entry, recordedAt }: MerchantEntry,
): OrderOutcome {
  const when = new Date(recordedAt).toISOString().replace(/\.\d+/, '');
  return {
    row,
    externalOrderId,
    outcome: 'already_exists',
    attempts: 0,
    message: entry.run === '' ? t`found to exist ${when}` : t`created ${when} by run ${entry.run}`,
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
  order: OrderToSend,
  reason: LeftOutReason,
  context: LedgerContext | undefined,
): OrderOutcome {
  const { externalOrderId, row } = order;
  const created = context && findCreated(externalOrderId, context);
  if (created !== undefined) return withKnownCopies(alreadyExistsOutcome(order, created), created.entry);
  const open = context && openOutcome(order, context);
  return open ?? { row, externalOrderId, outcome: 'left_out', code: reason, attempts: 0 };
}

function openOutcome(order: OrderToSend, { entries }: LedgerContext): OrderOutcome | undefined {
  const entry = entries.find(order.externalOrderId)?.entry;
  return entry && isOpen(entry) ? ledgerOutcome(order, 'earlier_attempt_open', entry) : undefined;
}

export function notSentOutcome({ externalOrderId, row }: OrderToSend): OrderOutcome {
  return { row, externalOrderId, outcome: 'not_sent', code: 'stopped', attempts: 0 };
}

/** The outcome of an order that this run does not send, from the ledger. Error: `ledger_not_writable`. */
export function skippedOutcome(order: OrderToSend, context: LedgerContext): OrderOutcome {
  const known = outcomeFromLedger(order, context) ?? openOutcome(order, context) ?? notSentOutcome(order);
  return withKnownCopies(known, context.entries.find(order.externalOrderId)?.entry);
}

function withKnownCopies(outcome: OrderOutcome, entry: LedgerEntry | undefined): OrderOutcome {
  const sameId = entry === undefined ? undefined : sameIdOf(entry);
  return sameId === undefined || outcome.outcome !== 'already_exists' ? outcome : withCopies(outcome, sameId);
}

/** The outcome stays; the order that it names is the one to keep. */
export function withCopies(outcome: OrderOutcome, sameId: SameId): OrderOutcome {
  const messages = [describeCopies(sameId), ...(outcome.message === undefined ? [] : [outcome.message])];
  const message = joinTexts(messages, '; ');
  if (!isTwice(sameId)) return { ...outcome, message };
  const { orderId, orderNumber } = sameId;
  return {
    ...outcome,
    ...statedIds({ orderId, orderNumber: orderNumber ?? null, idempotencyKey: null }),
    code: twice,
    message,
    fix: fixForCopies(sameId),
  };
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

/** `differing`: the fields in which the existing order differs. */
export function ledgerOutcome(
  { externalOrderId, row, order }: OrderToSend,
  code: Extract<Decision, { code: string }>['code'],
  entry: LedgerEntry | undefined,
  differing: readonly string[] = [],
): OrderOutcome {
  const name = entry?.orderNumber ?? entry?.orderId ?? externalOrderId;
  const isOther = entry !== undefined && entry.bodyHash !== hashOrder(order);
  const outcomes: Record<typeof code, Pick<OrderOutcome, 'outcome' | 'message' | 'fix'>> = {
    content_changed: {
      outcome: 'conflict',
      message:
        differing.length === 0
          ? t`it was created before with other content (${name})`
          : t`it was created before with other content (${name}; different: ${differing.join(', ')})`,
      fix: t`compare it: ${command('get', name)}; then correct its rows, or remove them`,
    },
    order_cancelled: {
      outcome: 'conflict',
      message: t`it was created before and is cancelled (${name})`,
      fix: importAgain,
    },
    in_other_run: { outcome: 'not_sent', message: t`run ${entry?.lastRun ?? ''} is sending it now` },
    // An earlier request with other content may still take effect: another could create a second order.
    earlier_attempt_open: {
      outcome: 'unknown',
      message: isOther
        ? t`it was sent before with other content, and it is not known yet whether it was created`
        : t`it was sent before, and it is not known yet whether it was created`,
      fix: t`run the same command again later; the earlier request can take effect for up to ten minutes${again()}`,
    },
    perhaps_created: {
      outcome: 'unknown',
      message: t`it was sent before, and may be an order that the service lists with its ID in another spelling, or without an order ID`,
      fix: t`look at that order: ${command('list', '--external-order-id', externalOrderId)}; if it is another order, give this one a new ID`,
    },
    sent_with_other_key: {
      outcome: 'unknown',
      message: t`it was sent before with another API key, and this key cannot find out whether it was created`,
      fix: t`run the same command with a key that may list orders${again()}`,
    },
  };
  const { outcome, ...texts } = outcomes[code];
  const ids = code === 'in_other_run' || entry === undefined ? {} : statedIds(entry);
  // An undo cancels what an import created, whatever its rows say now.
  const isOurs = code === 'content_changed' && entry?.state === 'created' && entry.code !== notCompared;
  const origin = isOurs && entry.run !== '' ? { createdByRun: entry.run } : {};
  return { row, externalOrderId, ...ids, attempts: 0, outcome, code, ...texts, ...origin };
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
  if (isCancelled(creation.order)) {
    outcome.code = orderCancelled;
    outcome.message = t`created, and the service shows it cancelled`;
  }
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

/** Of an order that was cancelled because the service did not take all of it. */
export function cancelledOutcome(outcome: OrderOutcome): OrderOutcome {
  return {
    ...outcome,
    code: orderCancelled,
    message: t`created, and cancelled: the service did not take all its fields`,
    fix: importAgain,
  };
}

const importAgain = t`import it under a new ID, or again with --recreate-cancelled; or remove its rows`;

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
    message: t`could not be compared with the order of the service: ${fields.join(', ')}`,
  };
}

/** The service normalised or added fields as it stored the order. */
function echoFields(differences: readonly Difference[]): Pick<OrderOutcome, 'code' | 'warnings'> {
  if (differences.length === 0) return {};
  const warnings = differences.map(({ field, sent, shown }) => ({
    code: echoDiffers,
    path: field,
    message: t`was sent as "${sent}", and the service shows "${shown}"`,
  }));
  return { code: echoDiffers, warnings };
}

function errorFields({
  reportedCode,
  wholeSentence,
  details: { hint },
}: CliError): Pick<OrderOutcome, 'code' | 'message' | 'fix'> {
  return { code: reportedCode, message: wholeSentence, ...(hint === undefined ? {} : { fix: hint }) };
}
