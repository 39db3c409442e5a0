import type { Text } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import { isJsonNumber, type Json, member } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import type { ApiClient } from '../client.ts';
import { idOf, type ServiceOrder } from '../responses/order.ts';
import { walkPages } from './walk-pages.ts';

const maxPages = 200;

type SearchField = 'externalOrderId' | 'orderNumber' | 'id';

interface Search {
  field: SearchField;
  filter?: string;
  wanted: ReadonlySet<string>;
  isEnough(matches: SearchMatches): boolean;
}

interface SearchMatches {
  found: Map<string, ServiceOrder[]>;
  /** By the wanted external order ID: orders that show it as the number that it spells, or in another case. */
  respelled: Map<string, ServiceOrder[]>;
  /** Wanted values of orders without an `id`. */
  withoutId: Set<string>;
  listed: number;
  withField: number;
  matched: number;
}

/**
 * `enough`: there may be more orders; `unproven`: an empty response that does not prove that there are none; `incomplete`:
 * some may be on no page that was read.
 */
type SearchEnd =
  | { how: 'whole' | 'enough' | 'unproven' }
  | { how: 'incomplete'; sentence: Text }
  | { how: 'failed'; error: CliError };

export type SearchResult = SearchMatches & { end: SearchEnd };

/** Finds orders whose field is exactly a wanted value, in up to `maxPages` pages. A `CliError` becomes the end. */
export async function searchList(client: ApiClient, search: Search): Promise<SearchResult> {
  const { field, filter, isEnough } = search;
  const matches: SearchMatches = {
    found: new Map(),
    respelled: new Map(),
    withoutId: new Set(),
    listed: 0,
    withField: 0,
    matched: 0,
  };
  const bySpelling = field === 'externalOrderId' ? groupBySpelling(search.wanted) : new Map();
  let isUnproven = false;
  let caveat: Text | undefined;
  try {
    for await (const page of walkPages(
      client,
      filter === undefined ? {} : { [field]: filter },
      0,
      maxPages,
    )) {
      for (const order of page.orders) addMatch(matches, order, search, bySpelling);
      if (isEnough(matches)) return { ...matches, end: { how: 'enough' } };
      isUnproven ||= page.isUnproven;
      caveat = page.caveat;
    }
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { ...matches, end: { how: 'failed', error } };
  }
  if (isUnproven) return { ...matches, end: { how: 'unproven' } };
  if (caveat === undefined) return { ...matches, end: { how: 'whole' } };
  // Some services filter the list, but count all orders, which the whole list shows.
  if (filter !== undefined && matches.listed === 0) return { ...matches, end: { how: 'enough' } };
  return { ...matches, end: { how: 'incomplete', sentence: caveat } };
}

function addMatch(
  matches: SearchMatches,
  listed: Order,
  { field, wanted }: Search,
  bySpelling: ReadonlyMap<string, readonly string[]>,
): void {
  const id = idOf(listed);
  const value = member(listed, field);
  matches.listed += 1;
  // A number may be a copy of the external order ID that was sent as text.
  const shown = isJsonNumber(value) && field !== 'externalOrderId' ? value.toString() : value;
  if (typeof shown === 'string' || shown === null) matches.withField += 1;
  const exact = typeof shown === 'string' && wanted.has(shown) ? shown : undefined;
  const others = (bySpelling.get(spellingOf(value) ?? '') ?? []).filter((other) => other !== exact);
  if (exact !== undefined || others.length > 0) matches.matched += 1;
  const add = (orders: Map<string, ServiceOrder[]>, name: string) => {
    if (id === undefined) matches.withoutId.add(name);
    else if (!orders.get(name)?.push({ id, order: listed })) orders.set(name, [{ id, order: listed }]);
  };
  if (exact !== undefined) add(matches.found, exact);
  for (const other of others) add(matches.respelled, other);
}

/** Texts that differ only in case have the same one; a number has that of the text that spells it. */
function spellingOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return `"${value.toLowerCase()}`;
  return isJsonNumber(value) ? value.toString() : undefined;
}

function spellingsOf(externalOrderId: string): string[] {
  const asText = `"${externalOrderId.toLowerCase()}`;
  return /^\d+$/.test(externalOrderId) ? [asText, externalOrderId.replace(/^0+(?=\d)/, '')] : [asText];
}

function groupBySpelling(externalOrderIds: Iterable<string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const id of externalOrderIds) {
    for (const spelling of spellingsOf(id)) {
      if (!groups.get(spelling)?.push(id)) groups.set(spelling, [id]);
    }
  }
  return groups;
}

/** A service may store an external order ID as a number, or in another case. */
export function isRespelled(shown: Json | undefined, externalOrderId: string): boolean {
  return spellingsOf(externalOrderId).includes(spellingOf(shown) ?? '');
}
