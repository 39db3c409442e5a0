import { z } from 'zod';
import { CatalogueProblem } from './catalogue-problem.ts';
import type { PlacedProduct } from './product.ts';

const catalogue = z.array(
  z.object({
    sku: z.string().trim().min(1, 'is blank'),
    name: z.string().optional(),
    active: z.boolean().default(true),
  }),
);

export function readJsonCatalogue(text: string): PlacedProduct[] {
  const { data, error } = catalogue.safeParse(readJson(text));
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
