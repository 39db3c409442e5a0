import { isDeepStrictEqual } from 'node:util';
import type { ApiClient } from '../../api/client.ts';
import { checkAddress } from '../../api/operations/check-address.ts';
import { type Creation, createOrder } from '../../api/operations/create.ts';
import { nextStep } from '../../api/pacing/retry.ts';
import { idempotencyKey } from '../../api/requests.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import { CliError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { hashBody, isOpen, type LedgerEntry, notCompared } from '../../ledger/order-log.ts';
import { writeOrderBody } from '../../orders/order.ts';
import type { OrderToSend } from '../orders/plan.ts';
import { type OrderOutcome, orderCancelled } from '../results/order-outcome.ts';
import type { Canary, SendContext } from './context.ts';
import { type Decision, decide, endOfSettling, isRecent, type SendDecision } from './decide.ts';
import { type ComparedLookup, type ComparedOrder, lookUpOrder, readOrder } from './lookup.ts';
import type { MerchantEntry } from './merchant-entries.ts';
import {
  creationOutcome,
  foundOutcome,
  ledgerOutcome,
  notSentOutcome,
  outcomeWithoutSending,
  readLedger,
  stoppedOutcome,
} from './outcomes.ts';
import { copiesAfter, createdEntry, createIntent, type Intent, recordCreation } from './record.ts';

interface Sent {
  outcome: OrderOutcome;
  order?: ServiceOrder;
  error?: CliError;
  /** Why no other order may be sent; after a 403, only if the next response is a 403 too. */
  stop?: CliError | undefined;
  isForbidden?: boolean;
  /** A lookup has to show how many orders there are. */
  mayBeSeveral?: boolean;
}

interface OrderWithBody extends OrderToSend {
  body: string;
  bodyHash: string;
}

/** What is known of an order before it is sent. */
interface Known {
  found: MerchantEntry | undefined;
  lookup: ComparedLookup | undefined;
}

interface RecordedRequest {
  decision: SendDecision;
  intent: Intent;
  /** A complete lookup just before did not find the order. */
  wasAbsent: boolean;
  replacedIds: ReadonlySet<string>;
}

type Next =
  | { action: 'look_up' | 'read'; before: LedgerEntry | undefined }
  | { action: 'send'; request: RecordedRequest }
  | { action: 'finish'; sent: Sent };

/** With the ledger entry that it was made for. */
interface Lookup {
  result: ComparedLookup;
  before: LedgerEntry | undefined;
}

const maxRounds = 4;

/** Records the intent in the ledger before the request leaves, and the outcome after it. */
export async function sendOrder(toSend: OrderToSend, sendContext: SendContext): Promise<Sent> {
  const context = { ...sendContext, client: sendContext.client.forOneOrder() };
  const { ledger, recreatesCancelled } = context;
  const body = writeOrderBody(toSend.order);
  const order = { ...toSend, body, bodyHash: hashBody(body) };
  let lookup: Lookup | undefined;
  try {
    for (let rounds = 0; ; rounds += 1) {
      const next = await ledger.transaction(() => recordNext(order, lookup, context));
      if (next.action === 'finish') return next.sent;
      if (next.action === 'send') {
        const sent = await sendRequest(order, next.request, context);
        // Only now found to be cancelled: create it again, as if that had been known.
        const isCancelled = sent.outcome.outcome === 'conflict' && sent.outcome.code === orderCancelled;
        if (!(recreatesCancelled && isCancelled && rounds < maxRounds)) return sent;
        lookup = undefined;
        continue;
      }
      const { action, before } = next;
      const result = await (action === 'read' ? readOrder : lookUpOrder)(order, before, context);
      lookup = { result, before };
      if (action === 'read' && result.kind === 'cancelled' && recreatesCancelled && before?.orderId) {
        // The order is cancelled, but others may have the same external order ID: look them up next.
        const cancelled = { orderId: before.orderId, externalOrderId: order.externalOrderId };
        await ledger.transaction(() => ledger.cancellations.add(cancelled));
        lookup = undefined;
      }
    }
  } catch (error) {
    // Nothing was sent: the ledger cannot be written, the key was refused, or the service is not there.
    if (error instanceof CliError) return { outcome: stoppedOutcome(order, context), error, stop: error };
    throw error;
  }
}

