import type { OrderPage } from '../responses/page.ts';

/** How far a walk over pages is; every step takes one and gives the next. */
export interface Walk {
  requests: number;
  /** The page number in the last request; undefined when it named none. */
  asked: number | undefined;
  /** The number of the first page; undefined as long as it is not known. */
  first: number | undefined;
  /** The page size that the requests carry. */
  pageSize: number | undefined;
  /** Orders seen, each once. */
  seen: number;
  /** The most orders that any page had: a page with fewer is not full. */
  fullest: number;
  /** As the last page told it; null when it told none, or when totals have proved wrong. */
  total: number | null;
  /** As the first page told it. */
  firstTotal: number | null;
  isTotalWrong: boolean;
  /** An earlier page told of a next one, so a page that tells of none is the last. */
  hadNext: boolean;
  /** Pages in a row that brought nothing new. */
  idle: number;
  /** Since one brought something new, a page had only orders of earlier pages, and was not the page before it again. */
  isMoving: boolean;
  /** Orders that left the list while it was read; some of them may have been seen. */
  gone: number;
  /** How often it went back because orders had left the list. */
  returns: number;
  /** Pages that are read again since it went back: they need not bring anything new. */
  rereads: number;
}

/** What one answer brought. */
export interface Brought {
  page: OrderPage;
  /** The parameters of a link to the next page; `unusable` for a link elsewhere or a cursor without a link. */
  next: Readonly<Record<string, string>> | 'unusable' | null;
  /** Orders that no earlier page had. */
  fresh: number;
  /** The same orders in the same order as the page before. */
  isRepeat: boolean;
}

/** The first request, with the page number and page size that it names. */
export function startWalk(asked: number | undefined, pageSize: number | undefined): Walk {
  const counts = { requests: 1, seen: 0, fullest: 0, idle: 0, gone: 0, returns: 0, rereads: 0 };
  const flags = { isTotalWrong: false, hadNext: false, isMoving: false };
  return { asked, pageSize, first: asked, ...counts, total: null, firstTotal: null, ...flags };
}

/** The walk with what an answer brought counted in. */
export function countIn(walk: Walk, { page, next, fresh, isRepeat }: Brought): Walk {
  const size = page.orders.length;
  const seen = walk.seen + fresh;
  const gone = walk.gone + leftSince(walk, page);
  // Some totals are only the number of orders on the page.
  const isTooSmall = page.total !== null && page.total + gone < seen;
  const isTotalWrong = walk.isTotalWrong || isTooSmall;
  return {
    ...walk,
    first: walk.first ?? firstOf(walk, page, isRepeat),
    seen,
    fullest: Math.max(walk.fullest, size),
    total: isTotalWrong ? null : page.total,
    firstTotal: walk.requests === 1 ? page.total : walk.firstTotal,
    isTotalWrong,
    hadNext: walk.hadNext || next !== null,
    gone,
    isMoving: fresh === 0 && size > 0 && (walk.isMoving || (!isRepeat && walk.rereads === 0)),
    idle: fresh > 0 ? 0 : walk.idle + (walk.rereads > 0 ? 0 : 1),
    rereads: Math.max(0, walk.rereads - 1),
  };
}

/** How many orders left the list since the page before; others moved to pages that were read already. */
export function leftSince(before: Walk, { total }: OrderPage): number {
  // Of a list that counts none there is nothing to go back for; some count only the orders of the page.
  if (before.total === null || total === null || total === 0) return 0;
  return Math.max(0, before.total - total);
}

/** A first page that does not tell its number: if page 1 is another one, pages begin at 0. */
function firstOf({ requests, asked }: Walk, { page }: OrderPage, isRepeat: boolean): number | undefined {
  if (requests === 1) return page ?? undefined;
  return asked === 1 ? Number(isRepeat) : undefined;
}
