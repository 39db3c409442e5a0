import { isCancelled } from '../../api/operations/cancel.ts';
import type { ServiceOrder } from '../../api/responses/order.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { textField } from '../../orders/order.ts';
import { formatOrdersToCancel } from '../../output/order-preview.ts';
import type { Cancellation } from '../../output/reporter.ts';
import type { Entry } from './read-targets.ts';
import type { Result } from './send.ts';

/** One order: it is the data; anything but success is the error. */
export function reportOne(
  { report, print }: Context,
  label: string,
  result: Result | undefined,
  stoppedBy: CliError | undefined,
): void {
  if (stoppedBy !== undefined && result?.outcome === 'not_sent') throw stoppedBy;
  if (result === undefined) return;
  if ('error' in result) throw result.error;
  print.note(sayCancelled(result, label));
  report.order(result.order.order);
  if (stoppedBy !== undefined) throw stoppedBy;
}

function sayCancelled(result: Result, label: string): string {
  const { outcome, order } = result;
  const name = textField(order.order, 'orderNumber') ?? order.id;
  if (outcome === 'already_cancelled') return `No answer came, but ${name} is cancelled now (${label}).`;
  if ('isCurrent' in result && !result.isCurrent) {
    return `The service took the cancellation of ${name}; the order could not be read again (${label}).`;
  }
  if (isCancelled(order)) return `Cancelled ${name} (${label}).`;
  const status = textField(order.order, 'status') ?? 'nothing about it';
  return `The service took the cancellation of ${name}; the order says ${status} (${label}).`;
}

/** Several: what became of each is the data; the error says how many were not cancelled. */
export function reportAll(
  { report, print }: Context,
  label: string,
  cancellations: Cancellation[],
  stoppedBy: CliError | undefined,
): void {
  report.cancellations(cancellations);
  const count = (...names: Cancellation['outcome'][]) =>
    cancellations.filter(({ outcome }) => names.includes(outcome)).length;
  const cancelled = count('cancelled');
  if (cancelled > 0)
    print.note(`Cancelled ${cancelled === 1 ? '1 order' : `${cancelled} orders`} (${label}).`);
  const unknown = count('unknown');
  // Of several ends the one counts that a person must know first.
  if (stoppedBy !== undefined && (unknown === 0 || endsFirst.has(stoppedBy.code))) throw stoppedBy;
  if (unknown > 0) {
    throw new CliError('outcome_unknown', `Nobody can say whether ${unknown} of the orders were cancelled.`, {
      hint: 'Run the same command again.',
      outcome: 'unknown',
    });
  }
  const failed = cancellations.length - count('cancelled', 'already_cancelled');
  if (failed === 0) return;
  throw new CliError(
    'some_orders_failed',
    `${failed} of ${cancellations.length} orders were not cancelled.`,
    {
      hint: 'The list says why, order by order.',
    },
  );
}

const endsFirst = new Set(['interrupted', 'key_refused', 'permission_missing']);

/** What became of each, in the order in which they were named. */
export function toCancellations(
  entries: readonly Entry[],
  results: readonly (Result | undefined)[],
): Cancellation[] {
  return entries.flatMap((entry, place) => {
    if (entry.state === 'missing') return [entry.cancellation];
    const result = results[place];
    return result === undefined ? [] : [toCancellation(result)];
  });
}

function toCancellation(result: Result): Cancellation {
  const { outcome, order } = result;
  const status = textField(order.order, 'status');
  const told =
    'error' in result ? { code: result.error.reportedCode, message: result.error.wholeMessage } : {};
  return { order: order.order, outcome, ...(status === undefined ? {} : { status }), ...told };
}

const mostMissingShown = 20;

export function ordersToCancel(entries: readonly Entry[]): ServiceOrder[] {
  return entries.flatMap((entry) => (entry.state === 'to_cancel' ? [entry.order] : []));
}

/** What a person must see before the question. */
export function showEntries({ print }: Context, entries: readonly Entry[]): void {
  const found = ordersToCancel(entries);
  if (found.length > 0) print.note(formatOrdersToCancel(found.map(({ order }) => order)));
  const missing = entries.flatMap((entry) => (entry.state === 'missing' ? [entry.cancellation] : []));
  for (const { message } of missing.slice(0, mostMissingShown)) print.note(message ?? '');
  const more = missing.length - mostMissingShown;
  if (more > 0) print.note(`... and ${more} more that are not there.`);
  const before = entries.filter(({ state }) => state === 'cancelled_before').length;
  if (before > 0) print.note(sayBefore(before, entries.length));
}

function sayBefore(count: number, total: number): string {
  if (count === total && total > 1) return `All ${total} were cancelled before.`;
  return `${count} ${count === 1 ? 'was' : 'were'} cancelled before.`;
}
