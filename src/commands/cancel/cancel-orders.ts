import { again, type Text, t } from '../../advice/advice.ts';
import { type CancelResult, cancelOrder } from '../../api/operations/cancel.ts';
import { findOrder } from '../../api/operations/find.ts';
import { maxConcurrency } from '../../api/pacing/limiter.ts';
import { isCancelled, nameOf, type ServiceOrder } from '../../api/responses/order.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { NamedOrder } from '../../import/results/named-orders.ts';
import { forEachConcurrent } from '../../import/send/for-each-concurrent.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { textField } from '../../orders/order.ts';
import type { ChosenKind } from '../../orders/order-reference.ts';
import type { findOtherwise } from '../../pick-order.ts';

export const maxListed = 20;

export function usage(sentence: Text, hint: Text): CliError {
  return new CliError('usage', sentence, { hint });
}

/** `names`: other identifiers from a file. */
export interface OrderName {
  reference: string;
  by: ChosenKind | undefined;
  names?: NamedOrder['names'];
}

export interface FoundOrder {
  /** If it was not found: as the user named it. */
  order: ServiceOrder;
  externalOrderId: string | undefined;
  isCancelled: boolean;
  /** Its cancellation is in the ledger. */
  isRecorded: boolean;
  /** No order carries what the user typed. */
  isReading?: boolean;
  notFound?: CliError;
}

export type Result = CancelResult | { outcome: 'not_sent'; order: ServiceOrder };

export interface CancelRun {
  status: Context['status'];
  client: Connection['client'];
  ledger: ReturnType<typeof createCancelLedger>;
  /** The outcome of the one order is that of the command. */
  isOne: boolean;
  /** Orders of a file: shows progress, sends several at once, and waits for outages. */
  isBulk: boolean;
  findOtherwise(name: OrderName, missing?: CliError): ReturnType<typeof findOtherwise>;
  /** Aborted when no more orders will be sent, to end waits. */
  stopped: AbortController;
}

/** Removes repeated orders. Errors: those of a read; `order_not_found` for a single order. */
export async function findOrders(run: CancelRun, named: readonly OrderName[]): Promise<FoundOrder[]> {
  const found: FoundOrder[] = [];
  await forEachOrder(run, named, async (name, index) => {
    found[index] = await findNamed(run, name);
    return 'read';
  });
  const ids = new Set<string>();
  return found.filter(({ order, notFound }) => {
    if (notFound !== undefined) return true;
    const isNew = !ids.has(order.id);
    ids.add(order.id);
    return isNew;
  });
}

async function findNamed(run: CancelRun, name: OrderName): Promise<FoundOrder> {
  const { reference, by, names = {} } = name;
  const { client, ledger, isOne, isBulk } = run;
  const toFound = (order: ServiceOrder, isRecorded: boolean): FoundOrder => ({
    order,
    externalOrderId: textField(order.order, 'externalOrderId') ?? names.externalOrderId,
    isCancelled: isRecorded || isCancelled(order),
    isRecorded,
  });
  if (isBulk && by === 'id' && (await ledger.has(reference))) {
    return toFound({ id: reference, order: { ...names } }, true);
  }
  const find = async () => {
    if (by === 'phone') return run.findOtherwise(name);
    try {
      const order = await findOrder(client.forOneOrder(), reference, { by, triesAllReadings: true });
      return { order, isReading: false };
    } catch (error) {
      if (isBulk || !(error instanceof CliError) || error.code !== 'order_not_found') throw error;
      return run.findOtherwise(name, error);
    }
  };
  try {
    const { order, isReading } = await find();
    return { ...toFound(order, isBulk && (await ledger.has(order.id))), isReading };
  } catch (error) {
    if (isOne || !(error instanceof CliError) || error.code !== 'order_not_found') throw error;
    const order = { id: reference, order: { reference, ...names } };
    return { ...toFound(order, false), notFound: new CliError(error.code, error.sentence) };
  }
}

/** Cancels and records, in the order of the references. Stops at an error that would affect every order. */
export async function cancelOrders(run: CancelRun, found: readonly FoundOrder[], reason: string) {
  const { client, ledger, isBulk, stopped } = run;
  const results: Result[] = [];
  let stoppedBy: CliError | undefined;
  const stop = (error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    stoppedBy ??= error;
    stopped.abort();
  };
  const cancel = async (each: FoundOrder): Promise<Result> => {
    const { order, notFound, isRecorded } = each;
    const alreadyCancelled: Result = { outcome: 'already_cancelled', order, isCurrent: true };
    if (notFound !== undefined) return { outcome: 'not_found', order, error: notFound };
    if (each.isCancelled) {
      if (!isRecorded) await ledger.add(each).catch(stop);
      return alreadyCancelled;
    }
    if (stoppedBy !== undefined) return { outcome: 'not_sent', order };
    try {
      // Another run may have cancelled it since it was read.
      if (isBulk && (await ledger.has(order.id))) return alreadyCancelled;
      const result = await cancelOrder(client.forOneOrder(), order, reason);
      if ('stop' in result) stop(result.stop);
      const { outcome } = result;
      const isDone = outcome === 'cancelled' || outcome === 'already_cancelled';
      if (isDone || outcome === 'cancel_pending')
        await ledger.add(each, isDone).catch((error) => stop(toNotRecorded(order, error)));
      return result;
    } catch (error) {
      stop(error);
      return { outcome: 'not_sent', order };
    }
  };
  await forEachOrder(run, found, async (each, index) => {
    const result = await cancel(each);
    results[index] = result;
    return result.outcome;
  });
  return { results, stoppedBy };
}

async function forEachOrder<Item>(
  { status, isBulk, stopped }: CancelRun,
  items: readonly Item[],
  act: (item: Item, index: number) => Promise<string>,
): Promise<void> {
  const progress = isBulk ? status.startProgress(items.length) : undefined;
  const counts: Record<string, number> = {};
  try {
    await forEachConcurrent(items.entries(), isBulk ? maxConcurrency : 1, async ([index, item]) => {
      const what = await act(item, index);
      counts[what] = (counts[what] ?? 0) + 1;
      progress?.update(counts);
    });
  } catch (error) {
    stopped.abort();
    throw error;
  } finally {
    progress?.stop();
  }
}

function toNotRecorded(order: ServiceOrder, error: unknown): unknown {
  if (!(error instanceof CliError)) return error;
  const { code, sentence, details } = error;
  return new CliError(code, t`${nameOf(order)} was cancelled, but this could not be recorded. ${sentence}`, {
    ...details,
    hint: t`${details.hint ?? ''} Then run the same command again.${again()}`,
  });
}

/** Error of every method: `ledger_not_writable`. */
export function createCancelLedger({ openLedger }: Connection) {
  let opened: Promise<Ledger> | undefined;
  const open = () => {
    opened ??= openLedger();
    return opened;
  };
  return {
    has: async (orderId: string) => (await open()).cancellations.has(orderId),
    /** Resolves once it is on disk. */
    add: async ({ order, externalOrderId }: FoundOrder, isDone?: boolean) => {
      const { transaction, sync, cancellations } = await open();
      await transaction(() => {
        cancellations.add({ orderId: order.id, externalOrderId }, isDone);
        sync();
      });
    },
    check: async () => {
      const { transaction, sync } = await open();
      await transaction(sync);
    },
    [Symbol.asyncDispose]: async () => (await opened?.catch(() => undefined))?.close(),
  };
}
