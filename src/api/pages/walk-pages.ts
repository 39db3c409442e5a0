import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Text, t } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import { writeJson } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import type { ApiClient } from '../client.ts';
import { idOf } from '../responses/order.ts';
import { type OrderPage, parametersOf } from '../responses/page.ts';
import {
  isBeyondLast,
  isRejectedQuery,
  type ListQuery,
  listPage,
  pageSize,
  toNumber,
} from './list-orders.ts';

/** A page with the orders that no earlier page had, empty only if that is unproven. */
export interface WalkedPage extends OrderPage {
  /**
   * On the last page, the only judge of whether the walk was complete: why orders may be missing. Undefined when all were
   * read, but for those that were created meanwhile.
   */
  caveat?: Text;
}

/** Ends a list of a service that invents new orders on every page: a million orders, where pages have 100. */
const maxListedPages = 10_000;

/**
 * Reads page after page, each order once, and always ends. When a page is too large, it begins again with pages of half
 * the size: their numbers mean other orders. As long as fewer orders than `wanted` were read, the next page is requested
 * before one is returned, and with it the one after it where that is certainly needed too. A walk that `maxPages` stops has a
 * caveat. Errors: those of a read; `search_incomplete` when announced orders are never returned.
 */
export async function* walkPages(
  client: ApiClient,
  query: ListQuery,
  wanted = 0,
  maxPages = maxListedPages,
): AsyncGenerator<WalkedPage> {
  const half = Math.floor(Number(query.pageSize ?? pageSize) / 2);
  const seen = new Set<string>();
  try {
    yield* walkPagesOfOneSize(client, query, { wanted, maxPages }, seen);
  } catch (error) {
    const isTooLarge = error instanceof CliError && error.code === 'response_too_large';
    if (!isTooLarge || half === 0) throw error;
    const halved = { ...query, pageSize: String(half) };
    for await (const page of walkPagesOfOneSize(client, halved, { wanted, maxPages }, new Set())) {
      const orders = page.orders.filter((order) => isNew(identityOf(order), seen));
      if (orders.length > 0 || page.caveat !== undefined) yield { ...page, orders };
    }
  }
}

async function* walkPagesOfOneSize(
  client: ApiClient,
  query: ListQuery,
  { wanted, maxPages }: { wanted: number; maxPages: number },
  known: Set<string>,
): AsyncGenerator<WalkedPage> {
  let walk = startWalk(toNumber(query.page), toNumber(query.pageSize));
  let before: string[] = [];
  let requestPage = () => listPage(client, query);
  let requested: Promise<OrderPage> | undefined;
  let ahead: { number: number; page: Promise<OrderPage> } | undefined;
  for (;;) {
    const page = withoutCaveat(await (requested ?? requestPage()), before.length, walk);
    const identities = page.orders.map(identityOf);
    const orders = page.orders.filter((_, index) => isNew(identities[index] as string, known));
    const read: PageRead = {
      page,
      next: nextLinkOf(page, client.origin),
      newOrders: orders.length,
      isRepeat: identities.length > 0 && isDeepStrictEqual(identities, before),
    };
    before = identities;
    const after = advance(walk, read);
    walk = after.walk;
    const isStopped = after.action.kind === 'request' && walk.requests > maxPages;
    const action = isStopped ? stopped(walk) : after.action;
    const caveat = action.kind === 'end' ? action.caveat : undefined;
    if (action.kind === 'request') {
      const { next, followsTotal } = action;
      const isAbsent = (error: unknown) =>
        isBeyondLast(error) || (followsTotal === true && isRejectedQuery(error));
      const number = 'page' in next ? next.page : Number.NaN;
      const early = ahead?.number === number ? ahead.page : undefined;
      const list = (which: NextRequest) => listPage(client, parametersFor(which, query), true);
      requestPage = () => pageAfter(page, early, () => list(next), isAbsent);
      requested = walk.ordersRead < wanted ? requestPage() : undefined;
      const needsAnother = !followsTotal && needsTwoPages(walk, read, wanted);
      ahead = needsAnother ? { number: number + 1, page: list({ page: number + 1 }) } : undefined;
      // An error counts only if the page turns out to be needed.
      for (const page of [requested, ahead?.page]) page?.catch(() => undefined);
      // Lets the requests leave before this page is shown.
      if (requested !== undefined) await setImmediate();
    }
    if (caveat !== undefined) yield { ...page, orders, caveat };
    else if (orders.length > 0 || page.isUnproven) yield { ...page, orders };
    if (action.kind === 'stuck') throw incompleteWalk(walk, page);
    if (action.kind === 'end') return;
  }
}

