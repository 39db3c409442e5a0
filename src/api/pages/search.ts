import { CliError } from '../../errors.ts';
import { member } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import type { ApiClient } from '../client.ts';
import { readOrder, type ServiceOrder } from '../responses/order.ts';
import { type WalkedPage, walkPages } from './walk-pages.ts';

/** A longer search is given up. */
export const maxPages = 200;

/** A field that orders are looked for by, and the list filter of the same name (interface section 4.3). */
export type SearchField = 'externalOrderId' | 'orderNumber';

export interface Search {
  field: SearchField;
  /** What the list is filtered by; absent for the whole list. */
  filter?: string;
  wanted: ReadonlySet<string>;
  /** Asked after every page. */
  isEnough(sights: Sights): boolean;
}

/** What a search has seen so far. */
export interface Sights {
  /** The orders that carry what is wanted, by that. */
  found: Map<string, ServiceOrder[]>;
  /** What is wanted and was carried by an order without an `id`, so that nobody can say which order it is. */
  unnamed: Set<string>;
  /** Orders of any kind, each once. */
  listed: number;
  /** Those that show the field: text, or `null` when they have none. */
  shown: number;
  /** Those that carry what is wanted. */
  matched: number;
}

/**
 * - `whole`: all there was when it began was seen
 * - `one_page`: the service gives the same page whatever page is asked
 * - `enough`, `bound`: there may be more
 * - `doubtful`: there is more, or may be, that no page brought
 * - `failed`: a read ended in that error
 */
export type SearchEnd =
  | { how: 'whole' | 'one_page' | 'enough' | 'bound' }
  | { how: 'doubtful'; sentence: string }
  | { how: 'failed'; error: CliError };

/** Page after page of the list, up to a bound, for the orders whose field is exactly what is wanted. Never throws for an end. */
export async function searchList(client: ApiClient, search: Search): Promise<Sights & { end: SearchEnd }> {
  const { field, filter, isEnough } = search;
  const sights: Sights = { found: new Map(), unnamed: new Set(), listed: 0, shown: 0, matched: 0 };
  let pages = 0;
  let doubt: WalkedPage['doubt'];
  try {
    for await (const page of walkPages(client, filter === undefined ? {} : { [field]: filter })) {
      for (const order of page.orders) note(sights, order, search);
      if (isEnough(sights)) return { ...sights, end: { how: 'enough' } };
      doubt = page.doubt;
      if (++pages >= maxPages && doubt === undefined) return { ...sights, end: { how: 'bound' } };
    }
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { ...sights, end: { how: 'failed', error } };
  }
  // A service that filters its list may count all orders nevertheless.
  const isFilteredOut = filter !== undefined && sights.listed === 0;
  return { ...sights, end: doubt === undefined || isFilteredOut ? { how: 'whole' } : endOf(doubt) };
}

function note(sights: Sights, listed: Order, { field, wanted }: Search): void {
  const named = readOrder(listed);
  // An order of a list may be in an envelope of its own.
  const value = member(named?.order ?? listed, field);
  sights.listed += 1;
  if (typeof value === 'string' || value === null) sights.shown += 1;
  if (typeof value !== 'string' || !wanted.has(value)) return;
  sights.matched += 1;
  if (named === undefined) sights.unnamed.add(value);
  else if (!sights.found.get(value)?.push(named)) sights.found.set(value, [named]);
}

function endOf({ kind, sentence }: NonNullable<WalkedPage['doubt']>): SearchEnd {
  switch (kind) {
    case 'one_page':
      return { how: 'one_page' };
    case 'grown':
      return { how: 'whole' };
    case 'total':
    case 'moving':
    case 'shrinking':
      return { how: 'doubtful', sentence };
  }
}
