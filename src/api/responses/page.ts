import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { isErrorBody } from './order.ts';

/** One page of a list of orders; null for what the response does not say. */
export interface OrderPage {
  orders: Order[];
  page: number | null;
  pageSize: number | null;
  total: number | null;
  hasMore: boolean | null;
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

/** The orders in any usual envelope, since the interface defines none (section 4.3); undefined for an error. */
export function readOrderPage(response: ServiceResponse): OrderPage | undefined {
  if (isErrorBody(response.body)) return undefined;
  const found = findList(response.body);
  if (found === undefined) return undefined;
  const places = [found.around, response.body].flatMap((place) => [
    ...metaKeys.map((key) => member(place, key)),
    place,
  ]);
  const next = readNextPage(response, places);
  const isLast = firstFlag(places, lastKeys);
  return {
    orders: found.list.filter(isJsonObject),
    page: firstCount(places, pageKeys),
    pageSize: firstCount(places, sizeKeys),
    total: firstCount(places, totalKeys) ?? countOf(response.headers['x-total-count']),
    hasMore:
      firstFlag(places, moreKeys) ?? (isLast === null ? null : !isLast) ?? (next === 'none' ? false : null),
    next: next === 'none' ? null : next,
  };
}

function findList(body: Json | undefined): { list: Json[]; around: JsonObject | undefined } | undefined {
  if (Array.isArray(body)) return { list: body, around: undefined };
  for (const around of [body, ...outerKeys.map((key) => member(body, key))]) {
    // The lists in an order are not lists of orders.
    if (!isJsonObject(around) || isOrder(around)) continue;
    for (const key of listKeys) {
      const list = member(around, key);
      if (Array.isArray(list)) return { list, around };
    }
  }
  return embeddedList(member(body, '_embedded'));
}

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

/** A link to the next page, the fact that it is reached with a cursor, or `none` for the last page. */
export type NextPage = { link: string } | 'cursor' | 'none';

const linkNames = [
  'next',
  'next_page_url',
  'nextPageUrl',
  'nextLink',
  '@odata.nextLink',
  'nextUrl',
  'next_url',
];
const cursorNames = [
  ...['nextPage', 'next_page', 'nextPageToken', 'next_page_token', 'nextToken', 'next_token'],
  ...['nextCursor', 'next_cursor'],
];
const maxParameters = 20;
const maxLinkLength = 2000;

/** The `rel="next"` of a Link header (RFC 8288), or a link or cursor of the body; null without any of them. */
export function readNextPage(
  { headers }: ServiceResponse,
  places: readonly (Json | undefined)[],
): NextPage | null {
  const header = nextOfHeader(headers.link ?? '');
  if (header !== undefined) return { link: header };
  const found: NextPage[] = [];
  for (const place of places) {
    for (const within of [member(place, 'links'), member(place, '_links'), place]) {
      for (const name of linkNames) found.push(...fromLink(member(within, name)));
    }
    for (const name of cursorNames) found.push(...fromCursor(member(place, name)));
  }
  // Some services send a null link beside a cursor, so `none` comes last.
  const isLink = (next: NextPage) => typeof next === 'object';
  return found.find(isLink) ?? found.find((next) => next === 'cursor') ?? found[0] ?? null;
}

/** The query parameters of a link, the only part of it that is used; undefined for a link to another origin. */
export function parametersOf(link: string, origin: string): Record<string, string> | undefined {
  if (link.length > maxLinkLength || !URL.canParse(link, origin)) return undefined;
  const url = new URL(link, origin);
  const parameters = [...url.searchParams];
  if (url.origin !== origin || parameters.length === 0 || parameters.length > maxParameters) return undefined;
  return Object.fromEntries(parameters);
}

export function pageNumberOf(link: string): number | undefined {
  const page = parametersOf(link, URL.canParse(link) ? new URL(link).origin : 'http://localhost')?.page;
  return page !== undefined && /^\d{1,9}$/.test(page) ? Number(page) : undefined;
}

const linkShape = /^(?:https?:\/\/|[/?])/;

function fromLink(value: Json | undefined): NextPage[] {
  if (value === null) return ['none'];
  const href = member(value, 'href') ?? value;
  return typeof href === 'string' && linkShape.test(href) ? [{ link: href }] : [];
}

function fromCursor(value: Json | undefined): NextPage[] {
  if (value === null || value === '' || value === false) return ['none'];
  if (isJsonNumber(value)) return [{ link: `?page=${value}` }];
  if (typeof value !== 'string') return [];
  return linkShape.test(value) ? [{ link: value }] : ['cursor'];
}

function nextOfHeader(header: string): string | undefined {
  for (const [, target, parameters = ''] of header
    .slice(0, 16 * maxLinkLength)
    .matchAll(/<([^<>]*)>((?:\s*;[^,;"]*(?:"[^"]*")?)*)/g)) {
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)/i.test(parameters)) return target;
  }
  return undefined;
}