/** After a page that is shorter than another, nothing in the place of a list only confirms the end. */
function withoutCaveat(page: OrderPage, lengthBefore: number, { maxPageLength }: Walk): OrderPage {
  const hasEnded = 0 < lengthBefore && lengthBefore < maxPageLength;
  return page.isUnproven && hasEnded ? { ...page, isUnproven: false } : page;
}

/** Full numbered pages and the total show that the page after the next one is needed, too. */
function needsTwoPages({ ordersRead, total, pageSize }: Walk, read: PageRead, wanted: number): boolean {
  const isRegular = read.next === null && read.newOrders === (read.page.pageSize ?? pageSize);
  return isRegular && ordersRead + read.newOrders < Math.min(total ?? 0, wanted);
}

/** A later page, perhaps requested early; empty where it is beyond the last. */
async function pageAfter(
  before: OrderPage,
  early: Promise<OrderPage> | undefined,
  request: () => Promise<OrderPage>,
  isAbsent: (error: unknown) => boolean,
): Promise<OrderPage> {
  try {
    const page = early && (await early);
    // If the total changed, the early page may have been read before this one.
    return page?.total === before.total ? page : await request();
  } catch (error) {
    if (!isAbsent(error)) throw error;
    const hasMore = before.hasMore === true || before.next !== null ? true : null;
    return { ...before, orders: [], isUnproven: false, page: null, pageSize: null, hasMore, next: null };
  }
}

function nextLinkOf({ next }: OrderPage, origin: string): PageRead['next'] {
  if (next === null) return null;
  return (next === 'cursor' ? undefined : parametersOf(next.link, origin)) ?? 'unusable';
}

function parametersFor(next: NextRequest, { page: _page, pageSize, ...filters }: ListQuery) {
  const size = pageSize === undefined ? {} : { pageSize };
  const position = 'page' in next ? { page: String(next.page) } : next.link;
  return { ...size, ...position, ...filters };
}

function isNew(identity: string, known: Set<string>): boolean {
  if (known.has(identity)) return false;
  known.add(identity);
  return true;
}

function identityOf(order: Order): string {
  return idOf(order) ?? writeJson(order);
}

function incompleteWalk({ ordersRead, total }: Walk, { orders, next }: OrderPage): CliError {
  const count =
    total === null ? t`${ordersRead} orders were read` : t`${ordersRead} of ${total} orders were read`;
  const sentence =
    next !== null
      ? t`There are more orders, but the service points to them with a cursor or link that cannot be followed: ${count}.`
      : orders.length > 0
        ? t`The service repeats its pages: ${count}.`
        : t`The service says that there are more orders, but returns none: ${count}.`;
  return new CliError('search_incomplete', sentence, {
    hint: t`Narrow the list with a filter, such as --created-from or --customer-phone.`,
  });
}

interface Walk {
  requests: number;
  pageNumber: number | undefined;
  pageSize: number | undefined;
  ordersRead: number;
  maxPageLength: number;
  /** From the last page; null if it was not stated, or proved wrong. */
  total: number | null;
  firstTotal: number | null;
  isTotalWrong: boolean;
  /** An earlier page announced its next page, so a page without an announcement is the last. */
  hadNext: boolean;
  pagesWithoutNew: number;
  /** Since the last new order, a page repeated known orders without being a copy of the page before. */
  isMoving: boolean;
  hasShrunk: boolean;
  /** Since the last new order, a page was requested only because of the total. */
  hasFollowedTotal: boolean;
}

interface PageRead {
  page: OrderPage;
  next: Readonly<Record<string, string>> | 'unusable' | null;
  newOrders: number;
  isRepeat: boolean;
}

type NextRequest = { page: number } | { link: Readonly<Record<string, string>> };

