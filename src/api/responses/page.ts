import {
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  member,
  parseJson,
} from '../../orders/json.ts';
import { hasOrderField, type Order } from '../../orders/order.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { isErrorBody, readServiceError } from './error-body.ts';
import { findOrderList, isOrder, type OrderList } from './list.ts';

/** Null for what the response does not state. */
export interface OrderPage {
  orders: Order[];
  /** Without orders, in a form that does not prove that there are none. */
  isUnproven: boolean;
  page: number | null;
  pageSize: number | null;
  total: number | null;
  /** Of all pages. */
  pageCount: number | null;
  /** The total may be the number of orders on the page. */
  mayCountPage: boolean;
  hasMore: boolean | null;
  next: Exclude<NextPage, 'none'> | null;
}

/**
 * The interface defines no envelope (section 4.3). Undefined for an error, and for a response without a list of orders.
 * `isAfterOthers`: a page after the first may be empty without a list.
 */
export function readOrderPage(response: ServiceResponse, isAfterOthers = false): OrderPage | undefined {
  const { status, body } = response;
  if (status === 404 && !saysNone(response)) return undefined;
  const isNothing = status === 404 || status === 204;
  if (!isNothing && isErrorBody(body)) return undefined;
  const found = isNothing ? nothing : body !== undefined && findOrderList(isLine(response) ? [body] : body);
  if (!found) return undefined;
  const containers = [...containersOf(found.around), ...containersOfHeaders(response)];
  const counted = totalIn(containers);
  const count = counted?.total ?? totalOfHeaders(response);
  const isLater = isAfterOthers && count !== null;
  if (found.form === 'unstated' && count !== 0 && !isLater) return undefined;
  const next = readNextPage(response, containers);
  const isLast = firstFlag(containers, lastName);
  const hasMore =
    firstFlag(containers, moreName) ?? (isLast === null ? null : !isLast) ?? (next === 'none' ? false : null);
  const isFollowed = hasMore === true || (next !== null && next !== 'none');
  return {
    orders: found.orders,
    isUnproven: found.form === 'nothing' && count !== 0 && !isLater,
    page: firstCount(containers, pageName),
    pageSize: firstCount(containers, sizeName),
    // With a page after this one, a count of this page is no total.
    total: isFollowed && count !== null && count <= found.orders.length ? null : count,
    pageCount: firstCount(containers, pageCountName),
    mayCountPage: counted?.mayCountPage ?? false,
    hasMore,
    next: next === 'none' ? null : next,
  };
}

const linesType = /ndjson|jsonl|json-?lines|json-seq|stream\+json|text\/plain/i;

/** One order, as the only one of the lines of JSON (NDJSON). */
function isLine({ headers, body }: ServiceResponse): boolean {
  return isJsonObject(body) && isOrder(body) && linesType.test(headers['content-type'] ?? '');
}

const nothing: OrderList = { form: 'nothing', orders: [], around: [] };

const noneWords =
  /\b(?:no|zero|0) (?:such |matching |more )?(?:orders?|records?|results?|rows?|items?|data|entries|documents?)\b|\b(?:orders?|records?|results?|data)(?: (?:were|was|is|are))? not found\b|захиалга\p{L}{0,20} олдсонгүй/iu;

/** A wrong address says "Not Found" as well, so only words about orders count. */
function saysNone(response: ServiceResponse): boolean {
  return response.body !== undefined && noneWords.test(readServiceError(response).message ?? '');
}

const maxMetaLevels = 2;

/** The objects that may describe the page: innermost first, each after those in it. */
function containersOf(around: readonly JsonObject[]): JsonObject[] {
  const known = new Set<JsonObject>();
  const add = (object: JsonObject, levels: number) => {
    if (known.has(object)) return;
    for (const [name, value] of Object.entries(object)) {
      const isMeta = isJsonObject(value) && !otherMeta.test(name) && !hasOrderField(value);
      if (isMeta && levels > 0) add(value, levels - 1);
    }
    known.add(object);
  };
  for (const object of around) add(object, maxMetaLevels);
  return [...known].filter((object) => Object.keys(object).length <= maxNames);
}

/** More names are those of the orders, not of what describes the page. */
const maxNames = 1000;

/** What the request asked for, and sums of money. */
const otherMeta = /^_?(?:filters?|query|params|request|links)$|amount|sum|price|stat/i;

/** Such as `{"TotalCount":41,"HasNext":true}` in `X-Pagination`. */
function containersOfHeaders({ headers }: ServiceResponse): JsonObject[] {
  try {
    const stated = parseJson((headers['x-pagination'] ?? headers.pagination ?? '').slice(0, maxLinkLength));
    return isJsonObject(stated) ? [stated] : [];
  } catch {
    return [];
  }
}

const pageName = /^(?:(?:current|this)?page(?:number|num|no|index)?|number|current)$/;
const pageCountName =
  /^(?:total|num(?:ber)?(?:of)?)?pages?(?:count|total)$|^(?:total|num(?:ber)?(?:of)?)pages$|^pages$|^last(?:page)$/;
