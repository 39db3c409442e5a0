import { isJsonNumber, isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { isErrorBody } from './error-body.ts';
import { findOrderList } from './list.ts';

/** Null for what the response does not state. */
export interface OrderPage {
  orders: Order[];
  page: number | null;
  pageSize: number | null;
  total: number | null;
  hasMore: boolean | null;
  next: Exclude<NextPage, 'none'> | null;
}

const metaKeys = [
  ...['meta', '_meta', 'metadata', 'pagination', 'paginator', 'page', 'pageable', 'paging'],
  ...['page_info', 'pageInfo', 'info', 'view', 'hydra:view', 'search_criteria'],
];
const innerMetaKeys = ['pagination', 'page', 'paging'];
const pageKeys = [
  ...['page', 'pageNumber', 'page_number', 'current_page', 'currentPage', 'number'],
  ...['pageNum', 'pageNo', 'pageIndex', 'current'],
];
const sizeKeys = ['pageSize', 'page_size', 'perPage', 'per_page', 'limit', 'size', 'itemsPerPage'];
const totalKeys = [
  ...['total', 'totalCount', 'total_count', 'totalElements', 'totalItems', 'total_items', 'totalRecords'],
  ...[
    'totalDocs',
    'hydra:totalItems',
    '@odata.count',
    'odata.count',
    'totalResults',
    'total_results',
    'totalSize',
  ],
  ...['total_records', 'total_entries', 'recordsFiltered', 'numFound', 'totalHits', 'itemCount', 'count'],
];
const moreKeys = [
  ...['hasMore', 'has_more', 'hasNext', 'has_next', 'hasNextPage', 'has_next_page', 'more_records'],
  ...['hasMorePages', 'isTruncated'],
];
const lastKeys = ['last', 'isLast', 'is_last', 'isLastPage', 'done'];

/** The interface defines no envelope (section 4.3). Undefined for an error. `isAfterOthers`: may be empty without a list. */
export function readOrderPage(response: ServiceResponse, isAfterOthers = false): OrderPage | undefined {
  if (response.body === undefined || isErrorBody(response.body)) return undefined;
  const found = findOrderList(response.body, (around) => {
    const total = firstTotal(containersOf(around));
    return total === 0 || (isAfterOthers && total !== null);
  });
  if (found === undefined) return undefined;
  const containers = containersOf(found.around);
  const next = readNextPage(response, containers);
  const isLast = firstFlag(containers, lastKeys);
  return {
    orders: found.orders,
    page: firstCount(containers, pageKeys),
    pageSize: firstCount(containers, sizeKeys),
    total: firstTotal(containers) ?? totalOfHeaders(response),
    hasMore:
      firstFlag(containers, moreKeys) ??
      (isLast === null ? null : !isLast) ??
      (next === 'none' ? false : null),
    next: next === 'none' ? null : next,
  };
}

/** The objects that may describe the page, innermost first. */
function containersOf(around: readonly JsonObject[]): JsonObject[] {
  return around.flatMap((container) => {
    const metas = metaKeys.map((key) => member(container, key)).filter(isJsonObject);
    const inner = metas.flatMap((meta) => innerMetaKeys.map((key) => member(meta, key))).filter(isJsonObject);
    return [...inner, ...metas, container];
  });
}

function firstTotal(containers: readonly JsonObject[]): number | null {
  for (const container of containers) {
    for (const key of totalKeys) {
      // Beside `start`, `count` is the length of the page.
      if (key === 'count' && member(container, 'start') !== undefined) continue;
      const total = member(container, key);
      // Elasticsearch: in `{value, relation}` the value may be a lower bound.
      const isExact = !isJsonObject(total) || member(total, 'relation') !== 'gte';
      const count = isExact ? countOf(member(total, 'value') ?? total) : null;
      if (count !== null) return count;
    }
  }
  return null;
}

function totalOfHeaders({ headers }: ServiceResponse): number | null {
  const range = /^[a-z-]+ [\d*-]{1,40}\/(\d+)$/i.exec(headers['content-range'] ?? '')?.[1];
  return countOf(headers['x-total-count']) ?? countOf(range);
}

function firstCount(containers: readonly (Json | undefined)[], keys: readonly string[]): number | null {
  for (const container of containers) {
    for (const key of keys) {
      const count = countOf(member(container, key));
      if (count !== null) return count;
    }
  }
  return null;
}

function countOf(value: Json | undefined): number | null {
  const text = isJsonNumber(value) ? value.toString() : value;
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function firstFlag(containers: readonly (Json | undefined)[], keys: readonly string[]): boolean | null {
  for (const container of containers) {
    for (const key of keys) {
      const flag = member(container, key);
      if (typeof flag === 'boolean') return flag;
    }
  }
  return null;
}

/** `none` for the last page. */
export type NextPage = { link: string } | 'cursor' | 'none';

const linkNames = [
  ...['next', 'next_page_url', 'nextPageUrl', 'nextLink', '@odata.nextLink', 'nextUrl', 'next_url'],
  ...['nextRecordsUrl', 'hydra:next'],
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
  containers: readonly (Json | undefined)[],
): NextPage | null {
  const header = nextOfHeader(headers.link);
  if (header !== undefined) return { link: header };
  const found: NextPage[] = [];
  for (const container of containers) {
    for (const within of [member(container, 'links'), member(container, '_links'), container]) {
      for (const name of linkNames) found.push(...fromLink(member(within, name)));
    }
    found.push(...fromRelations(member(container, 'links')));
    for (const name of cursorNames) found.push(...fromCursor(member(container, name)));
  }
  // Some services send a null link beside a cursor, so `none` comes last.
  const isLink = (next: NextPage) => typeof next === 'object';
  return found.find(isLink) ?? found.find((next) => next === 'cursor') ?? found[0] ?? null;
}

/** Only the query of a link is used. Undefined for a link to another origin. */
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

function fromRelations(links: Json | undefined): NextPage[] {
  if (!Array.isArray(links)) return [];
  const next = links.find((link) => member(link, 'rel') === 'next');
  return next === undefined ? [] : fromLink(next);
}

function fromCursor(value: Json | undefined): NextPage[] {
  if (value === null || value === '' || value === false) return ['none'];
  if (isJsonNumber(value)) return [{ link: `?page=${value}` }];
  if (typeof value !== 'string') return [];
  return linkShape.test(value) ? [{ link: value }] : ['cursor'];
}

function nextOfHeader(header: string | undefined): string | undefined {
  const links = header?.slice(0, 16 * maxLinkLength).matchAll(/<([^<>]*)>((?:\s*;[^,;"]*(?:"[^"]*")?)*)/g);
  for (const [, target, parameters = ''] of links ?? []) {
    for (const [, quoted, bare = ''] of parameters.matchAll(/;\s*rel\s*=\s*(?:"([^"]*)"|(next)\b)/gi)) {
      if ((quoted ?? bare).toLowerCase().split(/\s/).includes('next')) return target;
    }
  }
  return undefined;
}
