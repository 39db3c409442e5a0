import { hash } from 'node:crypto';
import { type Order, writeOrderBody } from '../orders/order.ts';

/**
 * An `intent` is an order being sent, by a live run or by one that died; after `unknown`, it may or may not exist.
 * `not_found`: it was sent, and a complete lookup proved later that it does not exist.
 */
type OrderState = 'intent' | 'created' | 'rejected' | 'unknown' | 'not_found';

/** What names an order in the service. */
export interface EntryIds {
  orderId: string | null;
  orderNumber: string | null;
  idempotencyKey: string | null;
}

/** What this machine knows of one order. Times are milliseconds since the epoch. */
export interface LedgerEntry extends EntryIds {
  externalOrderId: string;
  bodyHash: string;
  idempotencyKey: string;
  /** Part of the idempotency key: 0 at first, higher after a rejection and for an order that is recreated. */
  generation: number;
  state: OrderState;
  /** The service's code of a rejection, or `notCompared`. */
  code: string | null;
  /** The run of the first attempt, or the one that created the order after a lookup had not found it; empty when the order existed before. */
  run: string;
  lastRun: string;
  /** The last attempt that the service may have processed. */
  unknownAt: number | null;
  /** The first time that the service reported a duplicate which the lookup did not find. */
  first409At: number | null;
}

/** The code of an order that was found by its external order ID while an attempt was open, with any content. */
export const notCompared = 'not_compared';

/** Without those that are not known. */
export function statedIds({ orderId, orderNumber, idempotencyKey }: EntryIds) {
  return {
    ...(orderId === null ? {} : { orderId }),
    ...(orderNumber === null ? {} : { orderNumber }),
    ...(idempotencyKey ? { idempotencyKey } : {}),
  };
}

/** The order was sent, and its outcome is not known. */
export function isOpen({ state }: Pick<LedgerEntry, 'state'>): boolean {
  return state === 'intent' || state === 'unknown';
}

export function hashBody(body: string): string {
  return hash('sha256', body).slice(0, 32);
}

export function hashOrder(order: Order): string {
  return hashBody(writeOrderBody(order));
}