/** Decides and records in one transaction: from an intent on, other runs leave the order alone. */
function recordNext(order: OrderWithBody, made: Lookup | undefined, context: SendContext): Next {
  const { ledger, key } = context;
  const { input, found, isRecovered } = readLedger(order, order.bodyHash, context);
  const before = found?.entry;
  // Another run may have sent the order since.
  const lookup = made !== undefined && isDeepStrictEqual(made.before, before) ? made.result : undefined;
  if (isRecovered) found?.log.record(found.entry);
  if (lookup?.kind === 'cancelled') {
    const { externalOrderId } = order;
    for (const { id } of lookup.orders) ledger.cancellations.add({ orderId: id, externalOrderId });
  }
  const hasOtherKey = key !== undefined && before !== undefined && before.idempotencyKey !== key;
  const decision: Decision =
    hasOtherKey && isOpen(before)
      ? { action: 'defer', code: 'earlier_attempt_open' }
      : decide({ ...input, lookup: lookup?.kind });
  const known = { found, lookup };
  switch (decision.action) {
    case 'look_up':
    case 'read':
      return { action: decision.action, before };
    case 'send':
    case 'recreate':
      return { action: 'send', request: recordIntent(order, known, decision, context) };
    case 'accept':
      return { action: 'finish', sent: acceptFound(order, known, decision.outcome, ledger) };
    case 'conflict':
      return { action: 'finish', sent: endInConflict(order, known, decision.code, ledger) };
    default: {
      const outcome = outcomeWithoutSending(order, decision, found) ?? notSentOutcome(order);
      return {
        action: 'finish',
        sent: { outcome, mayBeSeveral: before !== undefined && before.copies !== null },
      };
    }
  }
}

function recordIntent(
  { externalOrderId, body, bodyHash }: OrderWithBody,
  { found, lookup }: Known,
  decision: SendDecision,
  { ledger, run, key }: SendContext,
): RecordedRequest {
  const { action, generation, hasOpenAttempt } = decision;
  if (action === 'recreate') ledger.cancellations.markReplaced(externalOrderId);
  // Must survive a power failure: without the ledger, the order would get the key of generation 0.
  if (generation > 0) ledger.sync();
  const usedKey = key ?? idempotencyKey(externalOrderId, body, generation);
  const sent = { externalOrderId, bodyHash, idempotencyKey: usedKey, generation };
  const entry = createIntent(sent, run, found?.entry, hasOpenAttempt);
  ledger.orders.record(entry);
  return {
    decision,
    intent: { entry, before: found?.owner === 'this_key' ? found.entry : undefined },
    wasAbsent: lookup?.kind === 'absent',
    replacedIds: ledger.cancellations.replacedIds(externalOrderId),
  };
}

function acceptFound(
  order: OrderWithBody,
  known: Known,
  outcome: 'created' | 'already_exists',
  ledger: Ledger,
): Sent {
  const before = known.found?.entry as LedgerEntry;
  const lookup = known.lookup as ComparedOrder;
  // An order that was settled without comparing its content, or one copy of several, keeps the run that created it.
  const isOneOfOurs = before.state === 'created' && (before.code === notCompared || before.copies !== null);
  const isOurs = outcome === 'created' || isOneOfOurs;
  const { bodyHash } = order;
  const copies = copiesAfter(before, isOpen(before) || lookup.isOneOfSeveral);
  const entry = createdEntry({ ...before, bodyHash, copies }, lookup.order, isOurs ? before.run : '');
  ledger.orders.record(entry);
  const found = foundOutcome(order, outcome, lookup, entry);
  return { outcome: found, order: lookup.order, mayBeSeveral: copies !== null };
}

function endInConflict(
  order: OrderWithBody,
  { found, lookup }: Known,
  code: 'content_changed' | 'order_cancelled',
  ledger: Ledger,
): Sent {
  const before = found?.entry;
  const [existing] = ordersOf(lookup);
  const settles = before !== undefined && before.state !== 'created' && existing !== undefined;
  const entry = settles ? conflictEntry(before, existing) : before;
  if (settles && entry !== undefined) ledger.orders.record(entry);
  const differing = lookup?.kind === 'different' ? lookup.differences.map(({ field }) => field) : [];
  const outcome = ledgerOutcome(order, code, entry, differing);
  return existing === undefined ? { outcome } : { outcome, order: existing };
}