/** `stuck`: the service announces more orders, but returns none. */
type WalkAction =
  | { kind: 'request'; next: NextRequest; followsTotal?: boolean }
  | WalkEnd
  | { kind: 'stuck' };

type WalkEnd = { kind: 'end'; caveat?: Text };

/** `counted`: only the total says so, and it may be wrong. */
type More = 'yes' | 'no' | 'counted' | 'unstated';

const maxPagesWithoutNew = 3;

function startWalk(pageNumber: number | undefined, pageSize: number | undefined): Walk {
  return {
    requests: 1,
    pageNumber,
    pageSize,
    ordersRead: 0,
    maxPageLength: 0,
    total: null,
    firstTotal: null,
    isTotalWrong: false,
    hadNext: false,
    pagesWithoutNew: 0,
    isMoving: false,
    hasShrunk: false,
    hasFollowedTotal: false,
  };
}

function advance(before: Walk, read: PageRead): { walk: Walk; action: WalkAction } {
  const walk = countPage(before, read);
  const action = decide(walk, read);
  if (action.kind === 'stuck') return { walk, action };
  if (action.kind === 'end') return { walk, action: withShrinking(action, walk) };
  const number = 'page' in action.next ? action.next.page : Number(action.next.link.page ?? Number.NaN);
  const pageNumber = Number.isSafeInteger(number) ? number : undefined;
  const hasFollowedTotal = walk.hasFollowedTotal || action.followsTotal === true;
  return { walk: { ...walk, requests: walk.requests + 1, pageNumber, hasFollowedTotal }, action };
}

/** A list that shrank meanwhile may have moved orders to pages that were read before. */
function withShrinking(action: WalkEnd, { hasShrunk }: Walk): WalkEnd {
  if (!hasShrunk) return action;
  const caveat = t`Orders disappeared from the list during the listing. Some orders may be missing.`;
  return { kind: 'end', caveat };
}

function countPage(walk: Walk, { page, next, newOrders, isRepeat }: PageRead): Walk {
  const length = page.orders.length;
  const ordersRead = walk.ordersRead + newOrders;
  const left = ordersThatLeft(walk, page);
  // Some services state the length of the page as the total.
  const isTotalWrong = walk.isTotalWrong || (page.total !== null && page.total + left < ordersRead);
  return {
    ...walk,
    ordersRead,
    maxPageLength: Math.max(walk.maxPageLength, length),
    total: isTotalWrong ? null : page.total,
    firstTotal: walk.requests === 1 ? page.total : walk.firstTotal,
    isTotalWrong,
    hadNext: walk.hadNext || next !== null,
    pagesWithoutNew: newOrders > 0 ? 0 : walk.pagesWithoutNew + 1,
    isMoving: newOrders === 0 && length > 0 && (walk.isMoving || !isRepeat),
    hasShrunk: walk.hasShrunk || (left > 0 && !isTotalWrong),
    hasFollowedTotal: walk.hasFollowedTotal && newOrders === 0,
  };
}

function ordersThatLeft(walk: Walk, { total }: OrderPage): number {
  // A total of 0 may count only the orders on an empty page.
  if (walk.total === null || total === null || total === 0) return 0;
  return Math.max(0, walk.total - total);
}

function decide(walk: Walk, read: PageRead): WalkAction {
  const { page, newOrders, isRepeat } = read;
  const more = hasMore(walk, read);
  if (more === 'no' || (more === 'counted' && page.orders.length === 0)) return endOrFollow(walk, read);
  if (isRepeat && newOrders === 0) return afterRepeat(walk, read, more);
  if (walk.pagesWithoutNew >= maxPagesWithoutNew) {
    return more === 'yes' ? { kind: 'stuck' } : endOrMoving(walk);
  }
  if (more === 'unstated' && page.orders.length === 0) return end(walk);
  const isLast = more === 'unstated' && walk.total === walk.ordersRead && isShort(walk, page);
  return isLast ? end(walk) : continueAfter(walk, read);
}

