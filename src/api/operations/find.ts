import { again, command, type Text, t } from '../../advice/advice.ts';
import { CliError, type ErrorDetails } from '../../errors.ts';
import { isJsonNumber, member } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { type ReferenceKind, readingsOf, toOrderNumber } from '../../orders/order-reference.ts';
import { type ApiClient, readFrom } from '../client.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { isRespelled, type SearchResult, searchList } from '../pages/search.ts';
import { getRequest } from '../requests.ts';
import { holdsNothing } from '../responses/list.ts';
import { isSameId, mayHaveExternalId, readOrder, type ServiceOrder } from '../responses/order.ts';

const fieldOf = { number: 'orderNumber', external: 'externalOrderId' } as const;

interface FindOptions {
  by?: ReferenceKind | undefined;
  /** Also tries the less likely readings of the reference, to be sure that the right order is meant. */
  triesAllReadings?: boolean;
}

/** By UUID, order number or external order ID. Errors: `order_not_found`, `ambiguous_order`, those of `readFrom`. */
export async function findOrder(
  client: ApiClient,
  reference: string,
  { by, triesAllReadings = false }: FindOptions = {},
): Promise<ServiceOrder> {
  let details: ErrorDetails = {};
  let found: ServiceOrder | undefined;
  for (const reading of by === undefined ? readingsOf(reference) : [by]) {
    try {
      const read = await readAs(client, reference, reading);
      if (read !== undefined && found !== undefined && read.id !== found.id)
        throw ambiguous(reference, [found, read]);
      found ??= read;
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      // An order that was found by its own name does not need the list.
      if (found !== undefined && error.code !== 'ambiguous_order') continue;
      // 410 is about this order, and has words.
      if (error.code !== 'order_not_found' || error.details.status === 410) throw error;
      details = error.details;
    }
    if (found !== undefined && !triesAllReadings) break;
  }
  if (found !== undefined) return found;
  throw orderNotFound(reference, details);
}

export function orderNotFound(reference: string, details: ErrorDetails = {}): CliError {
  return new CliError('order_not_found', t`There is no order ${reference}.`, {
    ...details,
    hint: t`Check the number, or search with: ${command('list', '--search', reference)}`,
  });
}

/** Undefined if no order is listed. Errors: `order_not_found` for an id; those of `findOrder`. */
async function readAs(
  client: ApiClient,
  reference: string,
  reading: ReferenceKind,
): Promise<ServiceOrder | undefined> {
  if (reading === 'id') return readById(client, reference);
  const name = reading === 'number' ? toOrderNumber(reference) : reference;
  const [first, ...others] = await lookUp(client, fieldOf[reading], name);
  if (first === undefined) return undefined;
  if (others.length > 0) throw ambiguous(reference, [first, ...others]);
  return readWhole(client, first, fieldOf[reading], name);
}

/** Undefined if the service returns nothing for the id, and lists no order with it. */
async function readById(client: ApiClient, id: string): Promise<ServiceOrder | undefined> {
  const found = await readOne(client, id);
  if (!(found instanceof CliError)) return found;
  const listed = await searchList(client, { field: 'id', wanted: new Set([id]), isEnough: isFound });
  if (listed.end.how !== 'whole' || listed.found.size > 0) throw found;
  return undefined;
}

/** Reads a listed order by its id. Error: `unreadable_answer` when the service returns another order, or says that there is none. */
async function readWhole(
  client: ApiClient,
  listed: ServiceOrder,
  field: NamedField,
  reference: string,
): Promise<ServiceOrder> {
  const found = await getOrder(client, listed.id).catch((error: unknown) => {
    const isAbsent = error instanceof CliError && error.code === 'order_not_found';
    throw isAbsent ? contradicted(listed.id, reference, error) : error;
  });
  const name = member(found.order, field) ?? null;
  const isNumber = field === 'orderNumber' && isJsonNumber(name);
  if (name === null || (isNumber ? name.toString() : name) === reference) return found;
  throw new CliError(
    'unreadable_answer',
    t`The list shows ${reference}, but reading it returned another order (${found.id}).`,
    { hint: t`Nothing was changed. Report this to the operator of the service.` },
  );
}

