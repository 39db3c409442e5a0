import type { Creation } from '../api/create-order.ts';
import { hashBody, type Ledger, type LedgerRow } from '../ledger/ledger.ts';
import { textField } from '../orders/order.ts';

/** The entry that stands in the ledger before a request leaves. */
export function createIntent(
  externalOrderId: string,
  body: string,
  idempotencyKey: string,
  run: string,
): LedgerRow {
  return {
    externalOrderId,
    bodyHash: hashBody(body),
    idempotencyKey,
    generation: 0,
    state: 'intent',
    orderId: null,
    orderNumber: null,
    code: null,
    run,
  };
}

/** Writes what came of an intent; `before` is what stood there earlier. Error: `ledger_not_writable`. */
export function recordCreation(
  ledger: Ledger,
  intent: LedgerRow,
  creation: Creation,
  before: LedgerRow | undefined,
): void {
  switch (creation.outcome) {
    case 'created':
    case 'already_exists': {
      const orderNumber = textField(creation.order.order, 'orderNumber') ?? null;
      // An order that was there before is no run's to undo, so none is named.
      const run = creation.outcome === 'created' ? intent.run : '';
      ledger.record({ ...intent, state: 'created', orderId: creation.order.id, orderNumber, run });
      break;
    }
    case 'unknown':
      ledger.record({ ...intent, state: 'unknown' });
      break;
    case 'rejected':
      // A 403 was not processed: it settles no earlier attempt.
      if (creation.ending.outcome === 'forbidden') ledger.withdraw(intent.externalOrderId, before);
      else ledger.record({ ...intent, state: 'refused', code: creation.error.details.serviceCode ?? null });
      break;
    default:
      ledger.withdraw(intent.externalOrderId, before);
  }
}
