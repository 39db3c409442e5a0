import { fileURLToPath } from 'node:url';
import type { PlanOptions } from '../../src/import/orders/plan.ts';
import { planImport } from '../../src/import/orders/plan-import.ts';
import {
  type ReadingFlags,
  type Row,
  readTable,
  type Source,
  type Table,
} from '../../src/import/read/read-table.ts';
import { defaultPaths } from '../../src/orders/unnamed-fields.ts';
import { systemFiles } from '../../src/system/files.ts';
import type { Spill } from '../../src/system/temporary-file.ts';

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
}

/** Rows of a spreadsheet whose header is row 1; no cell holds a line break. */
export function rowsOf(...cells: string[][]): Row[] {
  return cells.map((row, index) => ({ row: index + 2, line: index + 2, cells: row }));
}

/** A table whose cells are written with `|` between them, the header first; its batches have two rows. */
export function tableOf(header: string, ...rows: string[]): Table {
  const all = rowsOf(...rows.map((row) => row.split('|')));
  return {
    header: { ...headerOf(...header.split('|')), below: all },
    above: [],
    delimiter: ',',
    encoding: 'utf-8',
    isWrapped: false,
    isUnquoted: false,
    batches: async function* () {
      for (let start = 0; start < all.length; start += 2) yield all.slice(start, start + 2);
    },
  };
}

export function headerOf(...cells: string[]): Row {
  return { row: 1, line: 1, cells };
}

export function sourceOf(path: string): Source {
  return { name: path, open: (first) => systemFiles.readChunks(path, first) };
}

/** A file in memory, in chunks of 64 KiB. */
export function bytesSource(bytes: Uint8Array, name = 'orders.xlsx'): Source {
  const length = 64 * 1024;
  return {
    name,
    open: async function* (first = 0) {
      for (let start = first * length; start < bytes.length; start += length) {
        yield bytes.subarray(start, start + length);
      }
    },
  };
}

export async function allRows(table: Table): Promise<Row[]> {
  const found: Row[] = [];
  for await (const rows of table.batches()) found.push(...rows);
  return found;
}

/** Plans the import of a table and reads its orders. */
export async function plan(table: Table, more: Partial<PlanOptions> = {}) {
  const spills: Spill[] = [];
  const openSpill = () => {
    const spill = systemFiles.openSpill();
    spills.push(spill);
    return spill;
  };
  try {
    const planned = await planImport(table, { ...options, openSpill, ...more });
    return { ...planned, all: [...planned.orders()] };
  } finally {
    for (const spill of spills) spill.remove();
  }
}

const options: Omit<PlanOptions, 'openSpill'> = {
  constants: [],
  fileName: 'orders.csv',
  today: '2026-11-20',
  checks: true,
  fieldPaths: defaultPaths,
  stopping: new AbortController().signal,
};

export async function planFile(path: string, more: Partial<PlanOptions> = {}, reading: ReadingFlags = {}) {
  return plan(await readTable(sourceOf(path), reading, { forOrders: true }), more);
}
