import { t } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import { type ApiClient, readFrom } from '../client.ts';
import { type OrderPage, pageNumberOf, readOrderPage } from '../responses/page.ts';

/** Orders per page where many are read. Also what is assumed of a service that does not say how many it returns. */
export const pageSize = 100;

/** Orders that a person looks through: those that are offered, and those of a list without `--page-size`. */
export const shownPageSize = 20;

/** Interface section 4.3. */
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

export function listPage(
  client: ApiClient,
  query: Readonly<Record<string, string>>,
  isAfterOthers = false,
): Promise<OrderPage> {
  return readFrom(
    client,
    'list',
    { method: 'GET', path: '', query: { ...query } },
    { name: t`a list of orders`, read: (response) => readOrderPage(response, isAfterOthers) },
  );
}

/** How some services respond to a page beyond the last, which others return empty. */
export function isBeyondLast(error: unknown): error is CliError {
  return hasStatus(error, [404, 416]);
}

/** How some services respond to times, to a page size, and to a page beyond the last. */
export function isRejectedQuery(error: unknown): error is CliError {
  return hasStatus(error, [400, 422]);
}

function hasStatus(error: unknown, statuses: readonly number[]): error is CliError {
  return error instanceof CliError && statuses.includes(error.details.status ?? 0);
}

/** One page, which is empty beyond the last. Errors: those of `readFrom`. */
export async function listNumberedPage(
  client: ApiClient,
  { page, ...query }: ListQuery & { page: string },
): Promise<OrderPage> {
  try {
    return await listPage(client, { ...query, page });
  } catch (error) {
    const isRejected = isRejectedQuery(error) && Number(page) > 1;
    if (!isRejected && !isBeyondLast(error)) throw error;
    // A wrong base URL or filter fails for all pages.
    const first = await listPage(client, query).catch(() => undefined);
    if (first === undefined || (isRejected && hasPage(first, Number(page)))) throw error;
    return { ...first, orders: [], page: Number(page), hasMore: false, next: null };
  }
}

/** Whether the page exists, so that it was rejected for another reason. */
function hasPage(first: OrderPage, number: number): boolean {
  if (number === nextPageOf(first, { page: '1' })) return true;
  const { pageSize, total } = first;
  return pageSize !== null && total !== null && (number - 1) * pageSize < total;
}

/** Null on the last page. A full page that states neither a total nor a next page may be the last one, too. */
export function nextPageOf(found: OrderPage, query: Pick<ListQuery, 'page' | 'pageSize'>): number | null {
  const [requestedPage, requestedSize] = [toNumber(query.page), toNumber(query.pageSize)];
  const { orders, pageSize, total, hasMore, next } = found;
  if (hasMore === false || (orders.length === 0 && hasMore === null && next === null)) return null;
  const linked = next !== null && next !== 'cursor' ? pageNumberOf(next.link) : undefined;
  if (linked !== undefined) return linked;
  const number = requestedPage ?? found.page ?? 1;
  if (hasMore === true || next !== null) return number + 1;
  const size = pageSize ?? requestedSize;
  if (total === null) return isFullPage(orders.length, size) ? number + 1 : null;
  const before =
    requestedPage === undefined ? 0 : pagesBefore(orders.length, requestedPage, size ?? orders.length, total);
  return (before + 1) * (size ?? orders.length) < total ? number + 1 : null;
}

export function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** Where no size is stated, sizes that are usual by default. */
function isFullPage(length: number, size: number | undefined): boolean {
  return size === undefined ? length >= 10 && length % 5 === 0 : length >= size;
}

/** Page numbers begin at 1, unless the length of this page shows that they begin at 0. */
function pagesBefore(length: number, number: number, pageSize: number, total: number): number {
  const lengthAfter = (pages: number) => Math.min(pageSize, Math.max(0, total - pages * pageSize));
  if (number === 0) return 0;
  const beginsAtZero = length === lengthAfter(number) && length !== lengthAfter(number - 1);
  return beginsAtZero ? number : number - 1;
}
