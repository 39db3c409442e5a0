import type { PlannedOrder } from './plan.ts';
import type { Row } from './table.ts';

export interface Selection {
  /** Rows as a spreadsheet numbers them; an order with one of them is taken whole. */
  rows?: (row: number) => boolean;
  /** The most orders. */
  limit?: number;
}

export function selectOrders(orders: readonly PlannedOrder[], { rows, limit }: Selection): PlannedOrder[] {
  const selected =
    rows === undefined ? [...orders] : orders.filter((order) => allRows(order).some(({ row }) => rows(row)));
  return selected.slice(0, limit);
}

function allRows({ rows, repeated }: PlannedOrder): Row[] {
  return [...rows, ...repeated];
}

/** `14,20-31` → whether a row is one of them; undefined when it is no such list. */
export function parseRowList(text: string): ((row: number) => boolean) | undefined {
  const ranges = text.split(',').map((part) => /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part.trim()));
  if (ranges.some((range) => range === null)) return undefined;
  const bounds = ranges.map((range) => [Number(range?.[1]), Number(range?.[2] ?? range?.[1])] as const);
  return (row) => bounds.some(([first, last]) => row >= first && row <= last);
}
