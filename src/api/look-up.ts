import { CliError } from '../errors.ts';
import type { ApiClient } from './client.ts';
import type { ServiceOrder } from './read-order.ts';
import { mostPages, type SearchField, searchList } from './search-list.ts';

/**
 * The orders whose `field` is exactly `value`, found with the list filter of that name (interface section 4.3).
 * A service may ignore a filter it does not know: then its pages are walked, up to a bound.
 * Errors: those of a read, and `search_incomplete` for what proves nothing: a walk that its bound stopped or that
 * did not see all there is, and orders of which none shows the field.
 */
export async function lookUp(client: ApiClient, field: SearchField, value: string): Promise<ServiceOrder[]> {
  const { found, listed, shown, end } = await searchList(client, {
    ...{ field, filter: value, wanted: new Set([value]) },
    isEnough: (sights) => sights.found.size > 0,
  });
  const matches = found.get(value);
  if (matches !== undefined) return matches;
  if (end.how === 'failed') throw end.error;
  if (end.how === 'doubtful') throw doubtful(value, end.sentence);
  if (end.how === 'bound') throw beyondBound(value);
  if (listed > 0 && shown === 0) throw notShown(field, value);
  // One page whatever page is asked for is taken for the whole list.
  return [];
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

function notShown(field: SearchField, value: string): CliError {
  const other = field === 'externalOrderId' ? 'its order number or UUID' : 'your own order id or its UUID';
  return new CliError(
    'search_incomplete',
    `Nobody can say whether there is an order ${value}: the service lists orders without their ${field}.`,
    { hint: `Look for it by ${other}; to see what there is, run: merchant-orders list` },
  );
}
