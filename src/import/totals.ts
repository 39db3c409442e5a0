import { createSum } from '../orders/decimal.ts';
import { type Order, orderLines, textField } from '../orders/order.ts';

/** What orders amount to, for a person to confirm. */
export interface Totals {
  orders: number;
  lines: number;
  /** Decimal strings; undefined when no order says. */
  total: string | undefined;
  toCollect: string | undefined;
  firstDate: string | undefined;
  lastDate: string | undefined;
  firstOrder: Order;
}

export function createTotals() {
  const total = createSum();
  const toCollect = createSum();
  let firstOrder: Order | undefined;
  let orders = 0;
  let lines = 0;
  let firstDate: string | undefined;
  let lastDate: string | undefined;
  return {
    add: (order: Order) => {
      firstOrder ??= order;
      orders += 1;
      lines += orderLines(order).length;
      total.add(textField(order, 'total'));
      toCollect.add(textField(order, 'collectionAmount'));
      const date = textField(order, 'requestedDeliveryDate');
      if (date === undefined) return;
      if (firstDate === undefined || date < firstDate) firstDate = date;
      if (lastDate === undefined || date > lastDate) lastDate = date;
    },
    value: (): Totals => ({
      ...{ orders, lines, total: total.value(), toCollect: toCollect.value() },
      ...{ firstDate, lastDate, firstOrder: firstOrder ?? {} },
    }),
  };
}
