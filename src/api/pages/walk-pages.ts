import { setImmediate } from 'node:timers/promises';
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
interface WalkedPage extends OrderPage {
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
  const walk = createWalk(query);
  let requestPage = () => listPage(client, query);
  let requested: Promise<OrderPage> | undefined;
  let ahead: { number: number; page: Promise<OrderPage> } | undefined;
  let before = '';
  let lengthBefore = 0;
  for (;;) {
    let page = await (requested ?? requestPage());
    // After a page that is shorter than another, nothing in the place of a list only confirms the end.
    if (0 < lengthBefore && lengthBefore < walk.maxPageLength) page = { ...page, isUnproven: false };
    const identities = page.orders.map(identityOf);
    const orders = page.orders.filter((_, index) => isNew(identities[index] as string, known));
    const all = identities.join('\n');
    const isRepeat = all !== '' && all === before;
    [before, lengthBefore] = [all, identities.length];
    const read = { page, next: nextLinkOf(page, client.origin), newOrders: orders.length, isRepeat };
    countPage(walk, read);
    const { next, followsTotal, caveat, isStuck } = nextStep(walk, read, maxPages);
    if (next !== undefined) {
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
    if (isStuck) throw incompleteWalk(walk, page);
    if (next === undefined) return;
  }
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
    total === null
      ? t`${ordersRead} {order was|orders were} read`
      : t`${ordersRead} of ${total} orders were read`;
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

type Walk = ReturnType<typeof createWalk>;

function createWalk({ page, pageSize }: ListQuery) {
  return {
    requests: 1,
    pageNumber: toNumber(page),
    pageSize: toNumber(pageSize),
    ordersRead: 0,
    maxPageLength: 0,
    /** From the last page; null if it was not stated, or proved wrong. */
    total: null as number | null,
    firstTotal: null as number | null,
    isTotalWrong: false,
    /** An earlier page announced its next page, so a page without an announcement is the last. */
    hadNext: false,
    pagesWithoutNew: 0,
    /** Since the last new order, a page repeated known orders without being a copy of the page before. */
    isMoving: false,
    hasShrunk: false,
    /** Since the last new order, a page was requested only because of the total. */
    hasFollowedTotal: false,
  };
}

interface PageRead {
  page: OrderPage;
  next: Readonly<Record<string, string>> | 'unusable' | null;
  newOrders: number;
  isRepeat: boolean;
}

type NextRequest = { page: number } | { link: Readonly<Record<string, string>> };

/** Without `next` the walk ends; `isStuck`: the service announces more orders, but returns none. */
interface Step {
  next?: NextRequest;
  followsTotal?: boolean;
  caveat?: Text | undefined;
  isStuck?: boolean;
}

const stuck: Step = { isStuck: true };

function countPage(walk: Walk, { page, next, newOrders, isRepeat }: PageRead): void {
  const { length } = page.orders;
  const left = ordersThatLeft(walk, page);
  if (walk.requests === 1) walk.firstTotal = page.total;
  walk.ordersRead += newOrders;
  // Some services state the length of the page as the total.
  walk.isTotalWrong ||= page.total !== null && page.total + left < walk.ordersRead;
  walk.hasShrunk ||= left > 0 && !walk.isTotalWrong;
  walk.total = walk.isTotalWrong ? null : page.total;
  walk.maxPageLength = Math.max(walk.maxPageLength, length);
  walk.hadNext ||= next !== null;
  walk.pagesWithoutNew = newOrders > 0 ? 0 : walk.pagesWithoutNew + 1;
  walk.isMoving = newOrders === 0 && length > 0 && (walk.isMoving || !isRepeat);
  walk.hasFollowedTotal &&= newOrders === 0;
}

function ordersThatLeft(walk: Walk, { total }: OrderPage): number {
  // A total of 0 may count only the orders on an empty page.
  if (walk.total === null || total === null || total === 0) return 0;
  return Math.max(0, walk.total - total);
}

const maxPagesWithoutNew = 3;

function nextStep(walk: Walk, read: PageRead, maxPages: number): Step {
  const step = decide(walk, read);
  const { next } = step;
  if (next === undefined) {
    if (!walk.hasShrunk || step.isStuck) return step;
    // It may have moved orders to pages that were read before.
    return {
      caveat: t`Orders disappeared from the list during the listing. Some orders may be missing.`,
    };
  }
  if (walk.requests >= maxPages) {
    return {
      caveat: t`Only the first ${walk.ordersRead} {order|orders} that the service lists {was|were} looked through.`,
    };
  }
  const number = 'page' in next ? next.page : Number(next.link.page ?? Number.NaN);
  walk.requests += 1;
  walk.pageNumber = Number.isSafeInteger(number) ? number : undefined;
  walk.hasFollowedTotal ||= step.followsTotal === true;
  return step;
}

function decide(walk: Walk, read: PageRead): Step {
  const { page, newOrders, isRepeat } = read;
  const more = hasMore(walk, read);
  if (more === 'no' || (more === 'counted' && page.orders.length === 0)) return endOrFollow(walk, read);
  if (isRepeat && newOrders === 0) return afterRepeat(walk, read, more);
  if (walk.pagesWithoutNew >= maxPagesWithoutNew) return more === 'yes' ? stuck : endOrMoving(walk);
  if (more === 'unstated' && page.orders.length === 0) return end(walk);
  const isLast = more === 'unstated' && walk.total === walk.ordersRead && isShort(walk, page);
  return isLast ? end(walk) : continueAfter(walk, read);
}

/** `counted`: only the total says so, and it may be wrong. */
function hasMore(walk: Walk, { page, next }: PageRead): 'yes' | 'no' | 'counted' | 'unstated' {
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
function afterRepeat(walk: Walk, read: PageRead, more: ReturnType<typeof hasMore>): Step {
  const { page } = read;
  if (walk.requests === 2 && walk.pageNumber === 1) return continueAfter(walk, read);
  const statesRequestedNumber = page.page !== null && page.page === walk.pageNumber;
  const statesNothing = more === 'unstated' && page.page === null && walk.total === null;
  const mayHaveMoved = statesRequestedNumber || (statesNothing && page.orders.length >= walk.maxPageLength);
  if (mayHaveMoved && walk.pagesWithoutNew < maxPagesWithoutNew) return continueAfter(walk, read);
  if (more === 'yes') return stuck;
  if (more === 'counted') return end(walk);
  if (walk.ordersRead > page.orders.length) return endOrMoving(walk);
  const size = page.pageSize ?? walk.pageSize;
  if (size !== undefined && page.orders.length >= size) return stuck;
  if (isOnlyPage(walk, page)) return end(walk);
  return {
    caveat: t`The service returns the same page for every page number. If it has more than {this|these} ${walk.ordersRead} {order|orders}, they cannot be listed.`,
  };
}

/** A total says so, which is no count of the page, or a page size that does not only repeat the requested one. */
function isOnlyPage(walk: Walk, { orders, pageSize, mayCountPage }: OrderPage): boolean {
  const isCounted = walk.total === walk.ordersRead && !mayCountPage;
  return isCounted || (pageSize !== null && pageSize !== walk.pageSize && orders.length < pageSize);
}

function continueAfter({ requests, pageNumber }: Walk, { page, next }: PageRead): { next: NextRequest } {
  if (next !== null && next !== 'unusable') return { next: { link: next } };
  // The service counts pages from 0 but states them from 1, so a page was skipped.
  const hasSkipped = requests === 2 && pageNumber !== undefined && page.page === pageNumber + 1;
  const current = pageNumber ?? page.page ?? 0;
  return { next: { page: hasSkipped ? current - 1 : current + 1 } };
}

/** Requests one more page before a total that was not reached is reported. */
function endOrFollow(walk: Walk, read: PageRead): Step {
  const step = end(walk);
  // Page numbers start at 1: page 0 and page 1 were the same.
  const isFirstAgain = walk.requests === 2 && walk.pageNumber === 1 && read.isRepeat;
  if (step.caveat === undefined || (walk.hasFollowedTotal && !isFirstAgain)) return step;
  return { ...continueAfter(walk, read), followsTotal: true };
}

function endOrMoving(walk: Walk): Step {
  if (!walk.isMoving) return end(walk);
  return {
    caveat: t`The pages after the first ${walk.ordersRead} {order repeat it|orders repeat them}, as if new orders arrived faster than they are read. Some orders may be missing.`,
  };
}

function end({ total, firstTotal, ordersRead }: Walk): Step {
  // More were created meanwhile.
  const hasGrown = firstTotal !== null && firstTotal <= ordersRead;
  if (total === null || total <= ordersRead || hasGrown) return {};
  return {
    caveat: t`The service counts ${String(total)} orders, but its pages contain only ${ordersRead}.`,
  };
}
