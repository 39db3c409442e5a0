import { CliError } from '../errors.ts';
import { textField } from '../orders/order.ts';
import { type ReferenceKind, readingsOf } from '../orders/order-reference.ts';
import type { ApiClient } from './client.ts';
import { getOrder } from './get-order.ts';
import { lookUp } from './look-up.ts';
import type { ServiceOrder } from './read-order.ts';

/**
 * The one order that a person means by a UUID, an order number or their own order id (interface section 2.1).
 * `by` forces one reading. Errors: `order_not_found`, `ambiguous_order` with the candidates, those of a read.
 */
export async function findOrder(
  client: ApiClient,
  reference: string,
  by: ReferenceKind | undefined,
): Promise<ServiceOrder> {
  for (const reading of by === undefined ? readingsOf(reference) : [by]) {
    const found = await findBy(client, reading, reference);
    const [first, ...others] = found;
    if (others.length > 0) throw ambiguous(reference, found);
    if (first !== undefined) return reading === 'id' ? first : readWhole(client, first, reference);
  }
  throw new CliError('order_not_found', `There is no order ${reference}.`, {
    hint: 'Check the number, or look for the order with: merchant-orders list --customer-phone PHONE',
  });
}

/** The order that a listing named, read whole; it must still be the one that was asked for. */
async function readWhole(client: ApiClient, listed: ServiceOrder, reference: string): Promise<ServiceOrder> {
  const found = await getOrder(client, listed.id);
  const names = [textField(found.order, 'orderNumber'), textField(found.order, 'externalOrderId')];
  if (names.includes(reference) || names.every((name) => name === undefined)) return found;
  throw new CliError(
    'unreadable_answer',
    `The service listed ${reference}, and read back another order (${found.id}).`,
    {
      hint: 'Nothing was changed. Report it to the service.',
    },
  );
}

async function findBy(client: ApiClient, reading: ReferenceKind, reference: string): Promise<ServiceOrder[]> {
  if (reading === 'number') return lookUp(client, 'orderNumber', reference);
  if (reading === 'external') return lookUp(client, 'externalOrderId', reference);
  try {
    return [await getOrder(client, reference)];
  } catch (error) {
    if (error instanceof CliError && error.code === 'order_not_found') return [];
    throw error;
  }
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
