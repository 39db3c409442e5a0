import { type Text, t } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';

import { phoneOf } from '../../orders/order.ts';
import { isSamePhone, mayBePhone } from '../../orders/phone.ts';
import type { ApiClient } from '../client.ts';
import { pageSize } from '../pages/list-orders.ts';
import { walkPages } from '../pages/walk-pages.ts';
import { createdAt, idOf, type ServiceOrder } from '../responses/order.ts';

const maxPagesOfPhone = 10;

/**
 * The newest first, where the service says when they were created. `caveat`: why these may not be exactly the orders of the
 * phone. Errors: those of a list; `search_incomplete` if none was found, but there may be one.
 */
export async function listOfPhone(
  client: ApiClient,
  phone: string,
): Promise<{ orders: ServiceOrder[]; caveat: Text | undefined }> {
  const orders: ServiceOrder[] = [];
  let listed = 0;
  let hidden: Text | undefined;
  let unread: Text | undefined;
  const customerPhone = phone.replace(/[ ()-]/g, '');
  for await (const page of walkPages(
    client,
    { customerPhone, pageSize: String(pageSize) },
    0,
    maxPagesOfPhone,
  )) {
    listed += page.orders.length;
    for (const order of page.orders) {
      const shown = phoneOf(order);
      const id = idOf(order);
      if (id === undefined || !mayBePhone(phone, shown)) continue;
      orders.push({ id, order });
      if (shown === undefined || !isSamePhone(phone, shown))
        hidden = t`The service does not show all phones, so some orders may be of other customers.`;
    }
    unread = page.caveat;
  }
  // Some services filter the list, but count all orders.
  if (unread !== undefined && listed > 0 && orders.length === 0) {
    throw new CliError('search_incomplete', t`There may be orders for the phone ${phone}. ${unread}`, {
      hint: t`Look the order up by its number or your own order ID.`,
    });
  }
  const timeOf = ({ order }: ServiceOrder) => createdAt(order) ?? 0;
  return {
    orders: orders.sort((one, other) => timeOf(other) - timeOf(one)),
    caveat: orders.length === 0 ? undefined : (hidden ?? unread),
  };
}
