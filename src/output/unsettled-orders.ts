import { cleanCell } from '../clean-text.ts';
import type { Settled } from '../import/send/settle-orders.ts';
import { orderLine } from './order-view.ts';
import { describeElapsed, type TimeLook } from './times.ts';

interface UnsettledOrder {
  externalOrderId: string;
  operation: 'import' | 'create';
  file: string;
  /** Epoch milliseconds. */
  recordedAt: number;
}

const maxNamed = 10;

/** `now` in epoch milliseconds. */
export function formatUnsettled(orders: readonly UnsettledOrder[], now: number): string {
  const head =
    orders.length === 1
      ? '1 order was sent earlier, and it is not known whether it was created:'
      : `${orders.length} orders were sent earlier, and it is not known whether they were created:`;
  const lines = orders.slice(0, maxNamed).map((order) => `  ${describeUnsettled(order, now)}`);
  const more = orders.length > maxNamed ? [`  and ${orders.length - maxNamed} more`] : [];
  return [head, ...lines, ...more].join('\n');
}

/** `MO-20261125-ab12cd34, import of orders.csv, 4 minutes ago`; `what` follows the ID. */
export function describeUnsettled(
  { externalOrderId, operation, file, recordedAt }: UnsettledOrder,
  now: number,
  what = '',
): string {
  const source = operation === 'import' ? `, import of ${file}` : '';
  return cleanCell(`${externalOrderId}${what}${source}, ${describeElapsed(now - recordedAt)}`);
}

export function describeSettled(settled: Settled, look: TimeLook): string {
  const { externalOrderId, outcome, orderNumber, orderId, order } = settled;
  const name = cleanCell(externalOrderId);
  const created = cleanCell(orderNumber ?? orderId ?? '');
  switch (outcome) {
    case 'created':
      return `${name} was created:${order === undefined ? ` ${created}` : `\n  ${orderLine(order, look)}`}`;
    case 'conflict':
      return `${name} is the ID of an older order:${order === undefined ? ` ${created}` : `\n  ${orderLine(order, look)}`}`;
    case 'cancelled':
      return `${name} was created and is cancelled: ${created}`;
    case 'rejected':
      return `${name} was rejected: it was not created.`;
    case 'not_found':
      return `${name} was not created.`;
    default:
      return cleanCell(describeStillOpen(settled, look.now));
  }
}

/** Why the lookup did not settle it; `now` in epoch milliseconds. */
export function describeStillOpen(
  { externalOrderId, code, provableAt }: Pick<Settled, 'externalOrderId' | 'code' | 'provableAt'>,
  now: number,
): string {
  switch (code) {
    case 'in_other_run':
      return `${externalOrderId}: it is being sent right now`;
    case 'too_early':
      return `${externalOrderId}: it does not exist yet, and the last request may still create it for ${minutesUntil(provableAt, now)}`;
    case 'stopped':
      return `${externalOrderId}: it was not looked up`;
    default:
      return `${externalOrderId}: the service does not show whether it exists`;
  }
}

export function minutesUntil(moment = 0, now: number): string {
  const minutes = Math.max(1, Math.ceil((moment - now) / 60_000));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
