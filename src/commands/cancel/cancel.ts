import type { Command } from 'commander';
import { maxConcurrency } from '../../api/pacing/concurrency.ts';
import { cancelRequest } from '../../api/requests.ts';
import type { Context, OpenContext } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { type By, byOption, delimiterOption, encodingOption, parseNames } from '../../flags.ts';
import { formatCommandLine } from '../../output/error-text.ts';
import { type FromFlags, readFrom } from './from-file.ts';
import { createCancelProgress } from './progress.ts';
import { createCancelLedger, readTargets, type Target } from './read-targets.ts';
import { ordersToCancel, reportAll, reportOne, showEntries, toCancellations } from './report.ts';
import { cancelAll } from './send.ts';

interface CancelFlags extends By, ConfirmFlags, FromFlags {
  from?: string;
}

interface CancelOptions extends CancelFlags {
  references: string[];
}

const examples = `
Each order is read and shown before you are asked; a cancelled order does not come back.

--from takes the orders from the first of these columns that a CSV has: order_id, order_number, orderNumber,
external_order_id, externalOrderId, id. Of the results file of an import it takes only what that import created, so
this undoes an import. Run the same command again after a stop: nothing is cancelled twice.

Examples:
  $ merchant-orders cancel ORD-2026-000123 --reason "the customer changed her mind"
  $ merchant-orders cancel UB-10001 UB-10002 --reason "out of stock" --yes
  $ merchant-orders cancel --from orders.results.csv --reason "imported by mistake"`;

export function registerCancel(command: Command, open: OpenContext): void {
  command
    .argument('[order...]', 'order numbers, your own order ids, or UUIDs')
    .option('--reason <text>', 'why; the service keeps it')
    .option(
      '--from <file>',
      'a CSV that names the orders, such as the results of an import; - is standard input',
    )
    .option('--run <ids>', 'of the results of several imports: only what these runs created', parseNames)
    .addOption(delimiterOption())
    .addOption(encodingOption())
    .addOption(byOption())
    .option('-n, --dry-run', 'show the requests and cancel nothing')
    .addHelpText('after', examples)
    .action(async (references: string[], flags: CancelFlags) =>
      runCancel(await open(command), { ...flags, references }),
    );
}

export async function runCancel(context: Context, options: CancelOptions): Promise<void> {
  checkNames(options);
  checkCanConfirm(context, options);
  const targets = await targetsOf(context, options);
  const isFile = options.from !== undefined;
  const progress = isFile ? createCancelProgress(context) : undefined;
  const stopped = new AbortController();
  const onStop = () => stopped.abort();
  await using connection = await context.connect(
    progress && {
      sitsOutOutages: true,
      limits: { concurrency: 'auto' },
      stopping: AbortSignal.any([context.interruption.stopping, stopped.signal]),
      onPause: progress.pause,
    },
  );
  using ledger = createCancelLedger(connection);
  const parts = {
    ...{ client: connection.client, ledger, skipsCancelled: isFile },
    atOnce: isFile ? maxConcurrency : 1,
    onStop,
  };
  const during = progress?.during ?? ((_total, work) => work(() => undefined));
  const entries = await during(targets.length, (see) =>
    readTargets(targets, { ...parts, onRead: () => see('read') }),
  );
  const found = ordersToCancel(entries);
  if (!options.dryRun && found.length > 0) await ledger.check();
  showEntries(context, entries);
  const reason = found.length === 0 ? '' : await askReason(context, options.reason);
  if (options.dryRun) {
    const requests = found.map(({ id }) => context.describe(cancelRequest(id, reason)));
    context.report.requests(await Promise.all(requests));
    return;
  }
  await confirmCancel(context, connection.label, found.length);
  const { stopping } = context.interruption;
  const { results, stoppedBy } = await during(entries.length, (see) =>
    cancelAll(entries, { ...parts, reason, stopping, onResult: ({ outcome }) => see(outcome) }),
  );
  const isOne = !isFile && targets.length === 1;
  if (isOne) reportOne(context, connection.label, results[0], stoppedBy);
  else reportAll(context, connection.label, toCancellations(entries, results), stoppedBy);
}

async function targetsOf(context: Context, options: CancelOptions): Promise<Target[]> {
  if (options.from !== undefined) return readFrom(context, options.from, options);
  return options.references.map((reference) => ({ reference, by: options.by }));
}

/** Error: `usage` when it is not clear where the orders are named. */
function checkNames({ references, from, by, ...reading }: CancelOptions): void {
  const refuse = (sentence: string, hint: string): never => {
    throw new CliError('usage', sentence, { hint, outcome: 'not_sent' });
  };
  if (from === undefined) {
    if (references.length === 0) {
      refuse(
        'Which order is to be cancelled?',
        'Run: merchant-orders cancel ORDER, or cancel --from FILE.csv',
      );
    }
    const flag = (['run', 'delimiter', 'encoding'] as const).find((name) => reading[name] !== undefined);
    if (flag !== undefined)
      refuse(`--${flag} is about the file of --from, and there is none.`, 'Leave it out.');
    return;
  }
  if (references.length > 0) {
    refuse('The orders are named by --from and one by one.', 'Leave one of the two out.');
  }
  if (by !== undefined)
    refuse('--by is not for --from: the column says what names an order.', 'Leave --by out.');
}

export interface ConfirmFlags {
  reason?: string;
  dryRun?: boolean;
}

/** What can be known to be missing before the service is asked for anything. */
export function checkCanConfirm(
  { settings, prompts, system }: Context,
  { dryRun, reason }: ConfirmFlags,
): void {
  if (reason?.trim() === '') {
    throw new CliError('usage', 'The reason is blank.', { hint: 'Say why: --reason "out of stock"' });
  }
  if (prompts || (reason !== undefined && (settings.yes || dryRun))) return;
  const missing = [
    ...(reason === undefined ? [['--reason', 'TEXT']] : []),
    ...(settings.yes || dryRun ? [] : [['--yes']]),
  ];
  const names = missing.map((words) => words.join(' ')).join(' and ');
  const sentence = `Nobody is there to ask, and ${names} ${missing.length > 1 ? 'are' : 'is'} missing.`;
  throw new CliError('confirmation_required', sentence, {
    hint: `Nothing was sent. Run: ${formatCommandLine([...system.args, ...missing.flat()])}`,
    outcome: 'not_sent',
  });
}

export async function askReason({ prompts }: Context, given: string | undefined): Promise<string> {
  if (given !== undefined || !prompts) return (given ?? '').trim();
  return prompts.text({ message: 'Reason', check: (answer) => (answer === '' ? 'Say why.' : undefined) });
}

/** Error: `not_confirmed`. */
export async function confirmCancel(
  { settings, prompts }: Context,
  label: string,
  count: number,
): Promise<void> {
  if (count === 0 || settings.yes || !prompts) return;
  const what = count === 1 ? 'this order' : `these ${count} orders`;
  if (await prompts.confirm(`${label}: cancel ${what}?`)) return;
  throw new CliError('not_confirmed', 'Nothing was cancelled.', { outcome: 'not_sent' });
}
