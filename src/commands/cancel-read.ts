import { isCancelled } from '../api/cancel-order.ts';
import type { ApiClient } from '../api/client.ts';
import { findOrder } from '../api/find-order.ts';
import type { ServiceOrder } from '../api/read-order.ts';
import { CliError } from '../errors.ts';
import type { NamedOrder } from '../import/named-orders.ts';
import { workThrough } from '../import/work-through.ts';
import { textField } from '../orders/order.ts';
import type { ReferenceKind } from '../orders/order-reference.ts';
import type { Cancellation } from '../output/reporter.ts';
import type { CancelLedger } from './cancel-ledger.ts';

/** An order as somebody calls it. */
export interface Target {
  reference: string;
  by: ReferenceKind | undefined;
  /** What else it is called. */
  names?: NamedOrder['names'];
}

/** What is known of an order before anything is cancelled. */
export type Entry =
  | { state: 'to_cancel'; order: ServiceOrder; externalOrderId: string | undefined }
  | {
      state: 'cancelled_before';
      order: ServiceOrder;
      externalOrderId: string | undefined;
      isInLedger: boolean;
    }
  | { state: 'missing'; cancellation: Cancellation };

export interface ReadOptions {
  client: ApiClient;
  ledger: CancelLedger;
  atOnce: number;
  /** Those that are cancelled already are left alone. */
  skipsCancelled: boolean;
  onRead?(): void;
  /** Told when one could not be read, so that none of the others is wanted. */
  onStop?(): void;
}

/**
 * Reads every order before any is cancelled, and each once however often it is named. Errors: those of a read;
 * `order_not_found` only for one that is asked for alone.
 */
export async function readTargets(targets: readonly Target[], options: ReadOptions): Promise<Entry[]> {
  const entries: Entry[] = [];
  await workThrough(targets.entries(), options.atOnce, async ([place, target]) => {
    try {
      entries[place] = await readTarget(target, options, !options.skipsCancelled && targets.length === 1);
    } catch (error) {
      options.onStop?.();
      throw error;
    }
    options.onRead?.();
  });
  const seen = new Set<string>();
  return entries.filter((entry) => {
    if (entry.state === 'missing') return true;
    const isNew = !seen.has(entry.order.id);
    seen.add(entry.order.id);
    return isNew;
  });
}

async function readTarget(
  { reference, by, names = {} }: Target,
  { client, ledger, skipsCancelled }: ReadOptions,
  mustBeThere: boolean,
): Promise<Entry> {
  const known = (order: ServiceOrder): Entry => {
    const externalOrderId = textField(order.order, 'externalOrderId') ?? names.externalOrderId;
    return { state: 'cancelled_before', order, externalOrderId, isInLedger: true };
  };
  if (skipsCancelled && by === 'id' && (await ledger.knows(reference))) {
    return known({ id: reference, order: { ...names } });
  }
  try {
    const order = await findOrder(client, reference, by);
    if (skipsCancelled && (await ledger.knows(order.id))) return known(order);
    const externalOrderId = textField(order.order, 'externalOrderId') ?? names.externalOrderId;
    const isSkipped = skipsCancelled && isCancelled(order);
    if (isSkipped) return { state: 'cancelled_before', order, externalOrderId, isInLedger: false };
    return { state: 'to_cancel', order, externalOrderId };
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'order_not_found' || mustBeThere) throw error;
    const { code, message } = error;
    const order = { reference, ...names };
    return { state: 'missing', cancellation: { order, outcome: 'not_found', code, message } };
  }
}
