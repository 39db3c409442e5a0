import { createSum } from '../orders/decimal.ts';
import { jsonText, member } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import { createStyle } from './colour.ts';
import { formatAmount } from './money.ts';
import { formatOrderToCancel } from './order-preview.ts';
import { formatRecord } from './record.ts';

const mostShown = 20;
const mostStatuses = 8;

/** What a person must see before orders are cancelled: the first of them, and what all of them come to. */
export function formatOrdersToCancel(orders: readonly Order[]): string {
  const more = orders.length - mostShown;
  return [
    ...orders.slice(0, mostShown).map((order) => `${formatOrderToCancel(order)}\n`),
    ...(more > 0 ? [`... and ${more} more\n`] : []),
    ...(orders.length > 1 ? [`${formatSums(orders)}\n`] : []),
  ].join('\n');
}

function formatSums(orders: readonly Order[]): string {
  const [total, toCollect] = [createSum(), createSum()];
  const statuses = new Map<string, number>();
  for (const order of orders) {
    total.add(textField(order, 'total'));
    if (textField(order, 'collectionMode') !== 'NONE') toCollect.add(textField(order, 'collectionAmount'));
    const status = jsonText(member(order, 'status') ?? 'none');
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const counts = [...statuses].map(([status, count]) => `${status} ${count}`);
  const fields = [
    { path: 'orders', text: String(orders.length) },
    { path: 'total', text: amount(total.value()) },
    { path: 'to collect', text: amount(toCollect.value()) },
    {
      path: 'by status',
      text: [...counts.slice(0, mostStatuses), ...(counts.length > mostStatuses ? ['...'] : [])].join(', '),
    },
  ];
  return formatRecord(
    fields.filter(({ text }) => text !== ''),
    createStyle(false),
  );
}

function amount(decimal: string | undefined): string {
  return decimal === undefined ? '' : formatAmount(decimal);
}
