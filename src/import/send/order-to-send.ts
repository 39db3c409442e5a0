import type { Order } from '../../orders/order.ts';
import type { PlannedOrder } from '../orders/plan-order.ts';

/** One order on its way: `row` is the first row of it in its file, 0 when it is of none. */
export interface OrderToSend {
  externalOrderId: string;
  order: Order;
  row: number;
}

export function toSend({ externalOrderId, order, rows }: PlannedOrder): OrderToSend {
  return { externalOrderId, order, row: rows[0]?.row ?? 0 };
}
