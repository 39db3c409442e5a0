import { CsvError, parse } from 'csv-parse/sync';
import { CatalogueProblem } from './catalogue-problem.ts';
import type { PlacedProduct } from './product.ts';

interface Row {
  record: string[];
  info: { lines: number };
}

const activeWords = new Map([
  ...['', 'true', '1', 'yes'].map((word) => [word, true] as const),
  ...['false', '0', 'no'].map((word) => [word, false] as const),
]);

export function readCsvCatalogue(text: string): PlacedProduct[] {
  const [header, ...rows] = readRows(text);
  const columns = header?.record.map((name) => name.trim().toLowerCase()) ?? [];
  if (!columns.includes('sku')) throw new CatalogueProblem(undefined, 'has no column sku in its first line');
  return rows.map(({ record, info }) => {
    const place = `line ${info.lines}`;
    const cell = (column: string) => (record[columns.indexOf(column)] ?? '').trim();
    const sku = cell('sku');
    if (sku === '') throw new CatalogueProblem(place, 'has a blank SKU');
    const active = activeWords.get(cell('active').toLowerCase());
    if (active === undefined) {
      throw new CatalogueProblem(place, `has "${cell('active')}" for active, which is true or false`);
    }
    return { place, product: { sku, name: cell('name') || undefined, active } };
  });
}

function readRows(text: string): Row[] {
  try {
    return parse(text, { bom: true, info: true, skip_empty_lines: true }) as unknown as Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CatalogueProblem(undefined, `is not CSV: ${error.message}`);
  }
}
