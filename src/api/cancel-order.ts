import { CliError } from '../errors.ts';
import { textField } from '../orders/order.ts';
import type { ApiClient } from './client.ts';
import { isErrorBody } from './error-body.ts';
import { getOrder } from './get-order.ts';
import { readOrder, type ServiceOrder } from './read-order.ts';
import { toCliError } from './refusal.ts';
import { cancelRequest } from './requests.ts';

/** How a cancellation ended; `order` is the order as it is now, as far as it could be read. */
export type CancelResult =
  | { outcome: 'cancelled' | 'already_cancelled'; order: ServiceOrder }
  | { outcome: 'refused' | 'unknown'; order: ServiceOrder; error: CliError };

/**
 * Cancels an order that was read before (interface section 4.4). An attempt without an answer is never assumed
 * to have failed: the order is read again, and what it says then is reported.
 * Errors that end a run are thrown: `key_refused`, `permission_missing`, `wrong_base_url`, `unreachable`.
 */
export async function cancelOrder(
  client: ApiClient,
  order: ServiceOrder,
  reason: string,
): Promise<CancelResult> {
  const request = cancelRequest(order.id, reason);
  const ending = await client.call('cancel', request, {
    accepts: ({ body }) => readOrder(body) !== undefined || !isErrorBody(body),
    resendsUnknown: false,
  });
  switch (ending.outcome) {
    case 'answered': {
      const answered = ending.observation.kind === 'answer' ? readOrder(ending.observation.body) : undefined;
      return {
        outcome: 'cancelled',
        order: answered?.id === order.id ? answered : await readAgain(client, order),
      };
    }
    case 'refused':
      return { outcome: 'refused', order, error: toCliError('cancel', ending) };
    case 'unknown': {
      const now = await readAgain(client, order);
      if (isCancelled(now)) return { outcome: 'already_cancelled', order: now };
      return { outcome: 'unknown', order: now, error: unknownCancellation(order) };
    }
    default:
      throw toCliError('cancel', ending);
  }
}

/** The one thing this tool assumes about statuses: `CANCELLED` or `CANCELED`, in any case. */
export function isCancelled({ order }: ServiceOrder): boolean {
  return /^cancell?ed$/i.test(textField(order, 'status') ?? '');
}

async function readAgain(client: ApiClient, before: ServiceOrder): Promise<ServiceOrder> {
  try {
    return await getOrder(client, before.id);
  } catch {
    return before;
  }
}

function unknownCancellation({ id, order }: ServiceOrder): CliError {
  const name = textField(order, 'orderNumber') ?? id;
  return new CliError(
    'outcome_unknown',
    `Nobody can say whether order ${name} was cancelled: no answer came.`,
    {
      hint: `Look at it with: merchant-orders get ${name}; if it is not cancelled, run the same command again.`,
      outcome: 'unknown',
    },
  );
}
