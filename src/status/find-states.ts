import { t } from '../advice/advice.ts';
import type { ApiClient } from '../api/client.ts';
import { findOrder, getOrder } from '../api/operations/find.ts';
import { createOrderFinder, type OrderFinder } from '../api/pages/order-finder.ts';
import { walkSpan } from '../api/pages/walk-created.ts';
import { idOf, isCancelled, type ServiceOrder } from '../api/responses/order.ts';
import { CliError } from '../errors.ts';
import { forEachConcurrent } from '../import/send/for-each-concurrent.ts';
import type { MerchantEntries } from '../import/send/merchant-entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Order, textField } from '../orders/order.ts';
import { readingsOf } from '../orders/order-reference.ts';
import type { FieldPaths } from '../orders/unnamed-fields.ts';
import type { FileOrder } from './file-orders.ts';
import { type OrderState, stateOf, stateWithout } from './order-state.ts';

interface LookupContext {
  client: ApiClient;
  fieldPaths: FieldPaths;
  ledger: Ledger;
  entries: MerchantEntries;
  stopping: AbortSignal;
  /** Called with the number of orders whose state is known. */
  onProgress(done: number): void;
}

interface Lookup extends LookupContext {
  finder: OrderFinder;
  /** How many orders that were read by their `id` did not show a field. */
  lacking: Map<string, number>;
}

export type States = Map<FileOrder, OrderState>;

const concurrency = 64;

/**
 * The state of each order. First the orders are read, page by page, that were created since the imports of these orders began.
 * Those that no page shows once and with the content of the file are looked up one by one. An order that the file has by
 * several names is in the result once, with all of its rows. Errors: those of a lookup; `search_incomplete` when it is not
 * certain whether an order exists; AbortError.
 */
export async function findStates(orders: readonly FileOrder[], context: LookupContext): Promise<States> {
  const finder = createOrderFinder(context.client);
  const lookup: Lookup = { ...context, finder, lacking: new Map() };
  const states = await statesOnPages(orders, lookup);
  const left = orders.filter((order) => !states.has(order));
  await forEachConcurrent(left.values(), concurrency, async (order) => {
    context.stopping.throwIfAborted();
    states.set(order, await lookUpState(order, lookup));
    context.onProgress(states.size);
  });
  const merged: States = new Map();
  const byId = new Map<string | undefined, FileOrder>();
  for (const order of orders) {
    const state = states.get(order) as OrderState;
    const first = byId.get(state.id);
    if (first === undefined) {
      if (state.id !== undefined) byId.set(state.id, order);
      merged.set(order, state);
    } else first.rows.push(...order.rows);
  }
  return merged;
}

/** The clocks of this machine and of the service may differ, and an order may be created after its request was given up. */
const marginMilliseconds = 60 * 60 * 1000;

/** Of those that the pages since their imports began show once and as in the file. */
async function statesOnPages(orders: readonly FileOrder[], lookup: Lookup): Promise<States> {
  const { client, entries, ledger, fieldPaths, onProgress } = lookup;
  const states: States = new Map();
  const wanted = new Map(orders.map((order) => [order.isOwnId ? order.reference : '', order]));
  wanted.delete('');
  const known = entries.isEmpty ? new Map() : entries.findMany([...wanted.keys()]);
  const runs = new Set([...known.values()].map(({ entry }) => entry.run));
  const started = [...runs].flatMap((run) => ledger.runs.startedAt(run) ?? []);
  if (started.length === 0) return states;
  /** The `id` by which each is shown; blank for several. */
  const ids = new Map<FileOrder, string>();
  const onOrder = async (shown: Order) => {
    const order = wanted.get(textField(shown, 'externalOrderId') ?? '');
    const id = idOf(shown) ?? '';
    if (order === undefined || ids.get(order) === id) return;
    const isFirst = !ids.has(order) && id !== '';
    ids.set(order, isFirst ? id : '');
    if (!isFirst) return void states.delete(order);
    const state = stateOf(order, await readWhole(order, { id, order: shown }, lookup), fieldPaths);
    if (state.difference.length === 0 && ids.get(order) === id) states.set(order, state);
  };
  // To this moment: orders that were created later may have the IDs of the file too.
  const span = { from: Math.min(...started) - marginMilliseconds, to: Number.POSITIVE_INFINITY };
  // A lookup of each takes more requests, and several more where the service has no filter.
  const isWhole = await walkSpan(client, span, Math.ceil(known.size / 4), async (page) => {
    await Promise.all(page.map(onOrder));
    onProgress(states.size);
  });
  return isWhole ? states : new Map();
}

