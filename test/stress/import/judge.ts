import type { FileOrder } from './order-file.ts';
import { type RecordedOrder, readRecord } from './record.ts';
import { isOpen, isThere, type Result, readResults } from './results.ts';
import type { ServedSandbox } from './sandbox.ts';

export interface Judgement {
  /** Valid orders that the service does not have, or has more than once. */
  lost: number;
  duplicated: number;
  /** Lines of the results that differ from the service's log, be it in the order id. */
  misreported: number;
  /** Orders that were sent under more than one key without a reason. */
  rekeyed: number;
  /** Orders to be rejected that are still unknown. */
  open: number;
  unheard: number;
  struck: number;
}

export interface Terms {
  /** Whether a valid order may have this outcome; otherwise it must exist, whichever run created it. */
  isDone?(result: Result, order: FileOrder): boolean;
  /** Skips what is unknown or was not sent; no order needs to exist. */
  mayBeOpen?: boolean;
}

const maxPrinted = 5;

/** Compares the results of an import with the service's log, line by line; prints each difference. */
export async function judge(
  scene: string,
  service: ServedSandbox,
  orders: readonly FileOrder[],
  results: string,
  { isDone = isThere, mayBeOpen = false }: Terms = {},
): Promise<Judgement> {
  const record = await readRecord(service.databasePath);
  const commits = await service.commits();
  const rows = readResults(results);
  const byId = new Map(rows.map((result) => [result.external_order_id, result]));
  const { unheard, struck } = record;
  const judged: Judgement = { lost: 0, duplicated: 0, misreported: 0, rekeyed: 0, open: 0, unheard, struck };
  const wrong: string[] = [];
  const report = (figure: 'lost' | 'duplicated' | 'misreported' | 'rekeyed', what: string) => {
    judged[figure] += 1;
    wrong.push(`${figure}: ${what}`);
  };

  for (const order of orders) {
    const { externalOrderId: id, isRefused, mayChangeKey = false } = order;
    const count = commits.get(id) ?? 0;
    const [there] = record.orders.get(id) ?? [];
    const found = byId.get(id);
    const recorded = there === undefined ? 'nothing' : `${there.orderNumber} ${there.id}`;
    const said = `${id}: ${describe(found)}, and the service has ${recorded}`;
    if (count > 1) report('duplicated', `${id}: ${count} times`);
    if (found !== undefined && !hasRecordedIds(found, there)) report('misreported', said);
    if (isRefused) {
      const isStillOpen = found !== undefined && isOpen(found);
      if (isStillOpen) judged.open += 1;
      if (count > 0 || (found?.outcome !== 'rejected' && !isStillOpen)) report('misreported', said);
      continue;
    }
    const keys = record.keys.get(id) ?? 0;
    if (keys > 1 && !mayChangeKey) report('rekeyed', `${id}: ${keys} keys`);
    if (mayBeOpen && found !== undefined && isOpen(found)) continue;
    if (count === 0) report('lost', said);
    const isSaidToBeThere = found !== undefined && isThere(found);
    const isWrong = !isAsOrdered(found, order, there) || !isDone(found as Result, order);
    if (isWrong && (count > 0 || isSaidToBeThere)) report('misreported', said);
  }
  const known = new Set(orders.map(({ externalOrderId }) => externalOrderId));
  for (const id of commits.keys()) {
    if (id === null || !known.has(id)) report('misreported', `${id} is of no file`);
  }
  if (rows.length !== orders.length)
    report('misreported', `${rows.length} results of ${orders.length} orders`);
  for (const line of wrong.slice(0, maxPrinted)) console.log(`${scene}: ${line}`);
  if (wrong.length > maxPrinted) console.log(`${scene}: and ${wrong.length - maxPrinted} more`);
  return judged;
}

function describe(found: Result | undefined): string {
  if (found === undefined) return 'no result';
  const { row, outcome, code, order_id, order_number, created_by_run } = found;
  return [`row ${row}`, outcome, code, order_number, order_id, created_by_run].filter(Boolean).join(' ');
}

/** The line of an existing order has its ids, character for character; any other line has them or none. */
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