const sizeName = /^(?:page(?:size|limit)|perpage|limit|size|itemsperpage|pagelen)$/;
const moreName =
  /^(?:is|has)?(?:more|next)(?:pages?|records|items|results|data|link)?$|^is(?:truncated|more)$|morerecords$/;
const lastName = /^(?:is)?last(?:page)?$|^done$/;

/** Best first: a count of what the filter left, a total, a count. */
const totalNames = [/filter(?:ed)?(?:count|total)?$/, /total|numfound|nbhits|нийт/];
const countName = /count$|^items$/;
const otherTotal =
  /pages?$|page(?:count|total)|perpage|amount|sum|price|scanned|retry|error|fail|warn|max|unread/;

function totalIn(containers: readonly JsonObject[]): Pick<OrderPage, 'total' | 'mayCountPage'> | undefined {
  for (const shape of [...totalNames, countName]) {
    for (const container of containers) {
      for (const [key, value] of Object.entries(container)) {
        const name = lettersOf(key);
        if (!shape.test(name) || otherTotal.test(name)) continue;
        // Beside `start`, `count` is the length of the page.
        if (name === 'count' && member(container, 'start') !== undefined) continue;
        const count = readCount(value);
        if (count !== null) return { total: count, mayCountPage: shape === countName };
      }
    }
  }
  return undefined;
}

const totalHeader = /^(?:x-)?(?:[a-z]{1,20}-)?total(?:-(?:count|items|records|results|elements))?$/;

function totalOfHeaders({ headers }: ServiceResponse): number | null {
  const range = /^(?:[a-z-]+ )?[\d*-]{1,40}\/(\d+)$/i.exec(headers['content-range'] ?? '')?.[1];
  const name = Object.keys(headers).find((header) => totalHeader.test(header));
  return readCount(headers[name ?? '']) ?? readCount(range);
}

function lettersOf(key: string): string {
  return key.toLowerCase().replace(/[^\p{L}]/gu, '');
}

function firstCount(containers: readonly JsonObject[], shape: RegExp): number | null {
  return first(containers, shape, readCount);
}

/** `45`, `1,045` or `60.0`. */
function readCount(value: Json | undefined): number | null {
  const text = typeof value === 'string' || isJsonNumber(value) ? value.toString().slice(0, 100) : '';
  const digits = text.replace(/\.0+$/, '').replace(/[,\s](?=\d{3}(?!\d))/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
}

function firstFlag(containers: readonly JsonObject[], shape: RegExp): boolean | null {
  return first(containers, shape, (value) => (typeof value === 'boolean' ? value : null));
}

function first<Value>(
  containers: readonly JsonObject[],
  shape: RegExp,
  read: (value: Json) => Value | null,
): Value | null {
  for (const container of containers) {
    for (const [key, value] of Object.entries(container)) {
      const found = shape.test(lettersOf(key)) ? read(value) : null;
      if (found !== null) return found;
    }
  }
  return null;
}

/** `none` for the last page. */
type NextPage = { link: string } | 'cursor' | 'none';

const nextName = /^(?:odata|hydra)?next|next$|^continuation/;
/** A number under such a name is no page number. */
const offsetName = /offset|start|skip|from|index/;
const maxParameters = 20;
const maxLinkLength = 2000;

/** The `rel="next"` of a Link header (RFC 8288), or a link or cursor of the body; null without any of them. */
export function readNextPage(
  { headers }: ServiceResponse,
  containers: readonly (Json | undefined)[],
): NextPage | null {
  const header = linkOfHeader(headers.link);
  if (header !== undefined) return { link: header };
  const found: NextPage[] = [];
  for (const container of containers) {
    for (const within of [member(container, 'links'), member(container, '_links'), container]) {
      if (!isJsonObject(within)) continue;
      for (const [key, value] of Object.entries(within)) {
        const name = lettersOf(key);
        if (nextName.test(name)) found.push(...readNext(name, value));
      }
    }
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

function readNext(name: string, value: Json): NextPage[] {
  if (value === null || value === '' || value === false) return ['none'];
  if (isJsonNumber(value)) return offsetName.test(name) ? ['cursor'] : [{ link: `?page=${value}` }];
  const link = member(value, 'href') ?? value;
  if (typeof link === 'string') return linkShape.test(link) ? [{ link }] : ['cursor'];
  return isJsonObject(value) && Object.keys(value).length > 0 ? ['cursor'] : [];
}

function linkOfHeader(header: string | undefined): string | undefined {
  const links = header?.slice(0, 16 * maxLinkLength).matchAll(/<([^<>]*)>((?:\s*;[^,;"]*(?:"[^"]*")?)*)/g);
  for (const [, target, parameters = ''] of links ?? []) {
    for (const [, quoted, bare = ''] of parameters.matchAll(/;\s*rel\s*=\s*(?:"([^"]*)"|(\w+))/gi)) {
      if ((quoted ?? bare).toLowerCase().split(/\s/).includes('next')) return target;
    }
  }
  return undefined;
}
