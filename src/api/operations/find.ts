import { CliError, type ErrorDetails } from '../../errors.ts';
import { isJsonNumber, member } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { type ReferenceKind, readingsOf } from '../../orders/order-reference.ts';
import { type ApiClient, readFrom } from '../client.ts';
import { maxPages, type SearchField, searchList } from '../pages/search.ts';
import { getRequest } from '../requests.ts';
import { isSameId, mayHaveExternalId, readOrder, type ServiceOrder } from '../responses/order.ts';

const fieldOf = { number: 'orderNumber', external: 'externalOrderId' } as const;

/** The one order with this UUID, order number or external order ID. Errors: `order_not_found`, `ambiguous_order`, those of `readFrom`. */
export async function findOrder(
  client: ApiClient,
  reference: string,
  by: ReferenceKind | undefined,
): Promise<ServiceOrder> {
  let details: ErrorDetails = {};
  for (const reading of by === undefined ? readingsOf(reference) : [by]) {
    if (reading === 'id') {
      const found = await readById(client, reference);
      if (!(found instanceof CliError)) return found;
      details = found.details;
    } else {
      const [first, ...others] = await lookUp(client, fieldOf[reading], reference);
      if (first !== undefined && others.length > 0) throw ambiguous(reference, [first, ...others]);
      if (first !== undefined) return readWhole(client, first, fieldOf[reading], reference);
    }
  }
  throw new CliError('order_not_found', `There is no order ${reference}.`, {
    ...details,
    hint: 'Check the number, or search with: merchant-orders list --customer-phone PHONE',
  });
}

async function readById(client: ApiClient, id: string): Promise<ServiceOrder | CliError> {
  try {
    return await getOrder(client, id);
  } catch (error) {
    if (error instanceof CliError && error.code === 'order_not_found') return error;
    throw error;
  }
}

/** Reads a listed order by its id. Error: `unreadable_answer` when the service returns another order. */
async function readWhole(
  client: ApiClient,
  listed: ServiceOrder,
  field: 'orderNumber' | 'externalOrderId',
  reference: string,
): Promise<ServiceOrder> {
  const found = await getOrder(client, listed.id);
  const name = member(found.order, field) ?? null;
  const isNumber = field === 'orderNumber' && isJsonNumber(name);
  if (name === null || (isNumber ? name.toString() : name) === reference) return found;
  throw new CliError(
    'unreadable_answer',
    `The list shows ${reference}, but reading it returned another order (${found.id}).`,
    { hint: 'Nothing was changed. Report this to the operator of the service.' },
  );
}

function ambiguous(reference: string, candidates: ServiceOrder[]): CliError {
  const names = candidates.map(({ id, order }) => `${textField(order, 'orderNumber') ?? '?'} (${id})`);
  return new CliError(
    'ambiguous_order',
    `${reference} matches ${candidates.length} orders: ${names.join(', ')}.`,
    { hint: 'Use one of the IDs in parentheses.' },
  );
}

/** Interface section 4.2; with `externalOrderId`, an order that shows another one is another order. Errors: `order_not_found`, `key_refused`, `permission_missing`, `unreachable`, `unreadable_answer` (also for another order). */
export function getOrder(client: ApiClient, id: string, externalOrderId?: string): Promise<ServiceOrder> {
  return readFrom(client, 'get', getRequest(id), `the order ${id}`, (response) => {
    const found = readOrder(response.body);
    const isSame = found !== undefined && isSameId(found.id, id);
    return isSame && mayHaveExternalId(found.order, externalOrderId) ? found : undefined;
  });
}

/** The orders whose `field` is exactly `value`. Errors: those of `readFrom`; `search_incomplete` when it may be on a page that was not read. */
export async function lookUp(client: ApiClient, field: SearchField, value: string): Promise<ServiceOrder[]> {
  const { found, listed, withField, end } = await searchList(client, {
    field,
    filter: value,
    wanted: new Set([value]),
    isEnough: (matches) => matches.found.size > 0,
  });
  const orders = found.get(value);
  if (orders !== undefined) return orders;
  if (end.how === 'failed') throw end.error;
  if (end.how === 'doubtful') throw incomplete(value, end.sentence);
  if (end.how === 'bound') throw beyondBound(value);
  if (listed > 0 && withField === 0) throw fieldNotShown(field, value);
  // If every page number returns the same page, that page is taken for the whole list.
  return [];
}

function beyondBound(value: string): CliError {
  return new CliError('search_incomplete', `${value} is not on the first ${maxPages} pages of orders.`, {
    hint: 'The service does not filter its list, so the order may still exist. Look it up by its ID.',
  });
}

function incomplete(value: string, sentence: string): CliError {
  return new CliError('search_incomplete', `${value} was not found, but it may still exist. ${sentence}`, {
    hint: 'Run the same command again, or look the order up by its ID.',
  });
}

function fieldNotShown(field: SearchField, value: string): CliError {
  const other = field === 'externalOrderId' ? 'its order number or UUID' : 'your own order ID or its UUID';
  return new CliError(
    'search_incomplete',
    `Cannot tell whether order ${value} exists: the service lists orders without their ${field}.`,
    { hint: `Look it up by ${other}. To see all orders, run: merchant-orders list` },
  );
}