async function lookUpState(file: FileOrder, lookup: Lookup): Promise<OrderState> {
  const { reference, isLeftOut } = file;
  if (reference === '') return stateWithout(isLeftOut ? 'left_out' : 'no_id');
  const own = file.isOwnId ? await findOwn(reference, lookup) : undefined;
  const listed = own?.orders ?? (await findNamed(reference, lookup));
  if (listed.length === 0) return stateWithout(isLeftOut ? 'left_out' : 'missing');
  const found = await Promise.all(listed.map((order) => readWhole(file, order, lookup)));
  // A cancelled order and another one in its place are not two orders.
  const alive = found.filter((one) => !isCancelled(one));
  const states = (alive.length > 0 ? alive : found).map((one) => stateOf(file, one, lookup.fieldPaths));
  // The one that is most like the file.
  const state = states.reduce((best, other) =>
    other.difference.length < best.difference.length ? other : best,
  );
  // With the content of the file it is the order, whatever the spelling.
  const isOther = own?.kind === 'respelled' && state.difference.length > 0;
  const marks = [...(alive.length > 1 ? ['twice'] : []), ...(isOther ? ['externalOrderId'] : [])];
  return { ...state, difference: [...marks, ...state.difference] };
}

/** The orders with this ID, also as the service spells it; undefined if there is certainly none. */
async function findOwn(reference: string, { finder }: Lookup) {
  const result = await finder.find(reference);
  if (result.kind === 'found' || result.kind === 'respelled') return result;
  if (result.kind === 'absent' && result.isComplete) return undefined;
  if ('error' in result && result.error !== undefined) throw result.error;
  throw new CliError(
    'search_incomplete',
    t`Cannot tell whether order ${reference} exists: what the service lists does not show that for certain.`,
    { hint: t`Remove its rows from the file, or report this to the operator of the service.` },
  );
}

/** By its number or `id`, as `get` reads it. */
async function findNamed(reference: string, { client }: Lookup): Promise<ServiceOrder[]> {
  if (readingsOf(reference).length === 1) return [];
  try {
    return [await findOrder(client, reference)];
  } catch (error) {
    if (error instanceof CliError && error.code === 'order_not_found') return [];
    throw error;
  }
}

/** After so many, the service shows a field of no order. */
const samples = 3;

/** Reads a listed order by its `id` if it is not as in the file, since a list may be older than the order, or show less. */
async function readWhole(
  file: FileOrder,
  listed: ServiceOrder,
  { client, fieldPaths, lacking }: Lookup,
): Promise<ServiceOrder> {
  const { difference, notShown } = stateOf(file, listed, fieldPaths);
  const count = (field: string) => lacking.get(field) ?? 0;
  if (difference.length === 0 && notShown.every((field) => count(field) >= samples)) return listed;
  try {
    const whole = await getOrder(client, listed.id);
    for (const field of stateOf(file, whole, fieldPaths).notShown) lacking.set(field, count(field) + 1);
    return whole;
  } catch (error) {
    // The list is all that the key, or the service, shows.
    if (error instanceof CliError && unreadable.has(error.code)) return listed;
    throw error;
  }
}

const unreadable: ReadonlySet<string> = new Set([
  'order_not_found',
  'permission_missing',
  'request_refused',
  'unreadable_answer',
]);
