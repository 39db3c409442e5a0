import { CliError } from '../../errors.ts';
import { isJsonNumber, member } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import type { ApiClient } from '../client.ts';
import { idOf, type ServiceOrder } from '../responses/order.ts';
import { type Doubt, type WalkedPage, walkPages } from './walk-pages.ts';

export const maxPages = 200;

export type SearchField = 'externalOrderId' | 'orderNumber';

interface Search {
  field: SearchField;
  filter?: string;
  wanted: ReadonlySet<string>;
  isEnough(matches: SearchMatches): boolean;
}

interface SearchMatches {
  found: Map<string, ServiceOrder[]>;
  /** Wanted values of orders without an `id`, or whose external order ID is a number. */
  withoutId: Set<string>;
  listed: number;
  withField: number;
  matched: number;
}

/** `enough`, `bound`: there may be more orders; `unproven`: an empty response that does not prove that there are none; `doubtful`: some may have been on no page. */
type SearchEnd =
  | { how: 'whole' | 'one_page' | 'enough' | 'bound' | 'unproven' }
  | { how: 'doubtful'; sentence: string }
  | { how: 'failed'; error: CliError };

export type SearchResult = SearchMatches & { end: SearchEnd };

/** Finds orders whose field is exactly a wanted value, in up to `maxPages` pages. A `CliError` becomes the end. */
export async function searchList(client: ApiClient, search: Search): Promise<SearchResult> {
  const { field, filter, isEnough } = search;
  const matches: SearchMatches = {
    found: new Map(),
    withoutId: new Set(),
    listed: 0,
    withField: 0,
    matched: 0,
  };
  let pages = 0;
  let isUnproven = false;
  let doubt: WalkedPage['doubt'];
  try {
    for await (const page of walkPages(client, filter === undefined ? {} : { [field]: filter })) {
      for (const order of page.orders) addMatch(matches, order, search);
      if (isEnough(matches)) return { ...matches, end: { how: 'enough' } };
      isUnproven ||= page.isUnproven;
      doubt = page.doubt;
      if (++pages >= maxPages && doubt === undefined) return { ...matches, end: { how: 'bound' } };
    }
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { ...matches, end: { how: 'failed', error } };
  }
  if (isUnproven) return { ...matches, end: { how: 'unproven' } };
  // Some services filter the list, but count all orders.
  const isFilteredOut = filter !== undefined && matches.listed === 0;
  return { ...matches, end: doubt === undefined || isFilteredOut ? { how: 'whole' } : endOf(doubt) };
}

function addMatch(matches: SearchMatches, listed: Order, { field, wanted }: Search): void {
  const id = idOf(listed);
  const value = member(listed, field);
  matches.listed += 1;
  const isNumber = isJsonNumber(value);
  // A number may be a copy of the external order ID that was sent as text.
  const isCopy = isNumber && field === 'externalOrderId';
  if (typeof value === 'string' || value === null || (isNumber && !isCopy)) matches.withField += 1;
  const text = isNumber ? value.toString() : value;
  if (typeof text !== 'string' || !wanted.has(text)) return;
  matches.matched += 1;
  if (isCopy || id === undefined) matches.withoutId.add(text);
  else if (!matches.found.get(text)?.push({ id, order: listed }))
    matches.found.set(text, [{ id, order: listed }]);
}

function endOf({ kind, sentence }: { kind: Doubt; sentence: string }): SearchEnd {
  switch (kind) {
    case 'one_page':
      return { how: 'one_page' };
    case 'grown':
      return { how: 'whole' };
    case 'total':
    case 'moving':
    case 'shrunk':
      return { how: 'doubtful', sentence };
  }
}
