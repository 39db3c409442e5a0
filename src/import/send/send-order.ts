import { isDeepStrictEqual } from 'node:util';
import { createOrder } from '../../api/operations/create.ts';
import { idempotencyKey } from '../../api/requests.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import { CliError } from '../../errors.ts';
import { isOpen, type LedgerEntry, notCompared } from '../../ledger/entry.ts';
import { hashBody } from '../../ledger/ledger.ts';
import { writeOrderBody } from '../../orders/order.ts';
import type { OrderOutcome } from '../results/order-outcome.ts';
import { type Decision, decide, type Sending } from './decide.ts';
import { stopOf } from './first-create.ts';
import type { OrderToSend, SendContext } from './known-orders.ts';
import { type ComparedLookup, lookUpOrder, readOrder } from './lookup.ts';
import {
  contentChangedOutcome,
  creationOutcome,
  earlierAttemptOpenOutcome,
  foundOutcome,
  orderCancelledOutcome,
} from './outcomes.ts';
import { gatherFacts, notSentOutcome, outcomeOf, stoppedOutcome } from './recall.ts';
import { createdEntry, createIntent, recordCreation } from './record.ts';

interface Sent {
  outcome: OrderOutcome;
  order?: ServiceOrder;
  error?: CliError;
  /** Why no other order may be sent; after a 403, why none may be if the next response is a 403 too. */
  stop?: CliError | undefined;
  isForbidden?: boolean;
}

type Step =
  | { action: 'look_up'; before: LedgerEntry | undefined }
  | { action: 'read'; before: LedgerEntry | undefined }
  | {
      action: 'send';
      sending: Sending;
      intent: LedgerEntry;
      /** A complete lookup just before did not find the order. */
      wasAbsent: boolean;
      before: LedgerEntry | undefined;
      replaced: ReadonlySet<string>;
    }
  | { action: 'finish'; sent: Sent };

/** Together with the ledger entry that it was made for. */
interface Lookup {
  result: ComparedLookup;
  before: LedgerEntry | undefined;
}

const maxSteps = 4;

/** Records the intent in the ledger before the request leaves, and the outcome after it. */
export async function sendOrder(order: OrderToSend, sendContext: SendContext): Promise<Sent> {
  const context = { ...sendContext, client: sendContext.client.forOneOrder() };
  const { ledger, recreatesCancelled } = context;
  const body = writeOrderBody(order.order);
  let lookup: Lookup | undefined;
  try {
    for (let steps = 0; ; steps += 1) {
      const step = await ledger.transaction(() => recordNextStep(order, body, lookup, context));
      if (step.action === 'finish') return step.sent;
      if (step.action === 'look_up') {
        // A lookup that proves nothing must leave time for the request after it.
        const lookupContext = { ...context, client: context.client.forHalfTheTime() };
        lookup = { ...step, result: await lookUpOrder(order, step.before, lookupContext) };
      } else if (step.action === 'read') {
        const result = await readOrder(order, step.before, context);
        lookup = { ...step, result };
        const orderId = step.before?.orderId;
        if (result.kind === 'cancelled' && recreatesCancelled && orderId) {
          // The order is cancelled, but others may have the same external order ID: look them up next.
          const cancelled = { orderId, externalOrderId: order.externalOrderId };
          await ledger.transaction(() => ledger.cancellations.add(cancelled));
          lookup = undefined;
        }
      } else {
        const sent = await sendRecorded(order, body, step, context);
        // Found to be cancelled only now: create it again as if that had been known before.
        const isCancelled = sent.outcome.outcome === 'conflict' && sent.outcome.code === 'order_cancelled';
        if (!(recreatesCancelled && isCancelled && steps < maxSteps)) return sent;
        lookup = undefined;
      }
    }
  } catch (error) {
    // Nothing of this order was sent: the ledger cannot be written, the API key was refused, or the service is not there.
    if (error instanceof CliError) return { outcome: stoppedOutcome(order, context), error, stop: error };
    throw error;
  }
}

/** Decides the next step and records it in the same transaction: from an intent on, other runs leave the order alone. */
function recordNextStep(
  order: OrderToSend,
  body: string,
  made: Lookup | undefined,
  context: SendContext,
): Step {
  const { ledger } = context;
  const bodyHash = hashBody(body);
  const { facts, known, hasChanged } = gatherFacts(order, bodyHash, context);
  const before = known?.entry;
  // Another run may have sent the order since.
  const lookup = made !== undefined && isDeepStrictEqual(made.before, before) ? made.result : undefined;
  if (hasChanged) known?.log.record(known.entry);
  if (lookup?.kind === 'cancelled') {
    const { externalOrderId } = order;
    for (const { id } of lookup.orders) ledger.cancellations.add({ orderId: id, externalOrderId });
  }
  const isOpenUnderOtherKey =
    context.key !== undefined &&
    before !== undefined &&
    before.idempotencyKey !== context.key &&
    isOpen(before);
  const decision: Decision = isOpenUnderOtherKey
    ? { action: 'defer', code: 'earlier_attempt_open' }
    : decide({ ...facts, lookup: lookup?.kind });
  switch (decision.action) {
    case 'look_up':
      return { action: 'look_up', before };
    case 'read':
      return { action: 'read', before };
    case 'send': {
      const ownBefore = known?.sentWith === 'own' ? before : undefined;
      const step = recordIntent(order, { body, bodyHash }, decision, { before, ownBefore }, context);
      return { ...step, wasAbsent: lookup?.kind === 'absent' };
    }
    case 'accept': {
      const found = lookup as Extract<ComparedLookup, { kind: 'equal' }>;
      const sent = acceptFound(order, bodyHash, decision.outcome, before as LedgerEntry, found, context);
      return { action: 'finish', sent };
    }
    case 'conflict':
      return { action: 'finish', sent: endInConflict(order, decision.code, before, lookup, context) };
    default: {
      const outcome = outcomeOf(order, decision, known) ?? notSentOutcome(order);
      return { action: 'finish', sent: { outcome } };
    }
  }
}

