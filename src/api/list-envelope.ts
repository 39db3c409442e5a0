import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import { isErrorBody } from './error-body.ts';
import { type NextPage, readNextPage } from './list-links.ts';
import type { Answer } from './observation.ts';

/** One page of a listing; null where the service does not say. */
export interface OrderPage {
  orders: Order[];
  page: number | null;
  pageSize: number | null;
  total: number | null;
  /** Whether the service says that there is more; null when it says nothing about it. */
  hasMore: boolean | null;
  /** Where it says that the next page is. */
  next: Exclude<NextPage, 'none'> | null;
}

const listKeys = ['data', 'items', 'orders', 'results', 'result', 'content', 'records', 'rows', 'list'];
const outerKeys = ['data', 'result', 'results', 'orders', 'response', '_embedded'];
const metaKeys = ['meta', 'pagination', 'page', 'paging', 'page_info', 'pageInfo'];
const pageKeys = [
  ...['page', 'pageNumber', 'page_number', 'current_page', 'currentPage', 'number'],
  ...['pageNum', 'pageNo', 'pageIndex', 'current'],
];
const sizeKeys = ['pageSize', 'page_size', 'perPage', 'per_page', 'limit', 'size'];
const totalKeys = [
  ...['total', 'totalCount', 'total_count', 'totalElements', 'totalItems', 'total_items', 'totalRecords'],
  'count',
];
const moreKeys = ['hasMore', 'has_more', 'hasNext', 'has_next', 'hasNextPage', 'has_next_page'];
const lastKeys = ['last', 'isLast', 'is_last'];

/**
 * The orders of a list answer in whatever envelope they come (interface section 4.3 shows none); undefined when
 * there is no list, and for an error.
 */
export function readOrderPage(answer: Answer): OrderPage | undefined {
  if (isErrorBody(answer.body)) return undefined;
  const found = findList(answer.body);
  if (found === undefined) return undefined;
  const places = [found.around, answer.body].flatMap((place) => [
    ...metaKeys.map((key) => member(place, key)),
    place,
  ]);
  const next = readNextPage(answer, places);
  const isLast = firstFlag(places, lastKeys);
  return {
    orders: found.list.filter(isJsonObject),
    page: firstCount(places, pageKeys),
    pageSize: firstCount(places, sizeKeys),
    total: firstCount(places, totalKeys) ?? countOf(answer.headers['x-total-count']),
    hasMore:
      firstFlag(places, moreKeys) ?? (isLast === null ? null : !isLast) ?? (next === 'none' ? false : null),
    next: next === 'none' ? null : next,
  };
}

function findList(body: Json | undefined): { list: Json[]; around: JsonObject | undefined } | undefined {
  if (Array.isArray(body)) return { list: body, around: undefined };
  for (const around of [body, ...outerKeys.map((key) => member(body, key))]) {
    // An order has lists of its own.
    if (!isJsonObject(around) || isOrder(around)) continue;
    for (const key of listKeys) {
      const list = member(around, key);
      if (Array.isArray(list)) return { list, around };
    }
  }
  return embeddedList(member(body, '_embedded'));
}

/** HAL names its list after what is in it. */
function embeddedList(around: Json | undefined): { list: Json[]; around: JsonObject } | undefined {
  if (!isJsonObject(around)) return undefined;
  const lists = Object.values(around).filter((value) => Array.isArray(value));
  return lists.length === 1 && lists[0] ? { list: lists[0], around } : undefined;
}

function isOrder(value: JsonObject): boolean {
  const names = ['orderNumber', 'externalOrderId', 'customer', 'collectionMode'];
  return textField(value, 'id') !== undefined && names.some((name) => member(value, name) !== undefined);
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
