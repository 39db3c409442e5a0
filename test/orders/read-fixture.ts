import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { parseFieldPath, setField } from '../../src/orders/field-path.ts';
import { parseJson } from '../../src/orders/json.ts';
import type { Order } from '../../src/orders/order.ts';

export function readFixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');
}

/** The orders of a file, built from their rows as an import does. */
export function readOrders(name: string): Order[] {
  const [header = [], ...rows]: string[][] = parse(readFixture(name));
  const columns = header.map((title) => {
    const [path = '', type = 'text'] = title.split(':');
    return { path: parseFieldPath(path), isOfLine: path.startsWith('items[]'), type };
  });
  const orders = new Map<string, { order: Order; lines: number }>();
  let current = '';
  for (const row of rows) {
    const cells = columns.flatMap((column, index) => (row[index] ? [{ ...column, text: row[index] }] : []));
    if (cells.some(({ isOfLine }) => !isOfLine)) current = row[0] ?? '';
    const found = orders.get(current) ?? { order: {}, lines: 0 };
    orders.set(current, found);
    for (const { path, text, type } of cells) {
      setField(found.order, path, type === 'number' ? parseJson(text) : text, found.lines);
    }
    found.lines += 1;
  }
  return [...orders.values()].map(({ order }) => order);
}
