import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatCsvRow } from '../../src/csv/write-csv.ts';

/** The cells of one order, by column; a column with two lines has `first/second`. */
export type Cells = Record<string, string>;

export const plainOrder: Cells = {
  'customer.phone': '99112233',
  'items[].sku': 'TEA-1',
  collectionMode: 'NONE',
  total: '1000',
};

/** The file that a shop imports and edits between runs. */
export function createOrderFile(directory: string) {
  const orders = new Map<string, Cells>();
  let columns: ((names: string[]) => string[]) | undefined;
  const path = join(directory, 'orders.csv');

  function write(): void {
    const all = new Set([...orders.values()].flatMap((cells) => Object.keys(cells)));
    const names = (columns ?? ((given) => given))(['externalOrderId', ...all]);
    const rows = [...orders].flatMap(([externalOrderId, cells]) =>
      rowsOf({ externalOrderId, ...cells }, names),
    );
    writeFileSync(path, [names, ...rows].map((row) => `${formatCsvRow(row)}\n`).join(''));
  }

  return {
    path,
    add(externalOrderId: string, cells: Cells = {}): void {
      orders.set(externalOrderId, { ...plainOrder, ...cells });
      write();
    },
    edit(externalOrderId: string, cells: Cells): void {
      const before = orders.get(externalOrderId);
      if (before === undefined) throw new Error(`there is no order ${externalOrderId}`);
      orders.set(externalOrderId, { ...before, ...cells });
      write();
    },
    remove(externalOrderId: string): void {
      orders.delete(externalOrderId);
      write();
    },
    /** Changes the order of the columns. */
    arrange(by: (names: string[]) => string[]): void {
      columns = by;
      write();
    },
  };
}

function rowsOf(cells: Cells, names: string[]): string[][] {
  const lines = Math.max(...Object.values(cells).map((cell) => cell.split('/').length));
  return Array.from({ length: lines }, (_, line) =>
    names.map((name) => {
      const parts = (cells[name] ?? '').split('/');
      return parts.length === 1 ? (parts[0] ?? '') : (parts[line] ?? '');
    }),
  );
}