function ordersOf(lookup: ComparedLookup | undefined): ServiceOrder[] {
  if (lookup === undefined) return [];
  if (lookup.kind === 'cancelled') return lookup.orders;
  return 'order' in lookup ? [lookup.order] : [];
}

/** A later comparison shows whether it is ours; what was sent before may still take effect. */
function conflictEntry(before: LedgerEntry, found: ServiceOrder): LedgerEntry {
  const { unknownAt, first409At } = before;
  const run = isOpen(before) ? before.run : '';
  return { ...createdEntry(before, found, run), code: notCompared, unknownAt, first409At };
}

async function sendRequest(
  order: OrderWithBody,
  { decision, intent, wasAbsent, replacedIds }: RecordedRequest,
  { client, finder, canary, ledger, now, fieldPaths, proof }: SendContext,
): Promise<Sent> {
  const { entry, before } = intent;
  const newOrder = { ...order, key: entry.idempotencyKey, replacedIds, fieldPaths };
  const { hasOpenAttempt } = decision;
  const openSince = hasOpenAttempt ? ledger.runs.startedAt(entry.run) : undefined;
  const openUntil = hasOpenAttempt && isRecent(entry, now()) ? endOfSettling(entry) : undefined;
  const create = () => createOrder(client, finder, newOrder, { ...decision, openSince, openUntil });
  const creation = await (canary?.run(create) ?? create()).catch(async (error: unknown) => {
    await ledger.transaction(() => ledger.orders.withdraw(order.externalOrderId, before));
    throw error;
  });
  const isNew = wasAbsent && creation.outcome === 'created' && creation.isDirect;
  const recorded = isNew ? { before, entry: { ...entry, run: entry.lastRun } } : intent;
  const outcome = creationOutcome(order, creation, recorded.entry);
  const isForbidden = 'result' in creation && creation.result.outcome === 'forbidden';
  const mayBeSeveral =
    'order' in creation && (entry.copies !== null || ('mayBeSeveral' in creation && creation.mayBeSeveral));
  const sent: Sent = { outcome, isForbidden, mayBeSeveral };
  // A request that was not processed does not settle the attempt before it.
  if (hasOpenAttempt && isForbidden) sent.outcome = { ...outcome, outcome: 'unknown' };
  if (hasOpenAttempt && creation.outcome === 'not_sent') {
    const { attempts } = creation;
    sent.outcome = { ...ledgerOutcome(order, 'earlier_attempt_open', entry), attempts };
  }
  if ('order' in creation) {
    sent.order = creation.order;
    proof?.add(order.order, creation.order.order);
  }
  if ('error' in creation) sent.error = creation.error;
  try {
    await ledger.transaction(() => recordCreation(ledger, recorded, creation, now()));
    sent.stop = stopOf(creation);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // The outcome is known even when the ledger cannot hold it.
    sent.stop = error;
  }
  return sent;
}

/** Reads the list once; if that does not prove it to be the service, one create goes first, alone. */
export function createCanary(client: ApiClient): Canary {
  let check: Promise<boolean> | undefined;
  let first: Promise<CliError | undefined> | undefined;
  return {
    async run(create) {
      check ??= checkAddress(client);
      if (await check) return create();
      if (first === undefined) {
        const creation = create();
        first = creation.then(stopOf);
        return creation;
      }
      const error = await first;
      if (error !== undefined) throw error;
      return create();
    },
  };
}

/** The error of a create that concerns all orders, so that no other may be sent. */
function stopOf(creation: Creation): CliError | undefined {
  if (!('result' in creation)) return undefined;
  const { outcome, stop, spentTimeoutMilliseconds } = creation.result;
  // The time of one order says nothing about others.
  if (spentTimeoutMilliseconds !== undefined) return undefined;
  const concernsAll =
    creation.outcome === 'not_sent' || outcome === 'forbidden' || nextStep(outcome) === 'stop';
  return concernsAll || stop !== undefined ? creation.lastError : undefined;
}
