import { advice, joinTexts, type Text, t } from '../advice/advice.ts';
import { cleanCell } from '../clean-text.ts';
import type { Settled } from '../import/send/settle-orders.ts';
import { orderLine } from './order-list.ts';
import { describeElapsed } from './times.ts';

interface UnsettledOrder {
  externalOrderId: string;
  operation: 'import' | 'create';
  file: string;
  /** Epoch milliseconds. */
  recordedAt: number;
}

const maxNamed = 10;

/** `now` in epoch milliseconds. */
export function formatUnsettled(orders: readonly UnsettledOrder[], now: number): Text {
  const head = t`${orders.length} {order|orders} {was|were} sent earlier, and it is not known whether {it|they} {was|were} created:`;
  const lines = orders.slice(0, maxNamed).map((order) => advice`  ${describeUnsettled(order, now)}`);
  const more = orders.length > maxNamed ? [advice`  ${t`and ${orders.length - maxNamed} more`}`] : [];
  return joinTexts([head, ...lines, ...more], '\n');
}

/** `MO-20261125-ab12cd34, import of orders.csv, 4 minutes ago`; `isAgain`: it is to be sent again. */
export function describeUnsettled(
  { externalOrderId, operation, file, recordedAt }: UnsettledOrder,
  now: number,
  isAgain = false,
): Text {
  const id = cleanCell(externalOrderId);
  const source = operation === 'import' ? [t`import of ${cleanCell(file)}`] : [];
  return joinTexts([isAgain ? t`${id} again` : id, ...source, describeElapsed(now - recordedAt)], ', ');
}

export function describeSettled(settled: Settled, look: Parameters<typeof orderLine>[1]): Text {
  const { externalOrderId, outcome, orderNumber, orderId, order } = settled;
  const name = cleanCell(externalOrderId);
  const number = cleanCell(orderNumber ?? orderId ?? '');
  const created = order === undefined ? ` ${number}` : `\n  ${orderLine(order, look)}`;
  switch (outcome) {
    case 'created':
      return t`${name} was created:${created}`;
    case 'conflict':
      return t`${name} is the ID of an older order:${created}`;
    case 'cancelled':
      return t`${name} was created and is cancelled:${created}`;
    case 'rejected':
      return t`${name} was rejected: it was not created.`;
    case 'not_found':
      return t`${name} was not created.`;
    default:
      return describeStillOpen(settled, look.now);
  }
}

/** Why the lookup did not settle it; `now` in epoch milliseconds. */
export function describeStillOpen(
  { externalOrderId, code, provableAt }: Pick<Settled, 'externalOrderId' | 'code' | 'provableAt'>,
  now: number,
): Text {
  const name = cleanCell(externalOrderId);
  switch (code) {
    case 'in_other_run':
      return t`${name}: it is being sent right now`;
    case 'too_early':
      return t`${name}: it does not exist yet, and the last request may still create it for ${minutesUntil(provableAt, now)}`;
    case 'stopped':
      return t`${name}: it was not looked up`;
    default:
      return t`${name}: the service does not show whether it exists`;
  }
}

export function minutesUntil(moment = 0, now: number): Text {
  const minutes = Math.max(1, Math.ceil((moment - now) / 60_000));
  return t`${minutes} {minute|minutes}`;
}
