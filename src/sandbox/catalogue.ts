import { CliError } from '../errors.ts';
import { CatalogueProblem } from './catalogue/catalogue-problem.ts';
import { readCsvCatalogue } from './catalogue/csv-catalogue.ts';
import { readJsonCatalogue } from './catalogue/json-catalogue.ts';
import type { PlacedProduct, Product } from './catalogue/product.ts';

const hint =
  'A catalogue is CSV with the columns sku,name,active or a JSON array of {"sku","name","active"}; only the SKU is required';

/**
 * Reads a catalogue file by its ending, `.csv` or `.json`.
 * @throws CliError `file_invalid` naming the file and the line or item
 */
export function parseCatalogue(text: string, fileName: string): Product[] {
  try {
    const placed = readerOf(fileName)(text);
    refuseRepeats(placed);
    return placed.map(({ product }) => product);
  } catch (error) {
    if (!(error instanceof CatalogueProblem)) throw error;
    throw new CliError('file_invalid', `${fileName}${error.message}`, { hint });
  }
}

function readerOf(fileName: string): (text: string) => PlacedProduct[] {
  if (/\.csv$/i.test(fileName)) return readCsvCatalogue;
  if (/\.json$/i.test(fileName)) return readJsonCatalogue;
  throw new CatalogueProblem(undefined, 'is neither a .csv nor a .json file');
}

function refuseRepeats(placed: readonly PlacedProduct[]): void {
  const places = new Map<string, string>();
  for (const { product, place } of placed) {
    const earlier = places.get(product.sku);
    if (earlier) throw new CatalogueProblem(place, `has the SKU "${product.sku}" again, after ${earlier}`);
    places.set(product.sku, place);
  }
}
