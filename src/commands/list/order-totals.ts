import { joinTexts, type Text, t } from '../../advice/advice.ts';
import { idOf, isCancelled } from '../../api/responses/order.ts';
import { createSum, formatAmount } from '../../orders/decimal.ts';
import type { Order } from '../../orders/order.ts';
import { readAmountDue } from '../../orders/shown-values.ts';

/** `toCollect` is of those orders that show it, and `notShown` counts the others. */
export interface OrderTotals {
  orders: number;
  cancelled: number;
  toCollect: string;
  notShown: number;
}

export function createTotals() {
  const toCollect = createSum();
  let [orders, cancelled, notShown] = [0, 0, 0];
  return {
    /** Whether the order is not cancelled. */
    add: (order: Order): boolean => {
      if (isCancelled({ id: idOf(order) ?? '', order })) {
        cancelled += 1;
        return false;
      }
      const due = readAmountDue(order);
      orders += 1;
      if (due === undefined) notShown += 1;
      toCollect.add(due);
      return true;
    },
    value: (): OrderTotals => ({ orders, cancelled, toCollect: toCollect.value() ?? '0', notShown }),
  };
}

/** `20 orders, to collect 500,000 ₮. 2 cancelled orders are left out.` */
export function describeTotals(totals: OrderTotals): Text {
  return joinTexts(totalTexts(totals), ' ');
}

export function totalTexts({ orders, cancelled, toCollect, notShown }: OrderTotals): Text[] {
  return [
    t`${orders} {order|orders}, to collect ${formatAmount(toCollect)}.`,
    ...(notShown === 0 ? [] : [t`${notShown} {order does|orders do} not show how much.`]),
    ...(cancelled === 0 ? [] : [t`${cancelled} cancelled {order is|orders are} left out.`]),
  ];
}
