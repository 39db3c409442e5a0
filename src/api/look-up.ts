import { CliError } from '../errors.ts';
import { member } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import type { ApiClient } from './client.ts';
import { readOrder, type ServiceOrder } from './read-order.ts';
import { walkPages } from './walk-pages.ts';

const mostPages = 200;

/**
 * The orders whose `field` is exactly `value`, found with the list filter of that name (interface section 4.3).
 * A service may ignore a filter it does not know: then its pages are walked, up to a bound.
 * Errors: those of a read, and `search_incomplete` for what proves nothing: a walk that its bound stopped or that
 * did not see all there is, and orders of which none shows the field.
 */
export async function lookUp(
  client: ApiClient,
  field: 'externalOrderId' | 'orderNumber',
  value: string,
): Promise<ServiceOrder[]> {
  let pages = 0;
  let listed = 0;
  let isShown = false;
  for await (const { orders, doubt } of walkPages(client, { [field]: value })) {
    const matches = orders.flatMap(toServiceOrder).filter(({ order }) => textField(order, field) === value);
    if (matches.length > 0) return matches;
    listed += orders.length;
    isShown ||= orders.some((order) => member(innermost(order), field) !== undefined);
    // One page whatever page is asked for is taken for the whole list; the other doubts say that it is not.
    if (doubt !== undefined && doubt.kind !== 'one_page' && listed > 0) throw doubtful(value, doubt.sentence);
    if (++pages >= mostPages) throw beyondBound(value);
  }
  if (listed > 0 && !isShown) throw notShown(field, value);
  return [];
}

function toServiceOrder(order: Order): ServiceOrder[] {
  const found = readOrder(order);
  return found === undefined ? [] : [found];
}

/** An order of a list may be in an envelope of its own. */
function innermost(order: Order): Order {
  return readOrder(order)?.order ?? order;
}

function beyondBound(value: string): CliError {
  return new CliError('search_incomplete', `${value} was not among the first ${mostPages} pages of orders.`, {
    hint: 'This service does not filter its list, so the order may still exist; look for it by its id.',
  });
}

function doubtful(value: string, sentence: string): CliError {
  return new CliError(
    'search_incomplete',
    `${value} was not found, but nobody can say that it is not there. ${sentence}`,
    {
      hint: 'Run the same command again, or look for the order by its id.',
    },
  );
}

function notShown(field: 'externalOrderId' | 'orderNumber', value: string): CliError {
  const other = field === 'externalOrderId' ? 'its order number or UUID' : 'your own order id or its UUID';
  return new CliError(
    'search_incomplete',
    `Nobody can say whether there is an order ${value}: the service lists orders without their ${field}.`,
    { hint: `Look for it by ${other}; to see what there is, run: merchant-orders list` },
  );
}
