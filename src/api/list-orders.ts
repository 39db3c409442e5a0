import { CliError } from '../errors.ts';
import { type Order, textField } from '../orders/order.ts';
import { type ApiClient, readFrom } from './client.ts';
import { type OrderPage, readOrderPage } from './list-envelope.ts';

/** The query parameters of interface section 4.3; their values go out as they are. */
export type ListQuery = Partial<
  Record<
    | 'externalOrderId'
    | 'orderNumber'
    | 'status'
    | 'customerPhone'
    | 'createdFrom'
    | 'createdTo'
    | 'page'
    | 'pageSize',
    string
  >
>;

/** One page as the service cuts it. Errors: those of a read. */
export function listPage(client: ApiClient, query: ListQuery): Promise<OrderPage> {
  return readFrom(
    client,
    'list',
    { method: 'GET', path: '', query: { ...query } },
    'a list of orders',
    readOrderPage,
  );
}

/**
 * Page after page, each order once. Ends at an empty page, at a page with nothing new, or when the service
 * says that there is no more; so it also ends on a service that ignores `page` or repeats itself.
 * Error: `search_incomplete` when it ends so although the service says that there is more.
 */
export async function* walkPages(client: ApiClient, query: ListQuery): AsyncGenerator<OrderPage> {
  const seen = new Set<string>();
  let asked = query.page === undefined ? undefined : Number(query.page);
  for (;;) {
    const page = await listPage(client, asked === undefined ? query : { ...query, page: String(asked) });
    const fresh = page.orders.filter((order) => isNew(order, seen));
    if (fresh.length > 0) yield { ...page, orders: fresh };
    // A first page that does not tell its number may be 0 or 1: asking for 1 next finds out.
    const isFirstRepeated = asked === 1 && query.page === undefined && page.page === null;
    if (fresh.length === 0 && !isFirstRepeated) {
      if (page.orders.length > 0 && saysMore(page, seen.size)) throw stalled(seen.size, page.total);
      return;
    }
    const isAll = page.total !== null && seen.size >= page.total;
    if (page.hasMore === false || (page.hasMore === null && isAll)) return;
    asked = (asked ?? page.page ?? 0) + 1;
  }
}

/** The page to ask for after this one; null when there is none or nobody can tell. */
export function nextPageOf({ page, pageSize, total, hasMore }: OrderPage): number | null {
  if (page === null || hasMore === false) return null;
  if (hasMore === true) return page + 1;
  return pageSize !== null && total !== null && Math.max(page, 1) * pageSize < total ? page + 1 : null;
}

function saysMore({ hasMore, total }: OrderPage, seen: number): boolean {
  return hasMore === true || (hasMore === null && total !== null && total > seen);
}

function stalled(seen: number, total: number | null): CliError {
  const of = total === null ? 'more' : `${total}`;
  return new CliError(
    'search_incomplete',
    `The service repeats its pages: ${seen} of ${of} orders were read.`,
    {
      hint: 'Narrow it down with a filter, such as --created-from or --customer-phone.',
    },
  );
}

function isNew(order: Order, seen: Set<string>): boolean {
  const identity = textField(order, 'id') ?? JSON.stringify(order);
  if (seen.has(identity)) return false;
  seen.add(identity);
  return true;
}
