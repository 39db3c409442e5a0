import { fileURLToPath } from 'node:url';
import type { Row, Table } from '../../src/import/table.ts';

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
}

/** Rows of a spreadsheet whose header is row 1; no cell holds a line break. */
export function rowsOf(...cells: string[][]): Row[] {
  return cells.map((row, index) => ({ row: index + 2, line: index + 2, cells: row }));
}

/** A table whose cells are written with `|` between them, the header first. */
export function tableOf(header: string, ...rows: string[]): Table {
  return { header: header.split('|'), rows: each(rowsOf(...rows.map((row) => row.split('|')))) };
}

export async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
