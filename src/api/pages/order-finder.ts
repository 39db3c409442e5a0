import type { CliError, ErrorCode } from '../../errors.ts';
import type { ApiClient } from '../client.ts';
import { maxConcurrency } from '../pacing/concurrency.ts';
import { createTaskQueue } from '../pacing/queue.ts';
import { isSameId, type ServiceOrder } from '../responses/order.ts';
import { type SearchEnd, type Sights, searchList } from './search.ts';

/**
 * What a look-up by `externalOrderId` proves (interface section 4.3).
 * - `found`: the orders that carry exactly that id; `isComplete`: there are certainly no others
 * - `absent`: there is none; not `isComplete` when the service gives one page whatever page is asked
 * - `not_allowed`: 401 or 403, as for a key that may only write; it settles nothing
 * - `unsettled`: failed, interrupted, stopped by its bound or doubtful; it proves nothing
 */
export type LookupResult =
  | { kind: 'found'; orders: ServiceOrder[]; isComplete: boolean }
  | { kind: 'absent'; isComplete: boolean }
  | { kind: 'not_allowed'; error: CliError }
  | { kind: 'unsettled' };

export interface OrderFinder {
  /** Never throws for an outcome. */
  find(externalOrderId: string): Promise<LookupResult>;
}

type Searched = Sights & { end: SearchEnd };

const field = 'externalOrderId';
const notAllowed: ReadonlySet<ErrorCode> = new Set(['key_refused', 'permission_missing']);
/** The service works and goes no further, today and tomorrow: what it showed until then counts. */
const goesNoFurther: ReadonlySet<ErrorCode> = new Set(['search_incomplete', 'request_refused']);

/**
 * Look-ups of one run. Each asks the list with its filter; once an answer holds an order of another id, the filter
 * is known to be ignored, and walks over the whole list serve all who wait, instead of a request for each.
 */
export function createOrderFinder(client: ApiClient): OrderFinder {
  const requests = createTaskQueue(maxConcurrency);
  const walkFor = createSharedWalks(client);
  let isFilterIgnored = false;

  const filterBy = async (id: string): Promise<Searched | undefined> => {
    // Found out while this one waited for its turn.
    if (isFilterIgnored) return undefined;
    const filtered = await searchList(client, {
      ...{ field, filter: id, wanted: new Set([id]) },
      isEnough: ({ listed, matched }) => listed > matched,
    });
    isFilterIgnored ||= filtered.shown > filtered.matched;
    return filtered;
  };

  return {
    async find(id) {
      const filtered = isFilterIgnored ? undefined : await requests.run(() => filterBy(id));
      if (filtered !== undefined && filtered.end.how !== 'enough') return findingOf(id, filtered);
      // Those who are being asked for may come to wait for a walk as well, and then it is the same one.
      await requests.settled();
      return findingOf(id, await walkFor(id), filtered);
    },
  };
}

/** One walk at a time; each serves those who came before it began, and nobody who came later. */
function createSharedWalks(client: ApiClient): (id: string) => Promise<Searched> {
  let next: { wanted: Set<string>; walked: Promise<Searched> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (id) => {
    if (next === undefined) {
      const wanted = new Set<string>();
      const walked = last.then(comeTogether).then(() => {
        next = undefined;
        // To its end even when all are found: an id that a cancelled order gave up may be carried by a later one.
        return searchList(client, { field, wanted, isEnough: () => false });
      });
      next = { wanted, walked };
      last = walked.catch(() => undefined);
    }
    next.wanted.add(id);
    return next.walked;
  };
}

/** Lets those who come at the same time come before the walk begins. */
function comeTogether(): Promise<void> {
  return new Promise((come) => setImmediate(come));
}

/** What the last search proves, with what the filter had shown before it. */
function findingOf(id: string, last: Searched, before?: Searched): LookupResult {
  const { end, listed, shown } = last;
  if (end.how === 'failed' && !goesNoFurther.has(end.error.code)) {
    const { error } = end;
    return notAllowed.has(error.code) ? { kind: 'not_allowed', error } : { kind: 'unsettled' };
  }
  const seen = last.found.get(id) ?? [];
  const seenBefore = before?.found.get(id) ?? [];
  const missing = seenBefore.filter((order) => !seen.some((other) => isSameId(other.id, order.id)));
  const orders = [...seen, ...missing];
  const isUnnamed = last.unnamed.has(id) || before?.unnamed.has(id) === true;
  if (orders.length > 0) {
    return { kind: 'found', orders, isComplete: end.how === 'whole' && !isUnnamed && missing.length === 0 };
  }
  const isHidden = listed > 0 && shown === 0;
  const isSeen = end.how === 'whole' || end.how === 'one_page';
  if (isUnnamed || isHidden || !isSeen) return { kind: 'unsettled' };
  return { kind: 'absent', isComplete: end.how === 'whole' };
}
