import { hashBody, type Ledger, type LedgerRow } from '../ledger/ledger.ts';
import { writeOrderBody } from '../orders/order-body.ts';
import type { OrderOutcome } from './order-outcome.ts';
import type { PlannedOrder } from './plan.ts';

/**
 * What the ledger lets be said of an order without asking the service; undefined when it is to be sent.
 * Error: `ledger_not_writable`.
 */
export function recallOutcome(planned: PlannedOrder, ledger: Ledger): OrderOutcome | undefined {
  const before = ledger.recall(planned.externalOrderId);
  if (before === undefined) return undefined;
  const isSame = before.bodyHash === hashBody(writeOrderBody(planned.order));
  if (isOpen(before)) return isSame ? undefined : earlierAttemptOpen(planned, before);
  if (before.state !== 'created') return undefined;
  const known = {
    ...placeOf(planned),
    ...(before.orderId === null ? {} : { orderId: before.orderId }),
    ...(before.orderNumber === null ? {} : { orderNumber: before.orderNumber }),
    attempts: 0,
    idempotencyKey: before.idempotencyKey,
  };
  if (isSame) {
    return {
      ...known,
      outcome: 'already_exists',
      ...(before.run === '' ? {} : { createdByRun: before.run }),
    };
  }
  return {
    ...known,
    outcome: 'conflict',
    code: 'content_changed',
    message: `it was created before with other content (${before.orderNumber ?? before.orderId})`,
    fix: 'cancel that order and import this one under a new id, or take its rows out',
  };
}

/** The outcome of an order that was not begun. */
export function notSent(planned: PlannedOrder): OrderOutcome {
  return { ...placeOf(planned), outcome: 'not_sent', code: 'stopped', attempts: 0 };
}

/** The same for an order that an earlier run may have sent: what is known of it stands. Error: `ledger_not_writable`. */
export function notBegun(planned: PlannedOrder, ledger: Ledger): OrderOutcome {
  const known = recallOutcome(planned, ledger);
  if (known !== undefined) return known;
  const before = ledger.recall(planned.externalOrderId);
  if (before === undefined || !isOpen(before)) return notSent(planned);
  return {
    ...placeOf(planned),
    outcome: 'unknown',
    code: 'earlier_attempt_open',
    message: 'it was sent before, and nobody knows what came of that',
    attempts: 0,
    idempotencyKey: before.idempotencyKey,
  };
}

export function placeOf({
  externalOrderId,
  rows,
}: PlannedOrder): Pick<OrderOutcome, 'row' | 'externalOrderId'> {
  return { row: rows[0]?.row ?? 0, externalOrderId };
}

/** Somebody sent it, and nobody knows what came of that. */
export function isOpen({ state }: LedgerRow): boolean {
  return state === 'intent' || state === 'unknown';
}

/** Other content may be on its way under this id: sending this one as well could make two orders of it. */
function earlierAttemptOpen(planned: PlannedOrder, { idempotencyKey }: LedgerRow): OrderOutcome {
  return {
    ...placeOf(planned),
    outcome: 'unknown',
    code: 'earlier_attempt_open',
    message: 'it was sent before with other content, and nobody knows what came of that',
    fix: 'import it once with the content it had then, or look for it with: merchant-orders get',
    attempts: 0,
    idempotencyKey,
  };
}
