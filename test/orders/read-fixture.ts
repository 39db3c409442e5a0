import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { parseFieldPath, setField } from '../../src/orders/field-path.ts';
import type { Order } from '../../src/orders/order.ts';
import { parseJson } from '../../src/orders/parse-json.ts';

export interface FileOrder {
  order: Order;
  /** Indexes of its rows in the file, where 0 is the first row under the header. */
  rows: number[];
}

export interface Product {
  sku: string;
  name: string;
  active: string;
}

export function readFixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');
}

export function readTable(name: string): string[][] {
  return parse(readFixture(name));
}

export function readCatalogue(): Product[] {
  return parse(readFixture('catalogue.csv'), { columns: true });
}

/** Orders by external order ID (`''` for the one without), built from their rows as an import does. */
export function readOrders(name: string): Map<string, FileOrder> {
  const [header = [], ...rows] = readTable(name);
  const columns = header.map((title) => {
    const [path = '', type = 'text'] = title.split(':');
    return { path: parseFieldPath(path), isOfLine: path.startsWith('items[]'), type };
  });
  const orders = new Map<string, FileOrder>();
  let current = '';
  for (const [index, row] of rows.entries()) {
    const cells = columns.flatMap((column, index) => (row[index] ? [{ ...column, text: row[index] }] : []));
    if (cells.some(({ isOfLine }) => !isOfLine)) current = row[0] ?? '';
    const found = orders.get(current) ?? { order: {}, rows: [] };
    orders.set(current, found);
    for (const { path, text, type } of cells) {
      setField(found.order, path, type === 'number' ? parseJson(text) : text, found.rows.length);
    }
    found.rows.push(index);
  }
  return orders;
}
