import { advice, again } from '../../advice/advice.ts';
import { cancelRequest } from '../../api/requests.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { labelOf } from '../../identity.ts';
import { formatOrdersToCancel } from '../../output/order-preview.ts';
import type { CancelLedger, Entry } from './cancel-entry.ts';

export interface ConfirmFlags {
  reason?: string;
  dryRun?: boolean;
}

/**
 * Checks the flags before the service is asked for anything. Off a terminal orders of the sandbox need no confirmation.
 * Errors: `usage`, `confirmation_required`, `configuration_invalid`.
 */
export async function checkCanConfirm(context: Context, { dryRun, reason }: ConfirmFlags): Promise<void> {
  const { settings, prompts } = context;
  if (prompts === undefined && reason?.trim() === '') {
    throw new CliError('usage', 'The reason is blank.', { hint: 'Give a reason: --reason "out of stock"' });
  }
  if (prompts) return;
  const isConfirmed = settings.yes || dryRun || (await isForSandbox(context));
  const missing = [
    ...(reason === undefined ? [['--reason', 'TEXT']] : []),
    ...(isConfirmed ? [] : [['--yes']]),
  ];
  if (missing.length === 0) return;
  const names = missing.map((words) => words.join(' ')).join(' and ');
  const sentence = `${names} ${missing.length > 1 ? 'are' : 'is'} required when the program cannot ask questions.`;
  throw new CliError('confirmation_required', sentence, {
    hint: advice`Nothing was sent. Run:${again(...missing.flat())}`,
    outcome: 'not_sent',
  });
}

async function isForSandbox({ settings, identity }: Context): Promise<boolean> {
  if (settings.sandbox) return true;
  const { apiKey } = await identity();
  return apiKey !== undefined && labelOf(apiKey.value) === 'SANDBOX';
}

interface OrdersToConfirm {
  label: Connection['label'];
  ledger: CancelLedger;
  entries: readonly Entry[];
}

/**
 * Shows the orders, asks for the reason and for a confirmation, and returns the reason; undefined after a dry run.
 * Errors: `ledger_not_writable`, because nothing is cancelled that could not be recorded; `not_confirmed`.
 */
export async function confirmCancel(
  context: Context,
  { label, ledger, entries }: OrdersToConfirm,
  { reason: given, dryRun }: ConfirmFlags,
): Promise<string | undefined> {
  const orders = ordersToCancel(entries);
  if (!dryRun && orders.length > 0) await ledger.check();
  showEntries(context, entries);
  const reason = orders.length === 0 ? '' : await askReason(context, given);
  if (dryRun) {
    const requests = orders.map(({ id }) => context.describe(cancelRequest(id, reason)));
    context.report.requests(await Promise.all(requests));
    return undefined;
  }
  await askConfirmation(context, label, orders.length);
  return reason;
}

function ordersToCancel(entries: readonly Entry[]): ServiceOrder[] {
  return entries.flatMap((entry) => (entry.state === 'to_cancel' ? [entry.order] : []));
}

const maxMissingShown = 20;

function showEntries({ print, clock }: Context, entries: readonly Entry[]): void {
  const orders = ordersToCancel(entries).map(({ order }) => order);
  if (orders.length > 0) print.note(formatOrdersToCancel(orders, clock.now()));
  const missing = entries.flatMap((entry) => (entry.state === 'missing' ? [entry.cancellation] : []));
  for (const { message } of missing.slice(0, maxMissingShown)) print.note(cleanCell(message ?? ''));
  const more = missing.length - maxMissingShown;
  if (more > 0) print.note(`... and ${more} more that do not exist.`);
  const cancelled = entries.filter(({ state }) => state === 'already_cancelled').length;
  if (cancelled > 0) print.note(formatAlreadyCancelled(cancelled, entries.length));
}

function formatAlreadyCancelled(count: number, total: number): string {
  if (count === total && total > 1) return `All ${total} orders were already cancelled.`;
  return count === 1 ? '1 order was already cancelled.' : `${count} orders were already cancelled.`;
}

async function askReason({ prompts }: Context, given: string | undefined): Promise<string> {
  const reason = given?.trim() ?? '';
  if (reason !== '' || !prompts) return reason;
  return prompts.text({
    message: 'Reason',
    check: (answer) => (answer === '' ? 'Please give a reason, for example: out of stock.' : undefined),
  });
}

async function askConfirmation({ settings, prompts }: Context, label: string, count: number): Promise<void> {
  if (count === 0 || settings.yes || !prompts) return;
  const what = count === 1 ? 'this order' : `these ${count} orders`;
  if (await prompts.confirm(`${label}: cancel ${what}?`)) return;
  throw new CliError('not_confirmed', 'Nothing was cancelled.', { outcome: 'not_sent' });
}
