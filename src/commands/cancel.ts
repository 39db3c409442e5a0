import type { Command } from 'commander';
import { cancelOrder } from '../api/cancel-order.ts';
import type { ApiClient } from '../api/client.ts';
import { findOrder } from '../api/find-order.ts';
import type { ServiceOrder } from '../api/read-order.ts';
import { cancelRequest } from '../api/requests.ts';
import type { Context, OpenContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { type By, byOption } from '../flags.ts';
import { formatCommandLine } from '../output/command-line.ts';
import { formatOrderToCancel } from '../output/order-preview.ts';
import type { Cancellation } from '../output/reporter.ts';
import { type Result, reportAll, reportOne, toCancellation } from './cancel-report.ts';

interface CancelFlags extends By {
  reason?: string;
  dryRun?: boolean;
}

interface CancelOptions extends CancelFlags {
  references: string[];
}

const examples = `
Each order is read and shown before you are asked; a cancelled order does not come back.

Examples:
  $ merchant-orders cancel ORD-2026-000123 --reason "the customer changed her mind"
  $ merchant-orders cancel UB-10001 UB-10002 --reason "out of stock" --yes`;

export function registerCancel(command: Command, open: OpenContext): void {
  command
    .argument('<order...>', 'order numbers, your own order ids, or UUIDs')
    .option('--reason <text>', 'why; the service keeps it')
    .addOption(byOption())
    .option('-n, --dry-run', 'show the requests and cancel nothing')
    .addHelpText('after', examples)
    .action(async (references: string[], flags: CancelFlags) =>
      runCancel(await open(command), { ...flags, references }),
    );
}

export async function runCancel(context: Context, options: CancelOptions): Promise<void> {
  checkCanConfirm(context, options);
  await using connection = await context.connect();
  const { found, missing } = await findAll(connection.client, options);
  showFound(context, found, missing);
  const reason = await askReason(context, options.reason);
  if (options.dryRun) {
    const requests = found.map(({ id }) => context.describe(cancelRequest(id, reason)));
    context.report.requests(await Promise.all(requests));
    return;
  }
  await confirmCancel(context, connection.label, found);
  const { results, stoppedBy } = await cancelAll(context, connection.client, found, reason);
  const isOne = options.references.length === 1;
  if (isOne) reportOne(context, connection.label, results[0], stoppedBy);
  else reportAll(context, [...results.map(toCancellation), ...missing], stoppedBy);
}

/** What can be known to be missing before the service is asked for anything. */
function checkCanConfirm({ settings, prompts, system }: Context, { dryRun, reason }: CancelOptions): void {
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

async function askReason({ prompts }: Context, given: string | undefined): Promise<string> {
  if (given !== undefined || !prompts) return (given ?? '').trim();
  return prompts.text({ message: 'Reason', check: (answer) => (answer === '' ? 'Say why.' : undefined) });
}

function showFound({ print }: Context, found: ServiceOrder[], missing: Cancellation[]): void {
  for (const { order } of found) {
    print.note(formatOrderToCancel(order));
    print.note('');
  }
  for (const { message } of missing) print.note(message ?? '');
}

/** Finds every order before any is cancelled. One that is asked for alone must be there. */
async function findAll(client: ApiClient, { references, by }: CancelOptions) {
  const found = new Map<string, ServiceOrder>();
  const missing: Cancellation[] = [];
  for (const reference of references) {
    try {
      const order = await findOrder(client, reference, by);
      found.set(order.id, order);
    } catch (error) {
      const isMissing = error instanceof CliError && error.code === 'order_not_found';
      if (!isMissing || references.length === 1) throw error;
      missing.push({ order: { reference }, outcome: 'not_found', code: error.code, message: error.message });
    }
  }
  return { found: [...found.values()], missing };
}

async function confirmCancel(
  { settings, prompts }: Context,
  label: string,
  found: ServiceOrder[],
): Promise<void> {
  if (found.length === 0 || settings.yes || !prompts) return;
  const what = found.length === 1 ? 'this order' : `these ${found.length} orders`;
  if (await prompts.confirm(`${label}: cancel ${what}?`)) return;
  throw new CliError('not_confirmed', 'Nothing was cancelled.', { outcome: 'not_sent' });
}

/** One after the other; what would fail for every order ends it, and the rest is not sent. */
async function cancelAll(
  { interruption }: Context,
  client: ApiClient,
  found: ServiceOrder[],
  reason: string,
): Promise<{ results: Result[]; stoppedBy: CliError | undefined }> {
  const results: Result[] = [];
  let stoppedBy: CliError | undefined;
  for (const order of found) {
    if (interruption.stopping.aborted) stoppedBy ??= interrupted();
    if (stoppedBy !== undefined) {
      results.push({ outcome: 'not_sent', order });
      continue;
    }
    try {
      results.push(await cancelOrder(client, order, reason));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      stoppedBy = error;
      results.push({ outcome: 'not_sent', order });
    }
  }
  return { results, stoppedBy };
}

function interrupted(): CliError {
  return new CliError('interrupted', 'Stopped before every order was cancelled.', {
    hint: 'The list says which were; run the same command again for the rest.',
  });
}
