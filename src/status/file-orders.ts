import { t } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { isTotal } from '../import/mapping/non-order-rows.ts';
import type { PlannedOrder } from '../import/orders/plan.ts';
import type { Table } from '../import/read/read-table.ts';
import { formatCount } from '../orders/decimal.ts';
import { writeJson } from '../orders/json.ts';
import { readingsOf } from '../orders/order-reference.ts';

/** An order that a file names. */
export interface FileOrder {
  /** Blank when its rows have none. */
  reference: string;
  /** Whether it is first looked for as the merchant's own ID. */
  isOwnId: boolean;
  /** As a spreadsheet numbers them; the first one stands for the order. None of an order that only a list of cash names. */
  rows: number[];
  /** What the file says of it, in JSON. */
  body: string;
  isLeftOut: boolean;
}

/** The orders of a file as an import reads it. Error: `file_invalid` for too many. */
export function ordersOfPlan(planned: Iterable<PlannedOrder>): FileOrder[] {
  const orders: FileOrder[] = [];
  for (const { externalOrderId, rows, repeated, order, leftOut } of planned) {
    const numbers = new Set([...rows, ...repeated].map(({ row }) => row));
    addOrder(orders, {
      reference: externalOrderId,
      isOwnId: true,
      rows: [...numbers].sort((one, other) => one - other),
      body: writeJson(order),
      isLeftOut: leftOut !== undefined,
    });
  }
  return orders;
}

interface ListOptions {
  isOwnId: boolean;
  /** By the first row of an order. */
  isLeftOut(cells: readonly string[]): boolean;
}

/** The orders that the rows of a list name. Errors: those of reading; `file_invalid` for too many. */
export async function ordersOfList(
  table: Table,
  referenceIn: (cells: readonly string[]) => string,
  { isOwnId, isLeftOut }: ListOptions,
): Promise<FileOrder[]> {
  const known = new Map<string, FileOrder>();
  const orders: FileOrder[] = [];
  for await (const batch of table.batches()) {
    for (const { row, cells } of batch) {
      const reference = referenceIn(cells);
      if (isTotalRow(reference, cells)) continue;
      const earlier = reference === '' ? undefined : known.get(reference);
      if (earlier?.rows.push(row)) continue;
      const named = orderNamed(reference);
      const order = { ...named, isOwnId: isOwnId || named.isOwnId, rows: [row], isLeftOut: isLeftOut(cells) };
      known.set(reference, order);
      addOrder(orders, order);
    }
  }
  return orders;
}

/** By the cell that names the order, or by any cell where that one is blank. */
export function isTotalRow(reference: string, cells: readonly string[]): boolean {
  return reference === '' ? cells.some(isTotal) : isTotal(reference);
}

/** An order of no row, as `get` reads its name. */
export function orderNamed(reference: string): FileOrder {
  const isOwnId = readingsOf(reference).length === 1;
  return { reference, isOwnId, rows: [], body: '{}', isLeftOut: false };
}

/** What is known of them, and of the rows of couriers' lists, is kept in memory. */
const maxOrders = 100_000;

export function addOrder<Order>(orders: Order[], order: Order): void {
  if (orders.push(order) <= maxOrders) return;
  throw new CliError('file_invalid', t`The file has more than ${formatCount(maxOrders)} orders.`, {
    hint: t`Divide it into several files.`,
  });
}
