import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../orders/json.ts';
import type { Order } from '../orders/order.ts';
import type { Answer } from './observation.ts';

/** One page of a listing; null where the service does not say. */
export interface OrderPage {
  orders: Order[];
  page: number | null;
  pageSize: number | null;
  total: number | null;
  /** Whether the service says that there is more; null when it says nothing about it. */
  hasMore: boolean | null;
}

const listKeys = ['data', 'items', 'orders', 'results', 'result', 'content', 'records', 'rows', 'list'];
const metaKeys = ['meta', 'pagination', 'page', 'paging', 'page_info', 'pageInfo'];
const pageKeys = ['page', 'pageNumber', 'current_page', 'currentPage', 'number'];
const sizeKeys = ['pageSize', 'page_size', 'perPage', 'per_page', 'limit', 'size'];
const totalKeys = ['total', 'totalCount', 'total_count', 'totalElements', 'totalItems', 'count'];
const moreKeys = ['hasMore', 'has_more', 'hasNext', 'has_next', 'hasNextPage'];

/** The orders of a list answer in whatever envelope they come (interface section 4.3 shows none); undefined when there is no list. */
export function readOrderPage(answer: Answer): OrderPage | undefined {
  const found = findList(answer.body);
  if (found === undefined) return undefined;
  const places = [found.around, answer.body].flatMap((place) => [
    ...metaKeys.map((key) => member(place, key)),
    place,
  ]);
  return {
    orders: found.list.filter(isJsonObject),
    page: firstCount(places, pageKeys),
    pageSize: firstCount(places, sizeKeys),
    total: firstCount(places, totalKeys) ?? countOf(answer.headers['x-total-count']),
    hasMore: firstFlag(places, moreKeys),
  };
}

function findList(body: Json | undefined): { list: Json[]; around: JsonObject | undefined } | undefined {
  if (Array.isArray(body)) return { list: body, around: undefined };
  const outer = [body, member(body, 'data'), member(body, 'result'), member(body, '_embedded')];
  for (const around of outer) {
    for (const key of listKeys) {
      const list = member(around, key);
      if (isJsonObject(around) && Array.isArray(list)) return { list, around };
    }
  }
  return undefined;
}

function firstCount(places: readonly (Json | undefined)[], keys: readonly string[]): number | null {
  for (const place of places) {
    for (const key of keys) {
      const count = countOf(member(place, key));
      if (count !== null) return count;
    }
  }
  return null;
}

function countOf(value: Json | undefined): number | null {
  const text = isJsonNumber(value) ? value.toString() : value;
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function firstFlag(places: readonly (Json | undefined)[], keys: readonly string[]): boolean | null {
  for (const place of places) {
    for (const key of keys) {
      const flag = member(place, key);
      if (typeof flag === 'boolean') return flag;
    }
  }
  return null;
}