function hasMore(walk: Walk, { page, next }: PageRead): More {
  if (page.hasMore !== null) return page.hasMore ? 'yes' : 'no';
  if (next !== null) return 'yes';
  if (walk.hadNext) return 'no';
  if (walk.total !== null) return walk.total > walk.ordersRead ? 'counted' : 'unstated';
  // Where pages are counted from 0, one more is requested.
  return (walk.pageNumber ?? 1) < (page.pageCount ?? 0) ? 'yes' : 'unstated';
}

function isShort({ pageSize, maxPageLength }: Walk, page: OrderPage): boolean {
  const size = page.pageSize === null || page.pageSize === pageSize ? maxPageLength : page.pageSize;
  return page.orders.length < size;
}

/** The page repeats the one before: page numbers start at 1, new orders moved the pages, or the number is ignored. */
function afterRepeat(walk: Walk, read: PageRead, more: More): WalkAction {
  const { page } = read;
  if (walk.requests === 2 && walk.pageNumber === 1) return continueAfter(walk, read);
  const statesRequestedNumber = page.page !== null && page.page === walk.pageNumber;
  const statesNothing = more === 'unstated' && page.page === null && walk.total === null;
  const mayHaveMoved = statesRequestedNumber || (statesNothing && page.orders.length >= walk.maxPageLength);
  if (mayHaveMoved && walk.pagesWithoutNew < maxPagesWithoutNew) return continueAfter(walk, read);
  if (more === 'yes') return { kind: 'stuck' };
  if (more === 'counted') return end(walk);
  if (walk.ordersRead > page.orders.length) return endOrMoving(walk);
  const size = page.pageSize ?? walk.pageSize;
  if (size !== undefined && page.orders.length >= size) return { kind: 'stuck' };
  if (isOnlyPage(walk, page)) return end(walk);
  const caveat = t`The service returns the same page for every page number. If it has more than these ${walk.ordersRead} orders, they cannot be listed.`;
  return { kind: 'end', caveat };
}

/** A total says so, which is no count of the page, or a page size that does not only repeat the requested one. */
function isOnlyPage(walk: Walk, { orders, pageSize, mayCountPage }: OrderPage): boolean {
  const isCounted = walk.total === walk.ordersRead && !mayCountPage;
  return isCounted || (pageSize !== null && pageSize !== walk.pageSize && orders.length < pageSize);
}

function continueAfter(
  { requests, pageNumber }: Walk,
  { page, next }: PageRead,
): { kind: 'request'; next: NextRequest } {
  if (next !== null && next !== 'unusable') return { kind: 'request', next: { link: next } };
  // The service counts pages from 0 but states them from 1, so a page was skipped.
  const hasSkipped = requests === 2 && pageNumber !== undefined && page.page === pageNumber + 1;
  const current = pageNumber ?? page.page ?? 0;
  return { kind: 'request', next: { page: hasSkipped ? current - 1 : current + 1 } };
}

/** Requests one more page before a total that was not reached is reported. */
function endOrFollow(walk: Walk, read: PageRead): WalkAction {
  const action = end(walk);
  // Page numbers start at 1: page 0 and page 1 were the same.
  const isFirstAgain = walk.requests === 2 && walk.pageNumber === 1 && read.isRepeat;
  if (action.caveat === undefined || (walk.hasFollowedTotal && !isFirstAgain)) return action;
  return { ...continueAfter(walk, read), followsTotal: true };
}

function stopped({ ordersRead }: Walk): WalkAction {
  return {
    kind: 'end',
    caveat: t`Only the first ${ordersRead} orders that the service lists were looked through.`,
  };
}

function endOrMoving(walk: Walk): WalkAction {
  if (!walk.isMoving) return end(walk);
  const caveat = t`The pages after the first ${walk.ordersRead} orders repeat them, as if new orders arrived faster than they are read. Some orders may be missing.`;
  return { kind: 'end', caveat };
}

function end({ total, firstTotal, ordersRead }: Walk): { kind: 'end'; caveat?: Text } {
  // More were created meanwhile.
  const hasGrown = firstTotal !== null && firstTotal <= ordersRead;
  if (total === null || total <= ordersRead || hasGrown) return { kind: 'end' };
  const caveat = t`The service counts ${String(total)} orders, but its pages contain only ${ordersRead}.`;
  return { kind: 'end', caveat };
}
