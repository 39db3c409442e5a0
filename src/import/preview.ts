import { isDecimal, sumDecimals } from '../orders/decimal.ts';
import { formatFieldPath } from '../orders/field-path.ts';
import { orderLines, textField } from '../orders/order.ts';
import type { Plan, PlannedOrder } from './plan.ts';

/** What a plan amounts to, for a person to confirm; `orders` are those that would be sent or are there already. */
export function describePlan(plan: Plan, orders: readonly PlannedOrder[], alreadyCreated: number) {
  const dates = orders.flatMap(({ order }) => textField(order, 'requestedDeliveryDate') ?? []).sort();
  return {
    orders: orders.length,
    lines: orders.reduce((lines, { order }) => lines + orderLines(order).length, 0),
    total: sumOf(orders, 'total'),
    toCollect: sumOf(orders, 'collectionAmount'),
    firstDate: dates.at(0),
    lastDate: dates.at(-1),
    alreadyCreated,
    mapping: plan.mapping.columns.map(({ header, path, isExtra }) => ({
      header,
      path: formatFieldPath(path),
      isExtra,
    })),
    unsent: plan.mapping.unsent,
    firstOrder: orders[0]?.order ?? {},
  };
}

function sumOf(orders: readonly PlannedOrder[], field: string): string | undefined {
  const amounts = orders.flatMap(({ order }) => textField(order, field) ?? []).filter(isDecimal);
  return amounts.length === 0 ? undefined : sumDecimals(amounts);
}
