import * as z from 'zod';
import { CsvFormatError, createWidthCheck, parseCsv, type Row } from '../csv/read-csv.ts';
import { CliError } from '../errors.ts';
import type { Product } from './store/products.ts';

const hint =
  'A catalogue is CSV with the columns sku,name,active or a JSON array of {"sku","name","active"}; only the SKU is required';

/** A `.csv` or `.json` file. @throws CliError `file_invalid` naming the file and line or item */
export function parseCatalogue(text: string, fileName: string): Product[] {
  return readProducts(fileName, () => readerOf(fileName)(text));
}

/** Products that do not come from a file. @throws CliError `file_invalid` naming the item */
export function checkCatalogue(products: unknown): Product[] {
  return readProducts('The catalogue', () => checkProducts(products));
}

function readProducts(source: string, read: () => PlacedProduct[]): Product[] {
  try {
    const placed = read();
    rejectRepeats(placed);
    return placed.map(({ product }) => product);
  } catch (error) {
    if (!(error instanceof CatalogueProblem)) throw error;
    throw new CliError('file_invalid', `${source}${error.message}`, { hint });
  }
}

function readerOf(fileName: string): (text: string) => PlacedProduct[] {
  if (/\.csv$/i.test(fileName)) return readCsvCatalogue;
  if (/\.json$/i.test(fileName)) return readJsonCatalogue;
  throw new CatalogueProblem(undefined, 'is neither a .csv nor a .json file');
}

function rejectRepeats(placed: readonly PlacedProduct[]): void {
  const bySku = new Map<string, string>();
  for (const { product, place } of placed) {
    const earlier = bySku.get(product.sku);
    if (earlier) throw new CatalogueProblem(place, `has the SKU "${product.sku}" again, after ${earlier}`);
    bySku.set(product.sku, place);
  }
}

/** The message continues a sentence that begins with the name of the file. */
class CatalogueProblem extends Error {
  constructor(place: string | undefined, problem: string) {
    super(place === undefined ? ` ${problem}` : `, ${place}, ${problem}`);
  }
}

const activeWords = new Map([
  ...['', 'true', '1', 'yes'].map((word) => [word, true] as const),
  ...['false', '0', 'no'].map((word) => [word, false] as const),
]);

function readCsvCatalogue(text: string): PlacedProduct[] {
  const [header, ...rows] = readRows(text);
  const columns = header?.cells.map((name) => name.toLowerCase()) ?? [];
  if (!columns.includes('sku')) throw new CatalogueProblem(undefined, 'has no column sku in its first line');
  return rows.map(({ line, cells }) => {
    const place = `line ${line}`;
    const cell = (column: string) => cells[columns.indexOf(column)] ?? '';
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
    const rows = parseCsv(text).filter(({ cells }) => cells.length > 1 || cells[0] !== '');
    const width = createWidthCheck(rows[0]?.cells.length ?? 0);
    const fitting = rows.map(width.fit).filter((row) => row !== undefined);
    const problem = width.problem();
    if (problem !== undefined) throw new CatalogueProblem(undefined, String(problem));
    return fitting;
  } catch (error) {
    if (!(error instanceof CsvFormatError)) throw error;
    throw new CatalogueProblem(undefined, error.message);
  }
}

const catalogue = z.array(
  z.object({
    sku: z.string().trim().min(1, 'is blank'),
    name: z.string().optional(),
    active: z.boolean().default(true),
  }),
);

function readJsonCatalogue(text: string): PlacedProduct[] {
  return checkProducts(readJson(text));
}

function checkProducts(products: unknown): PlacedProduct[] {
  const { data, error } = catalogue.safeParse(products);
  if (data) return data.map((product, index) => ({ product, place: placeOf(index) }));
  const [issue] = error.issues;
  const [index, field] = issue?.path ?? [];
  if (typeof index !== 'number') throw new CatalogueProblem(undefined, 'is not a JSON array of products');
  const subject = field === undefined ? 'is not a product' : `has a wrong ${String(field)}`;
  throw new CatalogueProblem(placeOf(index), `${subject}: ${issue?.message}`);
}

function placeOf(index: number): string {
  return `item ${index}`;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const detail = error instanceof SyntaxError ? error.message : String(error);
    throw new CatalogueProblem(undefined, `is not JSON: ${detail}`);
  }
}

interface PlacedProduct {
  product: Product;
  place: string;
}
