import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { CliError } from '../../errors.ts';
import { writeJson } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import type { ApiClient } from '../client.ts';
import { parametersOf } from '../responses/next-page.ts';
import { idOf } from '../responses/order.ts';
import type { OrderPage } from '../responses/page.ts';
import { beyondLastStatuses, type ListQuery, listPage } from './list-orders.ts';
import { advance, type Doubt, type NextRequest, type PageRead, startWalk, type Walk } from './walk.ts';

/** A page with the orders that no earlier page had; on the last page, `doubt` says why there may be more. */
export interface WalkedPage extends OrderPage {
  doubt?: { kind: Doubt; sentence: string };
}

/** Where none was requested, this is taken for the size of a page that is too large. */
const assumedPageSize = 100;

/**
 * Reads page after page, each order once, and always ends. When a page is too large, it begins again with pages of half
 * the size: their numbers mean other orders. As long as fewer orders than `wanted` were read, the next page is requested
 * before one is returned, and with it the one after it where that is certainly needed too. Errors: those of a read;
 * `search_incomplete` when announced orders are never returned.
 */
export async function* walkPages(
  client: ApiClient,
  query: ListQuery,
  wanted = 0,
): AsyncGenerator<WalkedPage> {
  const half = Math.floor(Number(query.pageSize ?? assumedPageSize) / 2);
  const seen = new Set<string>();
  try {
    yield* walkPagesOfOneSize(client, query, wanted, seen);
  } catch (error) {
    const isTooLarge = error instanceof CliError && error.code === 'response_too_large';
    if (!isTooLarge || half === 0) throw error;
    const halved = { ...query, pageSize: String(half) };
    for await (const page of walkPagesOfOneSize(client, halved, wanted, new Set())) {
      const orders = page.orders.filter((order) => isNew(identityOf(order), seen));
      if (orders.length > 0 || page.doubt !== undefined) yield { ...page, orders };
    }
  }
}

async function* walkPagesOfOneSize(
  client: ApiClient,
  query: ListQuery,
  wanted: number,
  known: Set<string>,
): AsyncGenerator<WalkedPage> {
  let walk = startWalk(toNumber(query.page), toNumber(query.pageSize));
  let before: string[] = [];
  let requestPage = () => listPage(client, query);
  let requested: Promise<OrderPage> | undefined;
  let ahead: { number: number; page: Promise<OrderPage> } | undefined;
  for (;;) {
    const page = await (requested ?? requestPage());
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
    const doubt = after.action.kind === 'end' ? after.action.doubt : undefined;
    if (after.action.kind === 'request') {
      const { next, followsTotal } = after.action;
      const absentStatuses = followsTotal ? [400, 422, ...beyondLastStatuses] : beyondLastStatuses;
      const number = 'page' in next ? next.page : Number.NaN;
      const early = ahead?.number === number ? ahead.page : undefined;
      const list = (which: NextRequest) => listPage(client, parametersFor(which, query), true);
      requestPage = () => pageAfter(page, early, () => list(next), absentStatuses);
      requested = walk.ordersRead < wanted ? requestPage() : undefined;
      const needsAnother = !followsTotal && needsTwoPages(walk, read, wanted);
      ahead = needsAnother ? { number: number + 1, page: list({ page: number + 1 }) } : undefined;
      // An error is thrown when the page is needed, which it may never be.
      for (const page of [requested, ahead?.page]) page?.catch(() => undefined);
      // Time for the requests to leave before this page is shown.
      if (requested !== undefined) await setImmediate();
    }
    if (doubt !== undefined) {
      yield { ...page, orders, doubt: { kind: doubt, sentence: describeDoubt(doubt, walk, page) } };
    } else if (orders.length > 0) yield { ...page, orders };
    if (after.action.kind === 'stuck') throw incompleteWalk(walk, page);
    if (after.action.kind === 'end') return;
  }
}

/** Whether full pages with numbers, and the total, show that the page after the next one is needed too. */
function needsTwoPages({ ordersRead, total, pageSize }: Walk, read: PageRead, wanted: number): boolean {
  const isRegular = read.next === null && read.newOrders === (read.page.pageSize ?? pageSize);
  return isRegular && ordersRead + read.newOrders < Math.min(total ?? 0, wanted);
}

/** A page after the first, which may have been requested early; with one of these statuses, it is empty. */
async function pageAfter(
  before: OrderPage,
  early: Promise<OrderPage> | undefined,
  request: () => Promise<OrderPage>,
  absentStatuses: readonly number[],
): Promise<OrderPage> {
  try {
    const page = early && (await early);
    // The list has changed if the total has, and this page may have been read before the one before it.
    return page?.total === before.total ? page : await request();
  } catch (error) {
    const isAbsent = error instanceof CliError && absentStatuses.includes(error.details.status ?? 0);
    if (!isAbsent) throw error;
    const hasMore = before.hasMore === true || before.next !== null ? true : null;
    return { orders: [], page: null, pageSize: null, total: before.total, hasMore, next: null };
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

/** An order without an id is identified by its whole content. */
function identityOf(order: Order): string {
  return idOf(order) ?? writeJson(order);
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function describeDoubt(doubt: Doubt, { ordersRead }: Walk, { total }: OrderPage): string {
  switch (doubt) {
    case 'one_page':
      return `The service returns the same page for every page number. If it has more than these ${ordersRead} orders, they cannot be listed.`;
    case 'total':
      return `The service counts ${total} orders, but its pages contain only ${ordersRead}.`;
    case 'grown':
      return `New orders arrived during the listing: the service now counts ${total}, and ${ordersRead} were read.`;
    case 'moving':
      return `The pages after the first ${ordersRead} orders repeat them, as if new orders arrived faster than they are read. Some orders may be missing.`;
    case 'shrunk':
      return 'Orders disappeared from the list during the listing. Some orders may be missing.';
  }
}

function incompleteWalk({ ordersRead, total }: Walk, { orders, next }: OrderPage): CliError {
  const count = `${ordersRead}${total === null ? '' : ` of ${total}`} orders were read`;
  const sentence =
    next !== null
      ? `There are more orders, but the service points to them with a cursor or link that cannot be followed: ${count}.`
      : orders.length > 0
        ? `The service repeats its pages: ${count}.`
        : `The service says that there are more orders, but returns none: ${count}.`;
  return new CliError('search_incomplete', sentence, {
    hint: 'Narrow the list with a filter, such as --created-from or --customer-phone.',
  });
}
