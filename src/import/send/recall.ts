import { isDeepStrictEqual } from 'node:util';
import type { ApiClient } from '../../api/client.ts';
import { getOrder } from '../../api/operations/find.ts';
import type { OrderFinder } from '../../api/pages/order-finder.ts';
import { CliError } from '../../errors.ts';
import { isOpen, type LedgerEntry } from '../../ledger/entry.ts';
import { hashBody, type Ledger } from '../../ledger/ledger.ts';
import type { OrderLog, OtherKey, SentOrder, StoredOrder } from '../../ledger/order-log.ts';
import { type Order, writeOrderBody } from '../../orders/order.ts';
import type { FieldPlaces } from '../../orders/unnamed-fields.ts';
import type { LeftOutReason } from '../choices.ts';
import type { PlannedOrder } from '../orders/plan-order.ts';
import type { OrderOutcome } from '../results/order-outcome.ts';
import { type Decision, decide, type Facts } from './decide.ts';
import type { FirstCreate } from './first-create.ts';
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

export interface KnownOrder extends StoredOrder {
  sentWith: Facts['sentWith'];
  log: OrderLog;
}

export interface KnownOrders {
  /** Error: `ledger_not_writable`. */
  find(externalOrderId: string): KnownOrder | undefined;
  /** What `find` finds of these IDs, with one query for each key. Error: `ledger_not_writable`. */
  findMany(externalOrderIds: readonly string[]): ReadonlyMap<string, KnownOrder>;
  /** For those of the IDs that were sent with this key in another spelling: that spelling. Error: `ledger_not_writable`. */
  findOtherSpellings(externalOrderIds: readonly string[]): ReadonlyMap<string, string>;
  isEmpty: boolean;
}

interface KeyLog {
  log: OrderLog;
  sentWith: Facts['sentWith'];
}

export function ownOrders({ orders }: Ledger): KnownOrders {
  return createKnownOrders(orders, []);
}

/** A key whose newest order can be read is of this merchant (interface section 5.4). Errors: those that concern the whole run. */
export async function ordersOfAllKeys(ledger: Ledger, client: ApiClient): Promise<KnownOrders> {
  return createKnownOrders(ledger.orders, await logsOfOtherKeys(ledger, client, ledger.otherKeys()));
}

/** The orders of one API key whose outcome is not known; `seesAll`: the key that is used now certainly sees them. */
export interface OpenOrders {
  log: OrderLog;
  open: SentOrder[];
  seesAll: boolean;
}

/** Those of this key, and of other keys that may be of this merchant. Errors: those of `ordersOfAllKeys`. */
export async function findOpenOrders(ledger: Ledger, client: ApiClient): Promise<OpenOrders[]> {
  const withOpen = ledger.otherKeys().filter((key) => ledger.ordersOf(key).findOpen().length > 0);
  const others = await logsOfOtherKeys(ledger, client, withOpen);
  const own: KeyLog = { log: ledger.orders, sentWith: 'own' };
  return [own, ...others].map(({ log, sentWith }) => {
    return { log, open: log.findOpen(), seesAll: sentWith !== 'unclear' };
  });
}

async function logsOfOtherKeys(
  ledger: Ledger,
  client: ApiClient,
  keys: readonly OtherKey[],
): Promise<KeyLog[]> {
  const others: KeyLog[] = [];
  for (const key of keys) {
    const sentWith = key.newestOrderId === undefined ? 'unclear' : await findOwner(client, key.newestOrderId);
    if (sentWith !== 'other_merchant') others.push({ log: ledger.ordersOf(key), sentWith });
  }
  return others;
}

function createKnownOrders(own: OrderLog, others: readonly KeyLog[]): KnownOrders {
  const logs: KeyLog[] = [{ log: own, sentWith: 'own' }, ...others];
  return {
    isEmpty: logs.every(({ log }) => log.isEmpty()),
    find: (externalOrderId) => {
      let found: KnownOrder | undefined;
      for (const { log, sentWith } of logs) {
        const stored = log.findStored(externalOrderId);
        if (stored !== undefined) found = firstOf(found, { ...stored, sentWith, log });
        if (found?.sentWith === 'own') break;
      }
      return found;
    },
    findMany: (externalOrderIds) => {
      const found = new Map<string, KnownOrder>();
      for (const { log, sentWith } of logs) {
        for (const stored of log.findMany(externalOrderIds)) {
          const { externalOrderId: id } = stored.entry;
          found.set(id, firstOf(found.get(id), { ...stored, sentWith, log }));
        }
      }
      return found;
    },
    findOtherSpellings: (externalOrderIds) => own.findOtherSpellings(externalOrderIds),
  };
}

/** Of two entries about one order, the one to go by. */
function firstOf(one: KnownOrder | undefined, other: KnownOrder): KnownOrder {
  if (one === undefined) return other;
  return (rankOf(one) - rankOf(other) || other.recordedAt - one.recordedAt) > 0 ? other : one;
}

/** Lowest first: of this key, created with another key of this merchant, still open, created with some key, rejected. */
function rankOf({ entry, sentWith }: KnownOrder): number {
  if (sentWith === 'own') return -1;
  if (entry.state === 'created' && sentWith === 'same_merchant') return 0;
  if (isOpen(entry)) return 1;
  return entry.state === 'created' ? 2 : 3;
}

const inconclusiveErrors = new Set(['permission_missing', 'unreadable_answer', 'request_refused']);

async function findOwner(
  client: ApiClient,
  orderId: string,
): Promise<'same_merchant' | 'other_merchant' | 'unclear'> {
  try {
    await getOrder(client, orderId);
    return 'same_merchant';
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (error.code === 'order_not_found') return 'other_merchant';
    if (inconclusiveErrors.has(error.code)) return 'unclear';
    throw error;
  }
}

/** `row` is its first row, 0 without a file. */
export interface OrderInFile {
  externalOrderId: string;
  row: number;
}

export interface OrderToSend extends OrderInFile {
  order: Order;
}

export function toSend({ externalOrderId, order, rows }: PlannedOrder): OrderToSend {
  return { externalOrderId, order, row: rows[0]?.row ?? 0 };
}

export interface SendContext extends RecallContext {
  client: ApiClient;
  finder: OrderFinder;
  /** Absent where only one order is sent. */
  firstCreate?: FirstCreate;
  run: string;
  places: FieldPlaces;
  /** An `Idempotency-Key` given by the user, sent instead of the one made from the order. */
  key?: string;
}

export interface RecallContext {
  ledger: Ledger;
  /** Absent where nothing is sent. */
  run?: string;
  known: KnownOrders;
  recreatesCancelled: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}
