import type { ApiClient } from '../../api/client.ts';
import { getOrder } from '../../api/operations/find.ts';
import type { LookupResult, OrderFinder, RespelledOrders } from '../../api/pages/order-finder.ts';
import {
  createdAt,
  isCancelled,
  isSameId,
  nameOf,
  type ServiceOrder,
  wordFor,
} from '../../api/responses/order.ts';
import { isOlderThan } from '../../api/responses/replay.ts';
import { CliError, type ErrorCode } from '../../errors.ts';
import { type Copies, notLookedUp } from '../../ledger/copies.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { LedgerEntry, OrderLog } from '../../ledger/order-log.ts';
import { compareOrders } from '../../orders/compare.ts';
import { type Json, jsonText, member } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import type { FieldPaths } from '../../orders/unnamed-fields.ts';
import { type SameId, sameIdOf } from '../results/order-outcome.ts';

/** An order that a lookup has to show how often it exists. */
export interface OrderWithCopies {
  log: OrderLog;
  externalOrderId: string;
}

interface CopiesContext {
  ledger: Ledger;
  client: ApiClient;
  finder: OrderFinder;
  fieldPaths: FieldPaths;
  run?: string;
}

/**
 * Looks orders up, and records how often each exists; by one walk where the service ignores the filter. Returns those of
 * which there are several, or others with their ID. Error: `ledger_not_writable`.
 */
export async function lookUpCopies(
  due: readonly OrderWithCopies[],
  context: CopiesContext,
): Promise<SameId[]> {
  const { ledger, finder, run } = context;
  const wanted = due.flatMap(({ log, externalOrderId }) => {
    const entry = log.find(externalOrderId);
    // Another run that lives looks it up at its own end.
    const isOther = entry !== undefined && entry.lastRun !== run && ledger.runs.isAlive(entry.lastRun);
    return entry === undefined || entry.copies === null || isOther ? [] : [{ log, entry }];
  });
  const lookups = await finder.findMany(wanted.map(({ entry }) => entry.externalOrderId));
  const found = wanted.map(async ({ log, entry }, index) => {
    const shown = await compareShown(entry, lookups[index] as (typeof lookups)[number], context);
    return shown === undefined ? sameIdOf(entry) : recordShown({ log, entry }, shown, ledger);
  });
  return (await Promise.all(found)).filter((one) => one !== undefined);
}

/** What earlier lookups showed. Error: `ledger_not_writable`. */
export function knownCopies(due: readonly OrderWithCopies[]): SameId[] {
  return due.flatMap(({ log, externalOrderId }) => {
    const entry = log.find(externalOrderId);
    return (entry && sameIdOf(entry)) ?? [];
  });
}

async function recordShown(
  { log, entry }: { log: OrderLog; entry: LedgerEntry },
  { copies, others, kept }: Shown,
  ledger: Ledger,
): Promise<SameId | undefined> {
  const { externalOrderId } = entry;
  const ids = kept === undefined ? entry : { orderId: kept.id, orderNumber: numberOf(kept) ?? null };
  await ledger.transaction(() => log.recordCopies(externalOrderId, copies, ids));
  if (copies === null && others.length === 0) return undefined;
  return {
    externalOrderId,
    copies: copies ?? notLookedUp,
    others,
    orderId: ids.orderId ?? '',
    orderNumber: ids.orderNumber ?? undefined,
    ...(kept === undefined ? {} : { kept }),
  };
}

/** Another lookup with this key would end in the same way. */
const mayNotList: ReadonlySet<ErrorCode> = new Set(['permission_missing', 'request_blocked']);

interface Shown {
  copies: Copies | null;
  others: string[];
  kept?: ServiceOrder | undefined;
}

/** Undefined if the lookup shows nothing new. */
async function compareShown(
  entry: LedgerEntry,
  lookup: LookupResult | RespelledOrders,
  { client, ledger, fieldPaths }: CopiesContext,
): Promise<Shown | undefined> {
  const known = entry.copies?.numbers ?? [];
  if (lookup.kind !== 'found' && lookup.kind !== 'respelled') {
    const error = 'error' in lookup ? lookup.error : undefined;
    const mayShowLater = error !== undefined && !mayNotList.has(error.code);
    return mayShowLater || known.length > 0 ? undefined : { copies: null, others: [] };
  }
  const { orders: listed, isComplete } = lookup;
  const isOwn = ({ id }: ServiceOrder) => isSameId(id, entry.orderId ?? '');
  const showsAll = isComplete || known.every((number) => listed.some((order) => nameOf(order) === number));
  if (listed.every(isOwn)) return showsAll ? { copies: null, others: [] } : undefined;
  const own = { id: entry.orderId ?? '', order: {} };
  const all = listed.some(isOwn) ? listed : [own, ...listed];
  const read = await Promise.all(all.map((order) => readWhole(client, order)));
  const current = read.filter((order) => order !== undefined);
  const ours = current.find(isOwn);
  if (ours === undefined) return undefined;
  const alive = current.filter((order) => !isCancelled(order));
  const copies = alive
    .filter((order) => isOwn(order) || isCopy(ours.order, order.order, fieldPaths))
    .sort(byNumber);
  const others = alive.filter((order) => !copies.includes(order)).map(nameOf);
  const [oldest, ...younger] = copies;
  if (younger.length === 0) return showsAll ? { copies: null, others, kept: oldest } : undefined;
  const isSorted = isInOrderOfTime(copies);
  const begun = ledger.runs.startedAt(entry.run);
  // An order of before the run is another client's, and no undo of the run may cancel it.
  const isOurs = oldest !== undefined && !(begun && isOlderThan(oldest, begun, client.clockAhead()));
  return {
    copies: { numbers: copies.map(nameOf), younger: isSorted ? younger.map(wordFor) : [] },
    others,
    kept: isSorted && isOurs ? oldest : copies.find(isOwn),
  };
}

/** Undefined if it does not exist. A list may show less of an order; if it cannot be read, that is what is compared. */
async function readWhole(client: ApiClient, listed: ServiceOrder): Promise<ServiceOrder | undefined> {
  try {
    return await getOrder(client, listed.id);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const isListed = Object.keys(listed.order).length > 0;
    return isListed && error.code !== 'order_not_found' ? listed : undefined;
  }
}

/**
 * Compares two orders as the service shows them. A field that cannot be compared counts when both show the same, and an
 * order that shows nothing of its content is no copy.
 */
function isCopy(ours: Order, other: Order, fieldPaths: FieldPaths): boolean {
  const { differences, equal, notCompared } = compareOrders(ours, other, fieldPaths);
  const unclear = [...differences.map(({ field }) => field), ...notCompared];
  const isSame = (name: string) => shownAs(member(ours, name)) === shownAs(member(other, name));
  return (
    isSame('externalOrderId') &&
    equal.length + unclear.length > 0 &&
    unclear.every((field) => isSame(field.split(/[.[]/, 1)[0] ?? ''))
  );
}

function shownAs(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : jsonText(value);
}

function numberOf({ order }: ServiceOrder): string | undefined {
  return textField(order, 'orderNumber');
}

function byNumber(one: ServiceOrder, other: ServiceOrder): number {
  return (numberOf(one) ?? '').localeCompare(numberOf(other) ?? '', 'en', { numeric: true });
}

function isInOrderOfTime(orders: readonly ServiceOrder[]): boolean {
  const times = orders.map(({ order }) => createdAt(order) ?? Number.NaN);
  const hasNumbers = orders.every((order) => numberOf(order) !== undefined);
  return hasNumbers && times.every((time, index) => time >= (times[index - 1] ?? Number.NEGATIVE_INFINITY));
}
