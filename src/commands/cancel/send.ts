import type { ApiClient } from '../../api/client.ts';
import { type CancelResult, cancelOrder, isCancelled } from '../../api/operations/cancel.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import { CliError } from '../../errors.ts';
import { workThrough } from '../../import/send/work-through.ts';
import { textField } from '../../orders/order.ts';
import type { CancelLedger, Entry } from './read-targets.ts';
/** What became of one order that was found. */
export type Result = CancelResult | { outcome: 'not_sent'; order: ServiceOrder };

export interface SendOptions {
  client: ApiClient;
  ledger: CancelLedger;
  reason: string;
  atOnce: number;
  /** Another run of the same may cancel some of them in the meantime. */
  skipsCancelled: boolean;
  /** Aborted: begin no other order. */
  stopping: AbortSignal;
  /** Told when no other order is to be begun; those that wait to leave are not to wait any longer. */
  onStop?(): void;
  onResult?(result: Result): void;
}

export interface Sent {
  /** By the place of the order; none for one that is missing. */
  results: (Result | undefined)[];
  stoppedBy: CliError | undefined;
}

/** Cancels what is to be cancelled, and writes each into the ledger; what would fail for every order ends it, and the rest is not sent. */
export async function cancelAll(entries: readonly Entry[], options: SendOptions): Promise<Sent> {
  const { client, ledger, reason, stopping } = options;
  const results: (Result | undefined)[] = [];
  let stoppedBy: CliError | undefined;
  const stop = (error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    stoppedBy ??= stopping.aborted && error.code === 'unreachable' ? interrupted() : error;
    options.onStop?.();
  };
  const record = ({ order, externalOrderId }: Exclude<Entry, { state: 'missing' }>) =>
    ledger.add({ orderId: order.id, externalOrderId });

  const cancel = async (entry: Extract<Entry, { state: 'to_cancel' }>): Promise<Result> => {
    const { order } = entry;
    if (stoppedBy !== undefined) return { outcome: 'not_sent', order };
    let result: Result;
    try {
      if (options.skipsCancelled && (await ledger.knows(order.id))) return cancelledBefore(order);
      if (isCancelled(order)) await record(entry);
      result = await cancelOrder(client, order, reason);
    } catch (error) {
      stop(error);
      return { outcome: 'not_sent', order };
    }
    if (isDone(result)) await record(entry).catch((error) => stop(notRecorded(order, error)));
    return result;
  };

  await workThrough(entries.entries(), options.atOnce, async ([place, entry]) => {
    if (entry.state === 'missing') return;
    if (entry.state === 'to_cancel') results[place] = await cancel(entry);
    else {
      if (!entry.isInLedger) await record(entry).catch(stop);
      results[place] = cancelledBefore(entry.order);
    }
    options.onResult?.(results[place] as Result);
  });
  return { results, stoppedBy };
}

function isDone({ outcome }: Result): boolean {
  return outcome === 'cancelled' || outcome === 'already_cancelled';
}

function cancelledBefore(order: ServiceOrder): Result {
  return { outcome: 'already_cancelled', order, isCurrent: true };
}

function interrupted(): CliError {
  return new CliError('interrupted', 'Stopped before every order was cancelled.', {
    hint: 'The list says which were; run the same command again for the rest.',
  });
}

function notRecorded({ id, order }: ServiceOrder, error: unknown): unknown {
  if (!(error instanceof CliError)) return error;
  const name = textField(order, 'orderNumber') ?? id;
  const { hint = '' } = error.details;
  return new CliError(
    error.code,
    `${name} was cancelled, but that could not be noted; no other was begun. ${error.message}`,
    {
      ...error.details,
      hint: `${hint} Then run the same command again.`,
    },
  );
}
