import { t } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { canTellOrders, isTotal } from '../import/mapping/non-order-rows.ts';
import type { Plan } from '../import/orders/plan-import.ts';
import type { Table } from '../import/read/read-table.ts';
import { formatCount } from '../orders/decimal.ts';
import { writeJson } from '../orders/json.ts';
import { readingsOf } from '../orders/order-reference.ts';

/** An order that a file names. */
export interface FileOrder {
  /** Blank when its rows have none. */
  reference: string;
  /** `any`: as `get` reads it. */
  reading: 'external' | 'number' | 'id' | 'any';
  /** As a spreadsheet numbers them; the first one stands for the order. */
  rows: readonly number[];
  /** What the file says of it, in JSON. */
  body: string;
  /** Fields that an import would refuse, which are not compared. */
  unclear: readonly string[];
  isLeftOut: boolean;
}

/** What is known of them is kept in memory. */
const maxOrders = 100_000;

/** The orders of a file as an import reads it. Error: `file_invalid` for too many. */
export function ordersOfPlan(plan: Pick<Plan, 'orders' | 'mapping'>): FileOrder[] {
  const orders: FileOrder[] = [];
  const isList = !canTellOrders(plan.mapping);
  for (const { externalOrderId, rows, repeated, order, problems, leftOut } of plan.orders()) {
    // An import needs other columns to tell a total from an order.
    if (isList && rows.every(({ cells }) => isTotalRow(externalOrderId, cells))) continue;
    checkCount(orders);
    const numbers = new Set([...rows, ...repeated].map(({ row }) => row));
    const errors = problems.filter(({ severity }) => severity === 'error');
    orders.push({
      reference: externalOrderId,
      reading: 'external',
      rows: [...numbers].sort((one, other) => one - other),
      body: writeJson(order),
      unclear: [...new Set(errors.flatMap(({ path }) => (path === undefined ? [] : topOf(path))))],
      isLeftOut: leftOut !== undefined,
    });
  }
  return orders;
}

/** The orders that a column names; `isLeftOut` of their first row. Errors: those of reading; `file_invalid` for too many. */
export async function ordersOfColumn(
  table: Table,
  index: number,
  reading: FileOrder['reading'],
  isLeftOut: (cells: readonly string[]) => boolean = () => false,
): Promise<FileOrder[]> {
  const known = new Map<string, number[]>();
  const orders: FileOrder[] = [];
  for await (const batch of table.batches()) {
    for (const { row, cells } of batch) {
      const reference = cells[index] ?? '';
      if (isTotalRow(reference, cells)) continue;
      const earlier = reference === '' ? undefined : known.get(reference);
      if (earlier?.push(row)) continue;
      checkCount(orders);
      const rows = [row];
      known.set(reference, rows);
      orders.push({ ...orderNamed(reference, reading), rows, isLeftOut: isLeftOut(cells) });
    }
  }
  return orders;
}

/** Of a list of orders: by the cell that names the order, or by any cell where that one is blank. */
export function isTotalRow(reference: string, cells: readonly string[]): boolean {
  return reference === '' ? cells.some(isTotal) : isTotal(reference);
}

/** Orders that no row of the file names, as `get` reads their names. */
export function ordersNamed(references: Iterable<string>): FileOrder[] {
  return [...new Set(references)].map((reference) => orderNamed(reference, 'any'));
}

function orderNamed(reference: string, wanted: FileOrder['reading']): FileOrder {
  const reading = wanted === 'any' && readingsOf(reference).length === 1 ? 'external' : wanted;
  return { reference, reading, rows: [], body: '{}', unclear: [], isLeftOut: false };
}

function checkCount({ length }: readonly FileOrder[]): void {
  if (length < maxOrders) return;
  throw new CliError('file_invalid', t`The file has more than ${formatCount(maxOrders)} orders.`, {
    hint: t`Divide it into several files.`,
  });
}

/** `customer.phone` → `customer`. */
export function topOf(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path;
}
