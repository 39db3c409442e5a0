import type { Database } from '../system/sqlite.ts';
import { guard } from './guard.ts';
import type { RunResult } from './run-log.ts';
import { type RunKey, selectLines, selectOrdersWithoutLine } from './run-sql.ts';

interface Found {
  row: number;
  external_order_id: string;
  /** The outcome as it was when the run told it. */
  told: string;
  outcome: string;
  code: string | null;
  attempts: number;
  order_id: string | null;
  order_number: string | null;
  idempotency_key: string | null;
  order_code: string | null;
  created_by: string;
}

/** The orders of a run one at a time, since there may be a million. Error: `ledger_not_writable`. */
export function* resultsOf(database: Database, { id, client, orders }: RunKey): Generator<RunResult> {
  let told = 0;
  for (const select of [selectLines, selectOrdersWithoutLine]) {
    if (told === orders) return;
    const rows = guard(() => database.prepare(select).iterate({ client, run: id })) as Iterator<Found>;
    for (let next = guard(() => rows.next()); !next.done; next = guard(() => rows.next())) {
      told += 1;
      yield toResult(next.value);
    }
  }
}

function toResult(found: Found): RunResult {
  const { outcome, order_id: orderId, order_number: orderNumber } = found;
  const settledCode = outcome === 'rejected' ? found.order_code : null;
  const code = outcome === found.told ? found.code : settledCode;
  return {
    ...{ row: found.row, externalOrderId: found.external_order_id, outcome, attempts: found.attempts },
    ...(code === null ? {} : { code }),
    ...(orderId === null ? {} : { orderId }),
    ...(orderNumber === null ? {} : { orderNumber }),
    ...(found.idempotency_key === null ? {} : { idempotencyKey: found.idempotency_key }),
    ...(found.created_by === '' ? {} : { createdByRun: found.created_by }),
  };
}
