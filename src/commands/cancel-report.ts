import { type CancelResult, isCancelled } from '../api/cancel-order.ts';
import type { ServiceOrder } from '../api/read-order.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { textField } from '../orders/order.ts';
import type { Cancellation } from '../output/reporter.ts';

/** What became of one order that was found. */
export type Result = CancelResult | { outcome: 'not_sent'; order: ServiceOrder };

/** One order: it is the data; anything but success is the error. */
export function reportOne(
  { report, print }: Context,
  label: string,
  result: Result | undefined,
  stoppedBy: CliError | undefined,
): void {
  if (stoppedBy !== undefined) throw stoppedBy;
  if (result === undefined) return;
  if ('error' in result) throw result.error;
  print.note(sayCancelled(result, label));
  report.order(result.order.order);
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
  { report }: Context,
  cancellations: Cancellation[],
  stoppedBy: CliError | undefined,
): void {
  report.cancellations(cancellations);
  if (stoppedBy !== undefined) throw stoppedBy;
  const unknown = cancellations.filter(({ outcome }) => outcome === 'unknown').length;
  if (unknown > 0) {
    throw new CliError('outcome_unknown', `Nobody can say whether ${unknown} of the orders were cancelled.`, {
      hint: 'Run the same command again.',
      outcome: 'unknown',
    });
  }
  const failed = cancellations.filter(({ outcome }) => !outcome.endsWith('cancelled')).length;
  if (failed === 0) return;
  throw new CliError(
    'some_orders_failed',
    `${failed} of ${cancellations.length} orders were not cancelled.`,
    {
      hint: 'The list says why, order by order.',
    },
  );
}

export function toCancellation(result: Result): Cancellation {
  const { outcome, order } = result;
  const status = textField(order.order, 'status');
  const told =
    'error' in result ? { code: result.error.reportedCode, message: result.error.wholeMessage } : {};
  return { order: order.order, outcome, ...(status === undefined ? {} : { status }), ...told };
}
