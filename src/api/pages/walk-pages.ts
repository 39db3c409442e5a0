import { CliError } from '../../errors.ts';
import { writeJson } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import type { ApiClient } from '../client.ts';
import { readOrder } from '../responses/order.ts';
import { type OrderPage, parametersOf } from '../responses/page.ts';
import { type ListQuery, listPage } from './list-orders.ts';
import { type Brought, startWalk } from './walk.ts';
import { type Ask, type Doubt, incompleteWalk, sayDoubt, stepAfter } from './walk-step.ts';

/** A page with the orders that no page before it had; the last one may tell why there could be more. */
export interface WalkedPage extends OrderPage {
  doubt?: { kind: Doubt; sentence: string };
}

/**
 * Page after page, each order once, in whatever way the service cuts, counts and links its pages (interface
 * section 4.3 shows none). It always ends: by what the service says, at pages that bring nothing new, or in error.
 * Errors: those of a read; `search_incomplete` when the service says that there is more and no request brings it.
 */
export async function* walkPages(client: ApiClient, query: ListQuery): AsyncGenerator<WalkedPage> {
  const known = new Set<string>();
  let walk = startWalk(numberOf(query.page), numberOf(query.pageSize));
  let asking: Readonly<Record<string, string>> = query;
  let before: OrderPage | undefined;
  for (;;) {
    const page: OrderPage = await (before === undefined
      ? listPage(client, asking)
      : pageAfter(before, client, asking));
    const fresh = page.orders.filter((order) => isNew(order, known));
    const isRepeat = before !== undefined && page.orders.length > 0 && sameOrders(page, before);
    before = page;
    const next = nextOf(page, client.origin);
    const after = stepAfter(walk, { page, next, fresh: fresh.length, isRepeat });
    walk = after.walk;
    const kind = after.step.go === 'end' ? after.step.doubt : undefined;
    if (kind !== undefined) {
      yield { ...page, orders: fresh, doubt: { kind, sentence: sayDoubt(kind, walk, page) } };
    } else if (fresh.length > 0) yield { ...page, orders: fresh };
    if (after.step.go === 'stuck') throw incompleteWalk(walk, page);
    if (after.step.go === 'end') return;
    asking = paramsOf(query, after.step.ask);
  }
}

/** A page after another. Some services answer 404 or 416 where others answer an empty page. */
async function pageAfter(
  before: OrderPage,
  client: ApiClient,
  asking: Readonly<Record<string, string>>,
): Promise<OrderPage> {
  try {
    return await listPage(client, asking);
  } catch (error) {
    const isBeyond = error instanceof CliError && [404, 416].includes(error.details.status ?? 0);
    if (!isBeyond) throw error;
    // What was said of more still stands.
    const hasMore = before.hasMore === true || before.next !== null ? true : null;
    return { orders: [], page: null, pageSize: null, total: before.total, hasMore, next: null };
  }
}

function sameOrders(page: OrderPage, before: OrderPage): boolean {
  return (
    page.orders.length === before.orders.length &&
    page.orders.every((order, place) => identityOf(order) === identityOf(before.orders[place] as Order))
  );
}

function nextOf({ next }: OrderPage, origin: string): Brought['next'] {
  if (next === null) return null;
  return (next === 'cursor' ? undefined : parametersOf(next.link, origin)) ?? 'unusable';
}

/** What was asked for at first stays; of a link only what it says about pages and cursors is taken over. */
function paramsOf(
  { page: _page, pageSize, ...filters }: ListQuery,
  ask: Ask,
): Readonly<Record<string, string>> {
  const size = pageSize === undefined ? {} : { pageSize };
  const place = 'page' in ask ? { page: String(ask.page) } : ask.link;
  return { ...size, ...place, ...filters };
}

function isNew(order: Order, known: Set<string>): boolean {
  const identity = identityOf(order);
  if (known.has(identity)) return false;
  known.add(identity);
  return true;
}

/** An order without an id is known by all that it says. */
function identityOf(order: Order): string {
  return textField(order, 'id') ?? readOrder(order)?.id ?? writeJson(order);
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
