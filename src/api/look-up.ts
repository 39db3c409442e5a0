import { CliError } from '../errors.ts';
import { textField } from '../orders/order.ts';
import type { ApiClient } from './client.ts';
import { walkPages } from './list-orders.ts';
import { readOrder, type ServiceOrder } from './read-order.ts';

const mostPages = 200;

/**
 * The orders whose `field` is exactly `value`, found with the list filter of that name (interface section 4.3).
 * A service may ignore a filter it does not know: then its pages are walked, up to a bound.
 * Errors: those of a read, and `search_incomplete` when the bound stopped the walk, which proves nothing.
 */
export async function lookUp(
  client: ApiClient,
  field: 'externalOrderId' | 'orderNumber',
  value: string,
): Promise<ServiceOrder[]> {
  let pages = 0;
  for await (const page of walkPages(client, { [field]: value })) {
    const matches = page.orders
      .flatMap(toServiceOrder)
      .filter(({ order }) => textField(order, field) === value);
    const isFiltered = pages === 0 && page.orders.every((order) => textField(order, field) === value);
    if (matches.length > 0 || isFiltered) return matches;
    if (++pages >= mostPages) {
      throw new CliError(
        'search_incomplete',
        `${value} was not among the first ${mostPages} pages of orders.`,
        {
          hint: 'This service does not filter its list, so the order may still exist; look for it by its id.',
        },
      );
    }
  }
  return [];
}

function toServiceOrder(order: Parameters<typeof readOrder>[0]): ServiceOrder[] {
  const found = readOrder(order);
  return found === undefined ? [] : [found];
}