function recordIntent(
  { externalOrderId }: OrderToSend,
  { body, bodyHash }: { body: string; bodyHash: string },
  sending: Sending,
  { before, ownBefore }: { before: LedgerEntry | undefined; ownBefore: LedgerEntry | undefined },
  { ledger, run, key }: SendContext,
): Omit<Extract<Step, { action: 'send' }>, 'wasAbsent'> {
  const { generation, hasOpenAttempt, replacesCancelled } = sending;
  if (replacesCancelled) ledger.cancellations.markReplaced(externalOrderId);
  // A later generation must survive a power failure: without the ledger, the order would get the key of generation 0.
  if (generation > 0) ledger.sync();
  const usedKey = key ?? idempotencyKey(externalOrderId, body, generation);
  const sent = { externalOrderId, bodyHash, idempotencyKey: usedKey, generation };
  const intent = createIntent(sent, run, before, hasOpenAttempt);
  ledger.orders.record(intent);
  const replaced = new Set(ledger.cancellations.replacedIds(externalOrderId));
  return { action: 'send', sending, intent, before: ownBefore, replaced };
}

function acceptFound(
  order: OrderToSend,
  bodyHash: string,
  outcome: 'created' | 'already_exists',
  before: LedgerEntry,
  lookup: Extract<ComparedLookup, { kind: 'equal' | 'different' }>,
  { ledger }: SendContext,
): Sent {
  // An order that was settled without comparing its content keeps the run that created it.
  const isOurs = outcome === 'created' || before.code === notCompared;
  const entry = createdEntry({ ...before, bodyHash }, lookup.order, isOurs ? before.run : '');
  ledger.orders.record(entry);
  return { outcome: foundOutcome(order, outcome, lookup, entry), order: lookup.order };
}

/** An order that exists with other content settles what was open under its external order ID. */
function endInConflict(
  order: OrderToSend,
  code: 'content_changed' | 'order_cancelled',
  before: LedgerEntry | undefined,
  lookup: ComparedLookup | undefined,
  { ledger }: SendContext,
): Sent {
  const matching = lookup !== undefined && 'order' in lookup ? lookup.order : undefined;
  const [cancelled] = lookup?.kind === 'cancelled' ? lookup.orders : [];
  const found = matching ?? cancelled;
  const settles = before !== undefined && before.state !== 'created' && found !== undefined;
  const entry = settles ? conflictEntry(before, found) : before;
  if (settles && entry !== undefined) ledger.orders.record(entry);
  const differing = lookup?.kind === 'different' ? lookup.differences.map(({ field }) => field) : [];
  const outcome =
    code === 'content_changed'
      ? contentChangedOutcome(order, entry, differing)
      : orderCancelledOutcome(order, entry);
  return { outcome, ...(found === undefined ? {} : { order: found }) };
}

/** A later comparison shows whose order it is; what was sent before may still take effect. */
function conflictEntry(before: LedgerEntry, found: ServiceOrder): LedgerEntry {
  const { unknownAt, disputedAt } = before;
  const run = isOpen(before) ? before.run : '';
  return { ...createdEntry(before, found, run), code: notCompared, unknownAt, disputedAt };
}

async function sendRecorded(
  order: OrderToSend,
  body: string,
  { sending, intent, wasAbsent, before, replaced }: Extract<Step, { action: 'send' }>,
  { client, finder, firstCreate, ledger, now, places }: SendContext,
): Promise<Sent> {
  const { externalOrderId } = order;
  const key = intent.idempotencyKey;
  const newOrder = { externalOrderId, order: order.order, body, key, replaced, places };
  const openSince = sending.hasOpenAttempt ? ledger.runs.startedAt(intent.run) : undefined;
  const create = () => createOrder(client, finder, newOrder, { ...sending, openSince });
  const creation = await (firstCreate?.run(create) ?? create()).catch(async (error: unknown) => {
    await ledger.transaction(() => ledger.orders.withdraw(externalOrderId, before));
    throw error;
  });
  const isNew = wasAbsent && creation.outcome === 'created' && creation.isDirect;
  const base = isNew ? { ...intent, run: intent.lastRun } : intent;
  const outcome = creationOutcome(order, creation, base);
  const isForbidden = 'result' in creation && creation.result.outcome === 'forbidden';
  const sent: Sent = { outcome, isForbidden };
  // A request that was not processed does not settle the attempt before it.
  if (sending.hasOpenAttempt && isForbidden) sent.outcome = { ...outcome, outcome: 'unknown' };
  if (sending.hasOpenAttempt && creation.outcome === 'not_sent')
    sent.outcome = { ...earlierAttemptOpenOutcome(order, intent), attempts: creation.attempts };
  if ('order' in creation) sent.order = creation.order;
  if ('error' in creation) sent.error = creation.error;
  try {
    await ledger.transaction(() => recordCreation(ledger, base, creation, before, now()));
    sent.stop = stopOf(creation);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // The outcome is known, even though the ledger cannot hold it.
    sent.stop = error;
  }
  return sent;
}
