import { type ApiClient, readFrom } from '../client.ts';
import { type OrderPage, pageNumberOf, readOrderPage } from '../responses/page.ts';
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

/** One page as the service cuts it; besides the stated parameters, those of a link that it gave. Errors: those of a read. */
export function listPage(client: ApiClient, query: Readonly<Record<string, string>>): Promise<OrderPage> {
  return readFrom(
    client,
    'list',
    { method: 'GET', path: '', query: { ...query } },
    'a list of orders',
    readOrderPage,
  );
}

/** The page to ask for after this one, which was asked for as `asked`; null when there is none or nobody can tell. */
export function nextPageOf(found: OrderPage, asked: number | undefined): number | null {
  const { page, pageSize, total, hasMore, next } = found;
  if (hasMore === false) return null;
  const linked = next !== null && next !== 'cursor' ? pageNumberOf(next.link) : undefined;
  if (linked !== undefined) return linked;
  const number = asked ?? page;
  if (number === null) return null;
  if (hasMore === true || next !== null) return number + 1;
  if (pageSize === null || total === null) return null;
  const before = asked === undefined ? 0 : pagesBefore(found.orders.length, asked, pageSize, total);
  return (before + 1) * pageSize < total ? number + 1 : null;
}

/**
 * How many pages stand before the one of that number. Only its length can show that pages begin at 0; where it
 * does not, they are taken to begin at 1, which at worst names a next page that is empty.
 */
function pagesBefore(length: number, number: number, pageSize: number, total: number): number {
  const lengthAfter = (pages: number) => Math.min(pageSize, Math.max(0, total - pages * pageSize));
  if (number === 0) return 0;
  const beginsAtZero = length === lengthAfter(number) && length !== lengthAfter(number - 1);
  return beginsAtZero ? number : number - 1;
}
