import type { ApiClient } from '../../api/client.ts';
import { type ListQuery, listNumberedPage, listPage } from '../../api/pages/list-orders.ts';
import { type WalkedPage, walkPages } from '../../api/pages/walk-pages.ts';
import type { OrderPage } from '../../api/responses/page.ts';
import { CliError } from '../../errors.ts';
import { type CreatedRange, ordersWithin, widerDates } from './created-range.ts';

/** What to list. */
export interface ListOptions {
  /** Without the range, and without the page size that is added for several pages. */
  query: ListQuery;
  created: CreatedRange;
  /** The maximum number of orders, over as many pages as needed; undefined for one page. */
  limit: number | undefined;
}

/** One page, as the service cuts it; undefined if it rejects times, or sends too much, and no page number was given. Errors: those of a read. */
export async function readPage(
  client: ApiClient,
  { query, created }: ListOptions,
): Promise<OrderPage | undefined> {
  const { page, ...filters } = { ...query, ...created.instants };
  try {
    return await (page === undefined
      ? listPage(client, filters)
      : listNumberedPage(client, { ...filters, page }));
  } catch (error) {
    const isTooLarge = error instanceof CliError && error.code === 'response_too_large';
    if (isTooLarge && page === undefined) return undefined;
    if (!isRejectedQuery(error) || Object.keys(created.instants).length === 0) throw error;
    if (page === undefined) return undefined;
    throw new CliError(error.code, error.message, { ...error.details, hint: wholeDaysHint });
  }
}

const wholeDaysHint =
  'If the service takes whole days only, leave out --page, or add --all: the orders are then filtered here.';

interface Attempt {
  query: ListQuery;
  areDates: boolean;
}

/** All pages. A service that rejects a page size or times is asked without them: for whole days, filtered here. */
export async function* walkAccepted(
  client: ApiClient,
  { query, created }: ListOptions,
  limit: number,
): AsyncGenerator<WalkedPage & { areDated: boolean }> {
  let rejection: unknown;
  for (const attempt of attemptsFor(query, created, limit)) {
    let isAccepted = false;
    try {
      for await (const page of walkPages(client, attempt.query, { wanted: limit })) {
        isAccepted = true;
        yield attempt.areDates
          ? { ...page, ...ordersWithin(created, page.orders), total: null }
          : { ...page, areDated: true };
      }
      return;
    } catch (error) {
      if (isAccepted || !isRejectedQuery(error)) throw error;
      // The user reads about the request that has only what they asked for.
      if (!attempt.areDates) rejection = error;
    }
  }
  throw rejection;
}

const maxPageSize = 100;

function attemptsFor(query: ListQuery, created: CreatedRange, limit: number): Attempt[] {
  const dates = widerDates(created);
  const ranges = [
    { range: created.instants, areDates: false },
    ...(Object.keys(dates).length === 0 ? [] : [{ range: dates, areDates: true }]),
  ];
  const pageSize = String(Math.min(limit, maxPageSize));
  return ranges.flatMap(({ range, areDates }) => {
    const whole = { query: { ...query, ...range }, areDates };
    return query.pageSize === undefined
      ? [{ query: { ...whole.query, pageSize }, areDates }, whole]
      : [whole];
  });
}

function isRejectedQuery(error: unknown): error is CliError {
  return error instanceof CliError && [400, 422].includes(error.details.status ?? 0);
}
