import type { FileOrder } from './order-file.ts';
import { type RecordedOrder, readRecord } from './record.ts';
import { isOpen, isThere, type Result, readResults } from './results.ts';
import type { ServedSandbox } from './sandbox.ts';

export interface Differences {
  /** Valid orders that the service does not have, or has more than once. */
  lost: number;
  duplicated: number;
  /** Lines of the results that differ from the service's log, including the order ID. */
  misreported: number;
  /** Orders that were sent under several keys without a reason. */
  keyChanged: number;
  /** Orders that should be rejected and are still unknown. */
  open: number;
  repeated: number;
  faulted: number;
}

export interface Expectations {
  /** Whether a valid order may have this result; by default it must exist, created by any run. */
  isDone?(result: Result, order: FileOrder): boolean;
}

const maxPrinted = 5;

/** Compares the results of an import with the service's own log, line by line, and prints differences. */
export async function compareResults(
  scene: string,
  service: ServedSandbox,
  orders: readonly FileOrder[],
  results: string,
  { isDone = isThere }: Expectations = {},
): Promise<Differences> {
  const record = await readRecord(service.databasePath);
  const commits = await service.commits();
  const rows = readResults(results);
  const byId = new Map(rows.map((result) => [result.external_order_id, result]));
  const { repeated, faulted } = record;
  const differences: Differences = {
    lost: 0,
    duplicated: 0,
    misreported: 0,
    keyChanged: 0,
    open: 0,
    repeated,
    faulted,
  };
  const messages: string[] = [];
  const report = (figure: 'lost' | 'duplicated' | 'misreported' | 'keyChanged', text: string) => {
    differences[figure] += 1;
    messages.push(`${figure}: ${text}`);
  };

  for (const order of orders) {
    const { externalOrderId: id, isRejected, mayChangeKey = false } = order;
    const count = commits.get(id) ?? 0;
    const [there] = record.orders.get(id) ?? [];
    const found = byId.get(id);
    const recorded = there === undefined ? 'nothing' : `${there.orderNumber} ${there.id}`;
    const difference = `${id}: ${describe(found)}, and the service has ${recorded}`;
    if (count > 1) report('duplicated', `${id}: ${count} times`);
    if (found !== undefined && !hasRecordedIds(found, there)) report('misreported', difference);
    if (isRejected) {
      const isStillOpen = found !== undefined && isOpen(found);
      if (isStillOpen) differences.open += 1;
      if (count > 0 || (found?.outcome !== 'rejected' && !isStillOpen)) report('misreported', difference);
      continue;
    }
    const keys = record.keys.get(id) ?? 0;
    if (keys > 1 && !mayChangeKey) report('keyChanged', `${id}: ${keys} keys`);
    if (count === 0) report('lost', difference);
    const isReportedThere = found !== undefined && isThere(found);
    const isWrong = !isAsOrdered(found, order, there) || !isDone(found as Result, order);
    if (isWrong && (count > 0 || isReportedThere)) report('misreported', difference);
  }
  const known = new Set(orders.map(({ externalOrderId }) => externalOrderId));
  for (const id of commits.keys()) {
    if (id === null || !known.has(id)) report('misreported', `${id} is in no file`);
  }
  if (rows.length !== orders.length)
    report('misreported', `${rows.length} results of ${orders.length} orders`);
  for (const line of messages.slice(0, maxPrinted)) console.log(`${scene}: ${line}`);
  if (messages.length > maxPrinted) console.log(`${scene}: and ${messages.length - maxPrinted} more`);
  return differences;
}

function describe(found: Result | undefined): string {
  if (found === undefined) return 'no result';
  const { row, outcome, code, order_id, order_number, created_by_run } = found;
  return [`row ${row}`, outcome, code, order_number, order_id, created_by_run].filter(Boolean).join(' ');
}

/** The line of an existing order has exactly its IDs; any other line has them or none. */
function hasRecordedIds(found: Result, there: RecordedOrder | undefined): boolean {
  const isNamed = found.order_id !== '' || found.order_number !== '';
  if (!isThere(found) && !isNamed) return true;
  return found.order_id === there?.id && found.order_number === there?.orderNumber;
}

/** The result is that of the order's row, and the service has what the row contains. */
function isAsOrdered(found: Result | undefined, order: FileOrder, there: RecordedOrder | undefined): boolean {
  return (
    found !== undefined &&
    there !== undefined &&
    found.row === String(order.row) &&
    there.body.customer.phone === order.phone &&
    there.body.collectionAmount === order.amount
  );
}
