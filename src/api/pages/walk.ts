import type { OrderPage } from '../responses/page.ts';

export interface Walk {
  requests: number;
  pageNumber: number | undefined;
  pageSize: number | undefined;
  ordersRead: number;
  maxPageLength: number;
  /** As stated on the last page; null when it was not stated, or when the stated totals have proved wrong. */
  total: number | null;
  firstTotal: number | null;
  isTotalWrong: boolean;
  /** An earlier page announced a next one, so a page that announces none is the last. */
  hadNext: boolean;
  pagesWithoutNew: number;
  /** Since the last new order, a page had only orders of earlier pages without being a copy of the page before. */
  isMoving: boolean;
  hasShrunk: boolean;
  /** Since the last new order, one more page than the service announced was requested because of the total. */
  hasFollowedTotal: boolean;
}

export interface PageRead {
  page: OrderPage;
  next: Readonly<Record<string, string>> | 'unusable' | null;
  newOrders: number;
  isRepeat: boolean;
}

export type NextRequest = { page: number } | { link: Readonly<Record<string, string>> };

/** `stuck`: the service says that there is more, and no request returns it. */
type WalkAction =
  | { kind: 'request'; next: NextRequest; followsTotal?: boolean }
  | { kind: 'end'; doubt?: Doubt }
  | { kind: 'stuck' };

/** `describeDoubt` says what each means. */
export type Doubt = 'one_page' | 'total' | 'grown' | 'moving' | 'shrunk';

/** `counted`: only the total says so, and a total may be wrong. */
type More = 'yes' | 'no' | 'counted' | 'unstated';

const maxPagesWithoutNew = 3;

export function startWalk(pageNumber: number | undefined, pageSize: number | undefined): Walk {
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

export function advance(before: Walk, read: PageRead): { walk: Walk; action: WalkAction } {
  const walk = countPage(before, read);
  const action = decide(walk, read);
  if (action.kind === 'stuck') return { walk, action };
  if (action.kind === 'end')
    return { walk, action: walk.hasShrunk ? { kind: 'end', doubt: 'shrunk' } : action };
  const number = 'page' in action.next ? action.next.page : Number(action.next.link.page ?? Number.NaN);
  const pageNumber = Number.isSafeInteger(number) ? number : undefined;
  const hasFollowedTotal = walk.hasFollowedTotal || action.followsTotal === true;
  return { walk: { ...walk, requests: walk.requests + 1, pageNumber, hasFollowedTotal }, action };
}

function countPage(walk: Walk, { page, next, newOrders, isRepeat }: PageRead): Walk {
  const length = page.orders.length;
  const ordersRead = walk.ordersRead + newOrders;
  const left = ordersThatLeft(walk, page);
  // Some services state the number of orders on the page as the total.
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
  return walk.total !== null && walk.total > walk.ordersRead ? 'counted' : 'unstated';
}

function isShort({ pageSize, maxPageLength }: Walk, page: OrderPage): boolean {
  const size = page.pageSize === null || page.pageSize === pageSize ? maxPageLength : page.pageSize;
  return page.orders.length < size;
}

/** After a copy of the page before: numbers begin at 1, a page of new orders was inserted, or the number is ignored. */
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
  const isFull = size !== undefined && page.orders.length >= size;
  return isFull ? { kind: 'stuck' } : { kind: 'end', doubt: 'one_page' };
}

function continueAfter(
  { requests, pageNumber }: Walk,
  { page, next }: PageRead,
): { kind: 'request'; next: NextRequest } {
  if (next !== null && next !== 'unusable') return { kind: 'request', next: { link: next } };
  // Such a service takes page numbers from 0 and states them from 1, so the first page after 0 was skipped.
  const hasSkipped = requests === 2 && pageNumber !== undefined && page.page === pageNumber + 1;
  const current = pageNumber ?? page.page ?? 0;
  return { kind: 'request', next: { page: hasSkipped ? current - 1 : current + 1 } };
}

/** A total that the pages do not reach is followed once, before it is reported. */
function endOrFollow(walk: Walk, read: PageRead): WalkAction {
  const action = end(walk);
  // Where page numbers begin at 1, page 1 was the first page again.
  const isFirstAgain = walk.requests === 2 && walk.pageNumber === 1 && read.isRepeat;
  if (action.doubt === undefined || (walk.hasFollowedTotal && !isFirstAgain)) return action;
  return { ...continueAfter(walk, read), followsTotal: true };
}

function endOrMoving(walk: Walk): WalkAction {
  return walk.isMoving ? { kind: 'end', doubt: 'moving' } : end(walk);
}

function end({ total, firstTotal, ordersRead }: Walk): { kind: 'end'; doubt?: Doubt } {
  if (total === null || total <= ordersRead) return { kind: 'end' };
  const hasGrown = firstTotal !== null && firstTotal <= ordersRead;
  return { kind: 'end', doubt: hasGrown ? 'grown' : 'total' };
}
