import { CliError, type ErrorDetails } from '../errors.ts';
import { textField } from '../orders/order.ts';
import { type ReferenceKind, readingsOf } from '../orders/order-reference.ts';
import type { ApiClient } from './client.ts';
import { getOrder } from './get-order.ts';
import { lookUp } from './look-up.ts';
import type { ServiceOrder } from './read-order.ts';

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
