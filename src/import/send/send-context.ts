import type { ApiClient } from '../../api/client.ts';
import type { OrderFinder } from '../../api/pages/order-finder.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Order } from '../../orders/order.ts';
import type { PlannedOrder } from '../orders/plan-order.ts';
import type { KnownOrders } from './known-orders.ts';

/** An order of a file: `row` is its first row, 0 without a file. */
export interface OrderInFile {
  externalOrderId: string;
  row: number;
}

export interface OrderToSend extends OrderInFile {
  order: Order;
}

export function toSend({ externalOrderId, order, rows }: PlannedOrder): OrderToSend {
  return { externalOrderId, order, row: rows[0]?.row ?? 0 };
}

/** What a run sends orders with; all of its orders share one. */
export interface SendContext extends RecallContext {
  client: ApiClient;
  finder: OrderFinder;
  /** The id of the run. */
  run: string;
  /** An `Idempotency-Key` given by the user, sent instead of the one made from the order. */
  key?: string;
}

/** The part of it that answers from the ledger alone. */
export interface RecallContext {
  ledger: Ledger;
  known: KnownOrders;
  /** Whether a cancelled order may be created again. */
  recreatesCancelled: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
}
