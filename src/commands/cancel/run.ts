import { findOrder } from '../../api/operations/find.ts';
import { isCancelled } from '../../api/responses/order.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { By } from '../../flags.ts';
import { textField } from '../../orders/order.ts';
import { noReference, pickOrder } from '../../pick-order.ts';
import {
  cancelEntry,
  createCancelLedger,
  formatAlreadyCancelled,
  formatCancelled,
  type OrderToCancel,
  record,
} from './cancel-entry.ts';
import { cancelMany, type Target } from './cancel-many.ts';
import { type ConfirmFlags, checkCanConfirm, confirmCancel } from './confirm.ts';
import { type FromFlags, readFrom } from './from-file.ts';

interface CancelOptions extends CancelFlags {
  references: string[];
}

export interface CancelFlags extends By, ConfirmFlags, FromFlags {
  from?: string;
}

export async function runCancel(context: Context, options: CancelOptions): Promise<void> {
  const { references, from, by } = options;
  checkNames(options);
  const isAsked = from === undefined && references.length === 0;
  if (isAsked && context.prompts === undefined) throw noReference();
  await checkCanConfirm(context, options);
  const targets: Target[] =
    from === undefined
      ? references.map((reference) => ({ reference, by }))
      : await readFrom(context, from, options);
  const [target] = targets;
  if (isAsked) return cancelOne(context, undefined, options);
  if (from === undefined && targets.length === 1 && target) await cancelOne(context, target, options);
  else await cancelMany(context, targets, { ...options, isBulk: from !== undefined });
}

/** Asks which order when none was named. The cancelled order is the data; every other outcome is an error. */
async function cancelOne(
  context: Context,
  target: Target | undefined,
  options: CancelOptions,
): Promise<void> {
  await using connection = await context.connect();
  using ledger = createCancelLedger(connection);
  const { client, label } = connection;
  const { reference, by } = target ?? {
    reference: await pickOrder(context, connection, 'to cancel'),
    by: options.by,
  };
  const order = await findOrder(client, reference, { by, triesAllReadings: true });
  const externalOrderId = textField(order.order, 'externalOrderId');
  const entry: OrderToCancel = { state: 'to_cancel', order, externalOrderId };
  if (isCancelled(order)) {
    if (!options.dryRun) await record(entry, ledger);
    context.print.note(cleanCell(formatAlreadyCancelled(order.order, context.clock.now())));
    context.report.order(order.order);
    return;
  }
  const reason = await confirmCancel(context, { label, ledger, entries: [entry] }, options);
  if (reason === undefined) return;
  const { result, notRecorded } = await cancelEntry(entry, { client, ledger, reason });
  if ('error' in result) throw result.error;
  context.print.note(cleanCell(formatCancelled(result, label)));
  context.report.order(result.order.order);
  if (notRecorded !== undefined) throw notRecorded;
}

/** Error: `usage` when it is not clear which orders are meant. */
function checkNames({ references, from, by, ...reading }: CancelOptions): void {
  const fail = (sentence: string, hint: string): never => {
    throw new CliError('usage', sentence, { hint, outcome: 'not_sent' });
  };
  if (from === undefined) {
    const flag = (['run', 'delimiter', 'encoding'] as const).find((name) => reading[name] !== undefined);
    if (flag !== undefined) fail(`--${flag} works only with --from.`, `Remove --${flag}.`);
    return;
  }
  if (references.length > 0) {
    fail('Orders are named both on the command line and by --from.', 'Use one of the two.');
  }
  if (by !== undefined) {
    fail('--by does not work with --from: the name of the column decides.', 'Remove --by.');
  }
}