function contradicted(id: string, reference: string, { details }: CliError): CliError {
  return new CliError(
    'unreadable_answer',
    t`The list shows ${reference}, but the service says that there is no order ${id}.`,
    { ...details, hint: t`Run the same command again later.${again()}` },
  );
}

export function ambiguous(reference: string, candidates: readonly ServiceOrder[]): CliError {
  const names = candidates.map(({ id, order }) => `${textField(order, 'orderNumber') ?? '?'} (${id})`);
  return new CliError('ambiguous_order', t`${reference} matches ${candidates.length} orders: ${names}.`, {
    hint: t`Use one of the IDs in parentheses.`,
  });
}

/** Interface section 4.2. Errors: `order_not_found`, `unreadable_answer` (also for another order), those of `readFrom`. */
export async function getOrder(
  client: ApiClient,
  id: string,
  externalOrderId?: string,
): Promise<ServiceOrder> {
  const found = await readOne(client, id, externalOrderId);
  if (found instanceof CliError) throw found;
  return found;
}

/** Returns the error for a success response with nothing in it, such as `{"data":null}`. */
async function readOne(
  client: ApiClient,
  id: string,
  externalOrderId?: string,
): Promise<ServiceOrder | CliError> {
  let isNothing = false;
  const read = (response: ServiceResponse) => {
    isNothing = holdsNothing(response);
    const found = readOrder(response.body);
    if (found === undefined || !isSameId(found.id, id)) return undefined;
    if (externalOrderId === undefined || mayHaveExternalId(found.order, externalOrderId)) return found;
    return isRespelled(member(found.order, 'externalOrderId'), externalOrderId) ? found : undefined;
  };
  try {
    return await readFrom(client, 'get', getRequest(id), { name: t`the order ${id}`, read });
  } catch (error) {
    if (isNothing && error instanceof CliError && error.code === 'unreadable_answer') return error;
    throw error;
  }
}

type NamedField = 'externalOrderId' | 'orderNumber';

const isFound = ({ found }: Pick<SearchResult, 'found'>) => found.size > 0;

/** Exact matches only. Errors: those of `readFrom`; `search_incomplete` if a match may be on a page that was not read. */
export async function lookUp(client: ApiClient, field: NamedField, value: string): Promise<ServiceOrder[]> {
  const search = { field, wanted: new Set([value]), isEnough: isFound };
  let result = await searchList(client, { ...search, filter: value });
  // Nothing in the place of a list proves nothing, nor does an empty one beside a count, but the whole list may.
  const isNothing = result.end.how === 'unproven' || (result.end.how === 'enough' && result.found.size === 0);
  if (isNothing) result = await searchList(client, search);
  const { found, listed, withField, end } = result;
  const orders = found.get(value);
  if (orders !== undefined) return orders;
  if (end.how === 'failed') throw end.error;
  if (end.how === 'incomplete') throw incomplete(value, end.sentence);
  if (end.how === 'unproven') throw incomplete(value, t`The service returned no list.`);
  if (listed > 0 && withField === 0) throw fieldNotShown(field, value);
  return [];
}

function incomplete(value: string, sentence: Text): CliError {
  return new CliError('search_incomplete', t`${value} was not found, but it may still exist. ${sentence}`, {
    hint: t`Run the same command again, or look the order up by its ID.${again()}`,
  });
}

function fieldNotShown(field: NamedField, value: string): CliError {
  return new CliError(
    'search_incomplete',
    t`Cannot tell whether order ${value} exists: the service lists orders without their ${field}.`,
    {
      hint:
        field === 'externalOrderId'
          ? t`Look it up by its order number or UUID. To see all orders, run: ${command('list')}`
          : t`Look it up by your own order ID or its UUID. To see all orders, run: ${command('list')}`,
    },
  );
}
