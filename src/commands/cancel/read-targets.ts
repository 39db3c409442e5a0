import type { ApiClient } from '../../api/client.ts';
import { isCancelled } from '../../api/operations/cancel.ts';
import { findOrder } from '../../api/operations/find.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import type { Connection } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { NamedOrder } from '../../import/results/named-orders.ts';
import { workThrough } from '../../import/send/work-through.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { textField } from '../../orders/order.ts';
import type { ReferenceKind } from '../../orders/order-reference.ts';
import type { Cancellation } from '../../output/reporter.ts';

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

/** The cancelled orders that this machine knows of. Error of every method: `ledger_not_writable`. */
export interface CancelLedger extends Disposable {
  knows(orderId: string): Promise<boolean>;
  /** Resolved when it is on the disk. */
  add(order: { orderId: string; externalOrderId: string | undefined }): Promise<void>;
  /** Finds out whether anything can be added. */
  check(): Promise<void>;
}

/** The ledger is opened when it is needed first. */
export function createCancelLedger({ openLedger }: Connection): CancelLedger {
  let opening: Promise<Ledger> | undefined;
  let ledger: Ledger | undefined;
  const open = async () => {
    opening ??= openLedger();
    ledger = await opening;
    return ledger;
  };
  return {
    knows: async (orderId) => (await open()).cancellations.has(orderId),
    add: async (order) => {
      const { transaction, sync, cancellations } = await open();
      await transaction(() => {
        cancellations.add(order);
        sync();
      });
    },
    check: async () => {
      const { transaction, sync } = await open();
      await transaction(sync);
    },
    [Symbol.dispose]: () => ledger?.close(),
  };
}
