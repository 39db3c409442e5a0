import type { Text } from '../../advice/advice.ts';
import { CliError, type ErrorCode } from '../../errors.ts';
import type { Order } from '../../orders/order.ts';
import type { ApiClient } from '../client.ts';
import { type CreatedRange, createdBetween, widerDates } from './created-range.ts';
import { isRejectedQuery, type ListQuery, pageSize } from './list-orders.ts';
import { walkPages } from './walk-pages.ts';

interface WalkOptions {
  /** As of `walkPages`. */
  wanted?: number;
  /** Left out where the service sets it itself. */
  pageSize?: number;
  /** Whether all orders will do if the service rejects days, too. */
  takesAll?: boolean;
}

/**
 * The pages of the orders that were created in a range. Where the service rejects times, it is asked for whole days, which
 * hold other orders too; `areDays` says so. Errors: those of `walkPages`, for the query with times if all are rejected.
 */
export async function* walkCreated(
  client: ApiClient,
  query: ListQuery,
  created: CreatedRange,
  { wanted = 0, pageSize, takesAll = false }: WalkOptions = {},
) {
  const dates = widerDates(created);
  const ranges = [
    { range: created.instants, areDays: false },
    ...(Object.keys(dates).length === 0 ? [] : [{ range: dates, areDays: true }]),
    ...(takesAll ? [{ range: {}, areDays: true }] : []),
  ];
  const sizes = pageSize === undefined ? [{}] : [{ pageSize: String(pageSize) }, {}];
  let rejection: unknown;
  for (const { range, areDays } of ranges) {
    for (const size of sizes) {
      let isAccepted = false;
      try {
        for await (const page of walkPages(client, { ...query, ...range, ...size }, wanted)) {
          isAccepted = true;
          yield { ...page, areDays };
        }
        return;
      } catch (error) {
        if (isAccepted || !isRejectedQuery(error)) throw error;
        if (!areDays) rejection = error;
      }
    }
  }
  throw rejection;
}

/** The service cannot list them this way. */
const unlistable: ReadonlySet<ErrorCode> = new Set(['search_incomplete', 'request_refused']);

/**
 * Reads the orders that were created in a span, if that takes at most `maxPages`. Whether all of them were read; a service
 * may list others too. Errors: those of a read, and of `onPage`.
 */
export async function walkSpan(
  client: ApiClient,
  { from, to }: Pick<CreatedRange, 'from' | 'to'>,
  maxPages: number,
  onPage: (orders: readonly Order[]) => Promise<void>,
): Promise<boolean> {
  let pages = 0;
  let caveat: Text | undefined;
  const wanted = Number.POSITIVE_INFINITY;
  try {
    for await (const page of walkCreated(client, {}, createdBetween(from, to), { wanted, pageSize })) {
      pages += 1;
      const needed = Math.ceil((page.total ?? 0) / (page.pageSize ?? pageSize));
      if (Math.max(pages, needed) > maxPages) return false;
      await onPage(page.orders);
      caveat = page.caveat;
    }
    return caveat === undefined;
  } catch (error) {
    if (error instanceof CliError && unlistable.has(error.code)) return false;
    throw error;
  }
}
