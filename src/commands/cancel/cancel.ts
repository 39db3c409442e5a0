import type { Command } from 'commander';
import { findOrder } from '../../api/operations/find.ts';
import { isCancelled } from '../../api/responses/order.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context, OpenContext } from '../../context.ts';
import { CliError } from '../../errors.ts';
import {
  type By,
  byOption,
  collectReference,
  delimiterOption,
  encodingOption,
  explain,
  parseNames,
} from '../../flags.ts';
import { textField } from '../../orders/order.ts';
import { formatAlreadyCancelled } from '../../output/order-list.ts';
import { noReference, pickOrder } from '../../pick-order.ts';
import {
  cancelEntry,
  createCancelLedger,
  formatCancelled,
  type OrderToCancel,
  record,
} from './cancel-entry.ts';
import { cancelMany, type Target } from './cancel-many.ts';
import { type ConfirmFlags, checkCanConfirm, confirmCancel } from './confirm.ts';
import { type FromFlags, readFrom } from './from-file.ts';

interface CancelFlags extends By, ConfirmFlags, FromFlags {
  from?: string;
}

interface CancelOptions extends CancelFlags {
  references: string[];
}

const examples = `
Examples:
  $ merchant-orders cancel ORD-2026-000123 --reason "customer changed her mind"
  $ merchant-orders cancel UB-10001 UB-10002 --reason "out of stock" --yes
  $ merchant-orders cancel --from orders.results.csv --reason "wrong file"

The orders are shown before you are asked to confirm. A cancelled order cannot be restored.

--from takes the orders from the first of these columns that the CSV has: order_id, order_number, orderNumber,
external_order_id, externalOrderId, id. From the results file of an import it takes only the orders that the import
created, so it undoes the import. After a stop, run the same command again: no order is cancelled twice.`;

export function registerCancel(command: Command, open: OpenContext): void {
  explain(command, examples)
    .argument('[order...]', 'order numbers, external order IDs or UUIDs', collectReference)
    .option('--reason <text>', 'why the orders are cancelled; the service stores it')
    .option(
      '--from <file>',
      'cancel the orders of a CSV, such as the results file of an import; - is standard input',
    )
    .option('--run <ids>', 'with --from: only the orders that these runs of the import created', parseNames)
    .addOption(delimiterOption())
    .addOption(encodingOption())
    .addOption(byOption())
    .option('-n, --dry-run', 'show the requests and cancel nothing')
    .action(async (references: string[], flags: CancelFlags) =>
      runCancel(await open(command), { ...flags, references }),
    );
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
