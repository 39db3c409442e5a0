import { CliError } from '../../errors.ts';
import { type ApiClient, readFrom } from '../client.ts';
import { type OrderPage, pageNumberOf, readOrderPage } from '../responses/page.ts';

/** The query parameters of interface section 4.3; their values are sent unchanged. */
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

/** One page as the service returns it. Errors: those of `readFrom`. */
export function listPage(
  client: ApiClient,
  query: Readonly<Record<string, string>>,
  isAfterOthers = false,
): Promise<OrderPage> {
  return readFrom(
    client,
    'list',
    { method: 'GET', path: '', query: { ...query } },
    { name: 'a list of orders', read: (response) => readOrderPage(response, isAfterOthers) },
  );
}

/** For a page beyond the last, some services respond with these where others return an empty page. */
export const beyondLastStatuses: readonly number[] = [404, 416];

/** One page, which is empty beyond the last. Errors: those of `readFrom`. */
export async function listNumberedPage(
  client: ApiClient,
  { page, ...query }: ListQuery & { page: string },
): Promise<OrderPage> {
  try {
    return await listPage(client, { ...query, page });
  } catch (error) {
    const status = error instanceof CliError ? (error.details.status ?? 0) : 0;
    // A page number below the first may be rejected as well.
    const isRejected = [400, 422].includes(status) && Number(page) > 1;
    if (!isRejected && !beyondLastStatuses.includes(status)) throw error;
    // A wrong base URL or filter is answered in the same way for every page.
    const first = await listPage(client, query).catch(() => undefined);
    if (first === undefined || (isRejected && hasPage(first, Number(page)))) throw error;
    return { ...first, orders: [], page: Number(page), hasMore: false, next: null };
  }
}

/** Whether the first page shows that there is a page with this number, so that it was rejected for another reason. */
function hasPage(first: OrderPage, number: number): boolean {
  if (number === nextPageOf(first, 1)) return true;
  const { pageSize, total } = first;
  return pageSize !== null && total !== null && (number - 1) * pageSize < total;
}

/** The number of the page after this one, which was requested as `requested`; null when there is none, or it is unknown. */
export function nextPageOf(found: OrderPage, requested: number | undefined): number | null {
  const { page, pageSize, total, hasMore, next } = found;
  if (hasMore === false) return null;
  const linked = next !== null && next !== 'cursor' ? pageNumberOf(next.link) : undefined;
  if (linked !== undefined) return linked;
  const number = requested ?? page;
  if (number === null) return null;
  if (hasMore === true || next !== null) return number + 1;
  if (pageSize === null || total === null) return null;
  const before = requested === undefined ? 0 : pagesBefore(found.orders.length, requested, pageSize, total);
  return (before + 1) * pageSize < total ? number + 1 : null;
}

/** Page numbers begin at 1, unless the length of this page shows that they begin at 0. */
function pagesBefore(length: number, number: number, pageSize: number, total: number): number {
  const lengthAfter = (pages: number) => Math.min(pageSize, Math.max(0, total - pages * pageSize));
  if (number === 0) return 0;
  const beginsAtZero = length === lengthAfter(number) && length !== lengthAfter(number - 1);
  return beginsAtZero ? number : number - 1;
}
