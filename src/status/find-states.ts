import { t } from '../advice/advice.ts';
import type { ApiClient } from '../api/client.ts';
import { findOrder, getOrder, lookUp } from '../api/operations/find.ts';
import { createOrderFinder, type OrderFinder } from '../api/pages/order-finder.ts';
import { walkSpan } from '../api/pages/walk-created.ts';
import { idOf, isCancelled, type ServiceOrder } from '../api/responses/order.ts';
import { CliError, type ErrorCode } from '../errors.ts';
import { forEachConcurrent } from '../import/send/for-each-concurrent.ts';
import type { MerchantEntries, MerchantEntry } from '../import/send/merchant-entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isJsonObject, type Json, member } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import { readingsOf } from '../orders/order-reference.ts';
import type { FieldPaths } from '../orders/unnamed-fields.ts';
import type { FileOrder } from './file-orders.ts';
import { type OrderState, stateOf, stateWithout, withNotCompared } from './order-state.ts';

interface LookupContext {
  client: ApiClient;
  fieldPaths: FieldPaths;
  ledger: Ledger;
  entries: MerchantEntries;
  stopping: AbortSignal;
  /** Called with the number of orders whose state is known. */
  onProgress(done: number): void;
}

const concurrency = 64;

/**
 * The state of each order, as a lookup of it by its ID shows it. First the orders are read, page by page, that were created
 * since the imports of these orders began. Those that no page shows once, alive and with the content of the file are looked
 * up one by one. Errors: those of a lookup; `search_incomplete` when it is not certain
 * whether an order exists; AbortError.
 */
export async function findStates(
  orders: readonly FileOrder[],
  context: LookupContext,
): Promise<Map<FileOrder, OrderState>> {
  const { client, stopping, onProgress } = context;
  const lookup: Lookup = {
    ...context,
    finder: createOrderFinder(client),
    readWhole: createWholeReader(client),
    shown: new Set(),
  };
  const states = await statesOnPages(orders, lookup);
  let done = states.size;
  onProgress(done);
  const left = orders.filter((order) => !states.has(order));
  await forEachConcurrent(left.values(), concurrency, async (order) => {
    stopping.throwIfAborted();
    const state = await stateOfOne(order, lookup);
    states.set(order, state);
    done += 1;
    onProgress(done);
  });
  for (const [order, state] of states) states.set(order, withNotCompared(order, state, lookup.shown));
  return withRepeats(orders, states);
}

/** In the order of the file. */
function withRepeats(
  orders: readonly FileOrder[],
  states: ReadonlyMap<FileOrder, OrderState>,
): Map<FileOrder, OrderState> {
  const seen = new Set<string>();
  return new Map(
    orders.map((order) => {
      const state = states.get(order) as OrderState;
      const isRepeat = state.id !== undefined && seen.has(state.id);
      if (state.id !== undefined) seen.add(state.id);
      return [order, isRepeat ? { ...state, isRepeat } : state];
    }),
  );
}

interface Lookup extends LookupContext {
  finder: OrderFinder;
  readWhole: WholeReader;
  /** Fields that some order shows. */
  shown: Set<string>;
}

function isExternal({ reference, reading }: FileOrder): boolean {
  return reading === 'external' && reference !== '';
}

/** Of those that the pages since their imports began show once, alive and with the content of the file. */
async function statesOnPages(
  orders: readonly FileOrder[],
  lookup: Lookup,
): Promise<Map<FileOrder, OrderState>> {
  const { client, entries, onProgress } = lookup;
  const states = new Map<FileOrder, OrderState>();
  const wanted = new Map<string, FileOrder[]>();
  for (const order of orders.filter(isExternal))
    if (!wanted.get(order.reference)?.push(order)) wanted.set(order.reference, [order]);
  const known = entries.isEmpty ? new Map() : entries.findMany([...wanted.keys()]);
  const from = startOf(known, lookup);
  if (from === undefined || known.size < minOrders) return states;
  const ids = new Map<string, string | undefined>();
  const unclear = new Set<string>();
  const onOrder = async (order: Order) => {
    const reference = textField(order, 'externalOrderId') ?? '';
    const files = wanted.get(reference);
    const id = idOf(order);
    if (files === undefined || (id !== undefined && ids.get(reference) === id)) return;
    if (id === undefined || ids.has(reference)) unclear.add(reference);
    ids.set(reference, id);
    if (id === undefined || unclear.has(reference)) return;
    const found = await lookup.readWhole({ id, order }, reference);
    for (const file of files) states.set(file, stateFrom(file, [found], lookup));
  };
  // To this moment: orders that were created later may have the IDs of the file too.
  const span = { from: from - marginMilliseconds, to: Number.POSITIVE_INFINITY };
  const isWhole = await walkSpan(client, span, maxPagesFor(known.size), async (page) => {
    for (const order of page) await onOrder(order);
    onProgress(states.size);
  });
  for (const [file, state] of states)
    if (!isWhole || unclear.has(file.reference) || !isAsMeant(file, state, lookup)) states.delete(file);
  return states;
}

/** Also all of what others show is shown. */
function isAsMeant(
  { isLeftOut }: FileOrder,
  { difference, isCancelled, notCompared }: OrderState,
  { shown }: Pick<Lookup, 'shown'>,
): boolean {
  const isComplete = difference.length === 0 && !notCompared.some((field) => shown.has(field));
  return !isCancelled && (isLeftOut || isComplete);
}

/** The clocks of this machine and of the service may differ, and an order may be created after its request was given up. */
const marginMilliseconds = 60 * 60 * 1000;
/** Fewer orders are looked up one by one. */
const minOrders = 4;

