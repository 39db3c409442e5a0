import { CliError, type ErrorDetails } from '../../errors.ts';
import { textField } from '../../orders/order.ts';
import { type ReferenceKind, readingsOf } from '../../orders/order-reference.ts';
import { type ApiClient, readFrom } from '../client.ts';
import { maxPages, type SearchField, searchList } from '../pages/search.ts';
import { getRequest } from '../requests.ts';
import { isSameId, readOrder, type ServiceOrder } from '../responses/order.ts';

/** The list filter and the field of each way to name an order but its `id` (interface section 4.3). */
const fieldOf = { number: 'orderNumber', external: 'externalOrderId' } as const;

/**
 * The one order that a person means by a UUID, an order number or their own order id (interface section 2.1).
 * `by` forces one reading. Errors: `order_not_found`, `ambiguous_order` with the candidates, those of a read.
 */
export async function findOrder(
  client: ApiClient,
  reference: string,
  by: ReferenceKind | undefined,
): Promise<ServiceOrder> {
  let told: ErrorDetails = {};
  for (const reading of by === undefined ? readingsOf(reference) : [by]) {
    if (reading === 'id') {
      const found = await readById(client, reference);
      if (!(found instanceof CliError)) return found;
      told = found.details;
    } else {
      const [first, ...others] = await lookUp(client, fieldOf[reading], reference);
      if (first !== undefined && others.length > 0) throw ambiguous(reference, [first, ...others]);
      if (first !== undefined) return readWhole(client, first, fieldOf[reading], reference);
    }
  }
  throw new CliError('order_not_found', `There is no order ${reference}.`, {
    ...told,
    hint: 'Check the number, or look for the order with: merchant-orders list --customer-phone PHONE',
  });
}

/** The order with that id, or the error that says that there is none. */
async function readById(client: ApiClient, id: string): Promise<ServiceOrder | CliError> {
  try {
    return await getOrder(client, id);
  } catch (error) {
    if (error instanceof CliError && error.code === 'order_not_found') return error;
    throw error;
  }
}

/** The order that a listing named, read whole; it must still be the one that was asked for. */
async function readWhole(
  client: ApiClient,
  listed: ServiceOrder,
  field: 'orderNumber' | 'externalOrderId',
  reference: string,
): Promise<ServiceOrder> {
  const found = await getOrder(client, listed.id);
  const name = textField(found.order, field);
  if (name === undefined || name === reference) return found;
  throw new CliError(
    'unreadable_answer',
    `The service listed ${reference}, and read back another order (${found.id}).`,
    {
      hint: 'Nothing was changed. Report it to the service.',
    },
  );
}

function ambiguous(reference: string, candidates: ServiceOrder[]): CliError {
  const names = candidates.map(({ id, order }) => `${textField(order, 'orderNumber') ?? '?'} (${id})`);
  return new CliError(
    'ambiguous_order',
    `${reference} names ${candidates.length} orders: ${names.join(', ')}.`,
    {
      hint: 'Use the id in brackets.',
    },
  );
}

/**
 * Reads one order by its `id` (interface section 4.2). The answer counts only when it is about that order.
 * Errors: `order_not_found`, `key_refused`, `permission_missing`, `unreachable`, `unreadable_answer`.
 */
export function getOrder(client: ApiClient, id: string): Promise<ServiceOrder> {
  return readFrom(client, 'get', getRequest(id), `the order ${id}`, (answer) => {
    const found = readOrder(answer.body);
    return found !== undefined && isSameId(found.id, id) ? found : undefined;
  });
}

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
  return new CliError('search_incomplete', `${value} was not among the first ${maxPages} pages of orders.`, {
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
