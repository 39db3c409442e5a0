import { advice, again } from '../../advice/advice.ts';
import type { ApiClient } from '../../api/client.ts';
import { type CancelResult, cancelOrder } from '../../api/operations/cancel.ts';
import { isCancelled, nameOf, type ServiceOrder } from '../../api/responses/order.ts';
import type { Connection } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { textField } from '../../orders/order.ts';
import type { Cancellation } from '../../output/reporter.ts';

/** An order as it was read before anything is cancelled. */
export type Entry = OrderToCancel | CancelledOrder | { state: 'missing'; cancellation: Cancellation };

export interface OrderToCancel {
  state: 'to_cancel';
  order: ServiceOrder;
  externalOrderId: string | undefined;
}

interface CancelledOrder {
  state: 'already_cancelled';
  order: ServiceOrder;
  externalOrderId: string | undefined;
  isInLedger: boolean;
}

interface CancelOptions {
  client: ApiClient;
  ledger: CancelLedger;
  reason: string;
}

/**
 * Cancels one order and records it. Errors: those of `cancelOrder`, and `ledger_not_writable` while nothing was sent;
 * `notRecorded` is that error of an order that was cancelled.
 */
export async function cancelEntry(
  entry: OrderToCancel,
  { client, ledger, reason }: CancelOptions,
): Promise<{ result: CancelResult; notRecorded?: CliError }> {
  const { order } = entry;
  const result = await cancelOrder(client, order, reason);
  if (result.outcome !== 'cancelled' && result.outcome !== 'already_cancelled') return { result };
  try {
    await record(entry, ledger);
    return { result };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { result, notRecorded: toNotRecorded(order, error) };
  }
}

export function record(
  { order, externalOrderId }: OrderToCancel | CancelledOrder,
  ledger: CancelLedger,
): Promise<void> {
  return ledger.add({ orderId: order.id, externalOrderId });
}

function toNotRecorded(order: ServiceOrder, { code, message, details }: CliError): CliError {
  const name = nameOf(order);
  return new CliError(code, `${name} was cancelled, but this could not be recorded. ${message}`, {
    ...details,
    hint: advice`${details.hint ?? ''} Then run the same command again.${again()}`,
  });
}

/** What happened to an order that is cancelled now. */
export function formatCancelled(
  { outcome, order, isCurrent }: Extract<CancelResult, { isCurrent: boolean }>,
  label: Connection['label'],
): string {
  const name = nameOf(order);
  if (outcome === 'already_cancelled') {
    return `The service did not respond properly, but ${name} is cancelled now (${label}).`;
  }
  if (!isCurrent) {
    return `The service accepted the cancellation of ${name}, but the order could not be read again (${label}).`;
  }
  if (isCancelled(order)) return `Cancelled ${name} (${label}).`;
  const status = textField(order.order, 'status') ?? 'unknown';
  return `The service accepted the cancellation of ${name}; its status is ${status} (${label}).`;
}

/** The cancelled orders that this machine knows of. Error of every method: `ledger_not_writable`. */
export interface CancelLedger extends Disposable {
  has(orderId: string): Promise<boolean>;
  /** Resolves when it is on the disk. */
  add(order: { orderId: string; externalOrderId: string | undefined }): Promise<void>;
  /** Checks that something can be added. */
  check(): Promise<void>;
}

/** The ledger is opened when it is first used. */
export function createCancelLedger({ openLedger }: Connection): CancelLedger {
  let opening: Promise<Ledger> | undefined;
  let ledger: Ledger | undefined;
  const open = async () => {
    opening ??= openLedger();
    ledger = await opening;
    return ledger;
  };
  return {
    has: async (orderId) => (await open()).cancellations.has(orderId),
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