/** A lookup of each takes more requests, and several more where the service has no filter. */
function maxPagesFor(orders: number): number {
  return Math.min(orders, Math.ceil(orders / 4) + 10);
}

/** When the first of the imports of these orders began. */
function startOf(
  known: ReadonlyMap<string, MerchantEntry>,
  { ledger: { runs } }: Lookup,
): number | undefined {
  const started = [...new Set([...known.values()].map(({ entry }) => entry.run))].flatMap(
    (run) => runs.startedAt(run) ?? [],
  );
  return started.length === 0 ? undefined : Math.min(...started);
}

async function stateOfOne(file: FileOrder, lookup: Lookup): Promise<OrderState> {
  const { reference, reading, isLeftOut } = file;
  if (reference === '') return stateWithout(isLeftOut ? 'left_out' : 'no_id');
  const listed = reading === 'external' ? await findExternal(reference, lookup) : [];
  if (listed.length === 0) return stateByReference(file, lookup);
  const shown = await Promise.all(listed.map((order) => lookup.readWhole(order, reference)));
  // A list may be older than the order.
  const found = isAsMeant(file, stateFrom(file, shown, lookup), lookup)
    ? shown
    : await Promise.all(shown.map((order) => lookup.readWhole(order, reference, true)));
  const state = stateFrom(file, found, lookup);
  const isRespelled = found.every(
    ({ order }) => (member(order, 'externalOrderId') ?? reference) !== reference,
  );
  // With the content of the file it is the order, whatever the spelling.
  if (!isRespelled || state.difference.length === 0) return state;
  return { ...state, difference: ['externalOrderId', ...state.difference] };
}

/** The orders with this ID, also as the service spells it. */
async function findExternal(
  reference: string,
  { client, finder, stopping }: Lookup,
): Promise<ServiceOrder[]> {
  const result = await finder.find(reference);
  switch (result.kind) {
    case 'found':
    case 'respelled':
      return result.orders;
    case 'not_allowed':
      throw result.error;
    case 'absent':
      if (result.isComplete) return [];
      break;
    case 'unsettled':
      if (result.isListed && !stopping.aborted) throw withoutId(reference);
  }
  // The same lookup once more, which says why it proves nothing.
  return lookUp(client, 'externalOrderId', reference);
}

function withoutId(reference: string): CliError {
  return new CliError(
    'search_incomplete',
    t`The service lists order ${reference} without an ID, so its state cannot be read.`,
    { hint: t`Remove its rows from the file, or report this to the operator of the service.` },
  );
}

/** As `get` reads it. */
async function stateByReference(file: FileOrder, lookup: Lookup): Promise<OrderState> {
  const { reference, reading } = file;
  const isKnown = reading === 'external' && readingsOf(reference).length === 1;
  if (isKnown) return stateWithout(file.isLeftOut ? 'left_out' : 'missing');
  const by = reading === 'number' || reading === 'id' ? { by: reading } : {};
  try {
    return stateFrom(file, [await findOrder(lookup.client, reference, by)], lookup);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (error.code === 'ambiguous_order') return stateWithout('twice');
    if (error.code === 'order_not_found') return stateWithout('missing');
    throw error;
  }
}

/** Of the one that is most like the file. A cancelled order and another one in its place are not two orders. */
function stateFrom(
  file: FileOrder,
  found: readonly ServiceOrder[],
  { fieldPaths, shown }: Lookup,
): OrderState {
  const alive = found.filter((one) => !isCancelled(one));
  const states = (alive.length > 0 ? alive : found).map((one) =>
    stateOf(file, one, { fieldPaths, shown, isTwice: alive.length > 1 }),
  );
  const least = Math.min(...states.map(({ difference }) => difference.length));
  return states.find(({ difference }) => difference.length === least) as OrderState;
}

/** `isNow`: reads it in any case. */
type WholeReader = (listed: ServiceOrder, externalOrderId: string, isNow?: boolean) => Promise<ServiceOrder>;

const samples = 3;
/** The list is all that the key, or the service, shows. */
const unreadable: ReadonlySet<ErrorCode> = new Set([
  'order_not_found',
  'permission_missing',
  'request_refused',
  'unreadable_answer',
]);

/** Reads the first listed orders by their `id`, and the others too if the list shows less of an order than that. */
function createWholeReader(client: ApiClient): WholeReader {
  const sampled: Promise<unknown>[] = [];
  let listShowsLess = false;
  const read = async (listed: ServiceOrder, externalOrderId: string) => {
    try {
      const whole = await getOrder(client, listed.id, externalOrderId);
      listShowsLess ||= lacks(listed.order, whole.order);
      return whole;
    } catch (error) {
      if (error instanceof CliError && unreadable.has(error.code)) return listed;
      throw error;
    }
  };
  return async (listed, externalOrderId, isNow = false) => {
    if (isNow) return read(listed, externalOrderId);
    if (sampled.length < samples) {
      const whole = read(listed, externalOrderId);
      sampled.push(whole.catch(() => undefined));
      return whole;
    }
    await Promise.all(sampled);
    return listShowsLess ? read(listed, externalOrderId) : listed;
  };
}

/** Whether a value of an order has less than another one. */
function lacks(listed: Json | undefined, whole: Json): boolean {
  if (whole === null) return false;
  if (listed === undefined) return true;
  if (Array.isArray(whole)) {
    return Array.isArray(listed) && whole.some((item, index) => lacks(listed[index], item));
  }
  if (!isJsonObject(whole)) return false;
  return (
    isJsonObject(listed) && Object.entries(whole).some(([key, value]) => lacks(member(listed, key), value))
  );
}
