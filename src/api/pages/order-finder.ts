import type { CliError, ErrorCode } from '../../errors.ts';
import type { ApiClient } from '../client.ts';
import { maxConcurrency } from '../pacing/limiter.ts';
import { isSameId, type ServiceOrder } from '../responses/order.ts';
import { type SearchResult, searchList } from './search.ts';

/**
 * A lookup by external order ID (interface section 4.3). `isComplete`: there are certainly no others; `not_allowed`
 * (401, 403) and `unsettled` prove nothing; `isListed`: an order with that ID is in the list, but without an `id`, or as
 * `respelled` with other content; `error`: why the list could not be read.
 */
export type LookupResult =
  | { kind: 'found'; orders: ServiceOrder[]; isComplete: boolean }
  | { kind: 'absent'; isComplete: boolean }
  | { kind: 'not_allowed'; error: CliError }
  | { kind: 'unsettled'; isListed: boolean; respelled?: ServiceOrder[]; error?: CliError };

/**
 * Orders that show the external order ID in another spelling: their content decides whether they are ours. `isComplete`:
 * there are certainly no others.
 */
export interface RespelledOrders {
  kind: 'respelled';
  orders: ServiceOrder[];
  isComplete: boolean;
}

/** `replacedIds`: IDs of cancelled orders that no longer count. */
export function withoutReplaced(lookup: LookupResult, replacedIds: ReadonlySet<string>): LookupResult {
  if (lookup.kind !== 'found') return lookup;
  const orders = lookup.orders.filter(({ id }) => !replacedIds.has(id));
  return orders.length > 0 ? { ...lookup, orders } : { kind: 'absent', isComplete: lookup.isComplete };
}

export type OrderFinder = ReturnType<typeof createOrderFinder>;

const field = 'externalOrderId';
const notAllowed: ReadonlySet<ErrorCode> = new Set(['key_refused', 'permission_missing', 'request_blocked']);
/** Repeating the search would not help, so what it read counts. */
const permanentEnds: ReadonlySet<ErrorCode> = new Set(['search_incomplete', 'request_refused']);

/** Single lookups, until a response shows that the service ignores the filter; then shared walks over the whole list. */
export function createOrderFinder(client: ApiClient) {
  const lookups = createTaskQueue(maxConcurrency);
  const walkFor = createSharedWalks(client);
  let isFilterIgnored = false;

  const findByFilter = async (id: string, single: ApiClient): Promise<SearchResult | undefined> => {
    if (isFilterIgnored) return undefined;
    const result = await searchList(single, {
      field,
      filter: id,
      wanted: new Set([id]),
      isEnough: ({ listed, matched }) => listed > matched,
    });
    isFilterIgnored ||= result.withField > result.matched;
    return result;
  };

  const filter = async (id: string, single: ApiClient) =>
    isFilterIgnored ? undefined : lookups.run(() => findByFilter(id, single));
  const walkAfter = async (id: string, filtered: SearchResult | undefined) => {
    if (filtered !== undefined && filtered.end.how !== 'enough') return toLookupResult(id, filtered);
    // The lookups in flight may need the same walk.
    await lookups.settled();
    return toLookupResult(id, await walkFor(id), filtered);
  };
  /**
   * Failures of the service become a result, never an error. `single`: the client of one order, which has its time; a walk
   * for many orders has its own.
   */
  const find = async (id: string, single = client) => walkAfter(id, await filter(id, single));
  return {
    find,
    /** In the order of the IDs; by one walk where the service ignores the filter. */
    async findMany([first, ...others]: readonly string[]): Promise<(LookupResult | RespelledOrders)[]> {
      if (first === undefined) return [];
      // Alone, since it shows whether the service ignores the filter.
      const filtered = await filter(first, client);
      return Promise.all([walkAfter(first, filtered), ...others.map((id) => find(id))]);
    },
  };
}

/** One walk at a time, which serves the IDs that were requested before it began. */
function createSharedWalks(client: ApiClient): (id: string) => Promise<SearchResult> {
  let next: { wanted: Set<string>; result: Promise<SearchResult> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (id) => {
    if (next === undefined) {
      const wanted = new Set<string>();
      const result = last.then(afterPendingEvents).then(() => {
        next = undefined;
        // To the end: a later order may have the ID of a cancelled one.
        return searchList(client, { field, wanted, isEnough: () => false });
      });
      next = { wanted, result };
      last = result.catch(() => undefined);
    }
    next.wanted.add(id);
    return next.result;
  };
}

function afterPendingEvents(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function toLookupResult(
  id: string,
  last: SearchResult,
  filtered?: SearchResult,
): LookupResult | RespelledOrders {
  const { end, listed, withField } = last;
  const respelled = merge(last.respelled.get(id), filtered?.respelled.get(id));
  if (end.how === 'failed' && !permanentEnds.has(end.error.code)) {
    const { error } = end;
    return notAllowed.has(error.code)
      ? { kind: 'not_allowed', error }
      : { kind: 'unsettled', isListed: last.withoutId.has(id) || respelled.length > 0, error };
  }
  const found = last.found.get(id) ?? [];
  const orders = merge(found, filtered?.found.get(id));
  const isWithoutId = last.withoutId.has(id) || filtered?.withoutId.has(id) === true;
  if (orders.length > 0) {
    return {
      kind: 'found',
      orders,
      isComplete:
        end.how === 'whole' && !isWithoutId && respelled.length === 0 && orders.length === found.length,
    };
  }
  if (respelled.length > 0)
    return { kind: 'respelled', orders: respelled, isComplete: end.how === 'whole' && !isWithoutId };
  const isFieldHidden = listed > 0 && withField === 0;
  if (isWithoutId || isFieldHidden || end.how !== 'whole')
    return { kind: 'unsettled', isListed: isWithoutId };
  return { kind: 'absent', isComplete: true };
}

function merge(last: readonly ServiceOrder[] = [], before: readonly ServiceOrder[] = []): ServiceOrder[] {
  const missing = before.filter((order) => !last.some((other) => isSameId(other.id, order.id)));
  return [...last, ...missing];
}

function createTaskQueue(maxConcurrency: number) {
  const waiting: (() => void)[] = [];
  const running = new Set<Promise<unknown>>();
  let slotsTaken = 0;
  return {
    async run<Result>(task: () => Promise<Result>): Promise<Result> {
      if (slotsTaken < maxConcurrency) slotsTaken += 1;
      else await new Promise<void>((start) => waiting.push(start));
      const result = task();
      running.add(result);
      try {
        return await result;
      } finally {
        running.delete(result);
        const startNext = waiting.shift();
        if (startNext === undefined) slotsTaken -= 1;
        else startNext();
      }
    },
    settled: () => Promise.allSettled(running),
  };
}
