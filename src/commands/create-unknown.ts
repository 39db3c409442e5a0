import type { ApiClient } from '../api/client.ts';
import { listPage } from '../api/list-orders.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { member } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';

const mostShown = 10;

/** Tells a person which orders this customer has had since yesterday: one of them may be the one that was sent. */
export async function showOrdersOfCustomer(
  { print, clock }: Context,
  client: ApiClient,
  order: Order,
): Promise<void> {
  const phone = textField(member(order, 'customer'), 'phone');
  if (phone === undefined) return;
  try {
    const { orders } = await listPage(client, { customerPhone: phone, createdFrom: clock.today(1) });
    const lines = orders.slice(0, mostShown).map(describe);
    const title = lines.length === 0 ? 'The service shows no order' : 'Orders';
    print.note(
      [`${title} of ${phone} since yesterday${lines.length === 0 ? '.' : ':'}`, ...lines].join('\n'),
    );
  } catch (error) {
    // It is only for a person to look at; that the outcome is unknown is told in any case.
    if (!(error instanceof CliError)) throw error;
  }
}

function describe(order: Order): string {
  const parts = ['orderNumber', 'id', 'status', 'total'].map((field) => textField(order, field));
  return `  ${parts.filter((part) => part !== undefined).join('  ')}`;
}
