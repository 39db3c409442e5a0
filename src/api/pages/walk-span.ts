import type { Text } from '../../advice/advice.ts';
import { CliError, type ErrorCode } from '../../errors.ts';
import type { Order } from '../../orders/order.ts';
import type { ApiClient } from '../client.ts';
import { widerDates } from './created-range.ts';
import type { ListQuery } from './list-orders.ts';
import { walkPages, whyIncomplete } from './walk-pages.ts';

/** In milliseconds since the epoch; `to` may be infinite. */
export interface CreatedSpan {
  from: number;
  to: number;
}

export const pageSize = 100;
/** The service cannot list them this way. */
const unlistable: ReadonlySet<ErrorCode> = new Set(['search_incomplete', 'request_refused']);

/**
 * Reads the orders that were created in a span, if that takes at most `maxPages`. Whether all of them were read; a service
 * may list others too. Errors: those of a read, and of `onPage`.
 */
export async function walkSpan(
  client: ApiClient,
  span: CreatedSpan,
  maxPages: number,
  onPage: (orders: readonly Order[]) => Promise<void>,
): Promise<boolean> {
  for (const query of queriesFor(span)) {
    let pages = 0;
    let doubt: Text | undefined;
    try {
      for await (const page of walkPages(client, query, Number.POSITIVE_INFINITY)) {
        pages += 1;
        const needed = Math.ceil((page.total ?? 0) / (page.pageSize ?? pageSize));
        if (Math.max(pages, needed) > maxPages) return false;
        await onPage(page.orders);
        doubt = whyIncomplete(page);
      }
      return doubt === undefined;
    } catch (error) {
      if (!(error instanceof CliError) || !unlistable.has(error.code)) throw error;
      const isRejected = [400, 422].includes(error.details.status ?? 0);
      if (pages > 0 || !isRejected) return false;
    }
  }
  return false;
}

/** Some services take whole days only, or set the page size themselves. */
function queriesFor({ from, to }: CreatedSpan): ListQuery[] {
  const instants = {
    createdFrom: new Date(from).toISOString(),
    ...(to === Number.POSITIVE_INFINITY ? {} : { createdTo: new Date(to).toISOString() }),
  };
  const ranges = [instants, widerDates({ instants, from, to })];
  return ranges.flatMap((range) => [{ ...range, pageSize: String(pageSize) }, range]);
}
