import * as z from 'zod';
import type { Database } from '../../system/sqlite.ts';
import { createStatements } from './statements.ts';

const product = z.strictObject({
  sku: z.string().trim().min(1, 'is blank'),
  name: z.string().optional(),
  active: z.boolean().default(true),
});

/** Each SKU once. */
export const productList = z.array(product).superRefine((given, context) => {
  const earlier = new Set<string>();
  for (const [position, { sku }] of given.entries()) {
    const message = `the SKU "${sku}" is there twice`;
    if (earlier.has(sku)) context.addIssue({ code: 'custom', path: [position, 'sku'], message });
    earlier.add(sku);
  }
});

export type Product = z.output<typeof product>;

type ProductRow = { sku: string; name: string | null; active: number };

export function createProducts(database: Database) {
  const { change, one, all, count, value, insertRows } = createStatements(database);
  const remove = change<[merchantId: number]>('DELETE FROM products WHERE merchant_id = ?');
  const upsert = insertRows('INSERT OR REPLACE', 'products', ['merchantId', 'sku', 'name', 'active']);
  const selectAll = all<[merchantId: number], ProductRow>(
    'SELECT sku, name, active FROM products WHERE merchant_id = ? ORDER BY sku',
  );
  const example = value<[merchantId: number], string>(
    "SELECT sku FROM products WHERE merchant_id = ? AND active = 1 AND sku NOT GLOB '*[^A-Za-z0-9._-]*' AND sku NOT GLOB '-*' ORDER BY sku <> 'TEA-001', sku LIMIT 1",
  );
  const put = (merchantId: number, products: readonly Product[]) => {
    for (const product of products) upsert({ ...product, merchantId, active: Number(product.active) });
  };
  return {
    put,
    replace(merchantId: number, products: readonly Product[]): void {
      remove(merchantId);
      put(merchantId, products);
    },
    all: (merchantId: number): Product[] =>
      selectAll(merchantId).map(({ sku, name, active }) => ({
        sku,
        name: name ?? undefined,
        active: active === 1,
      })),
    /** An active SKU that needs no quotes in a shell, TEA-001 if possible. */
    example: (merchantId: number): string => example(merchantId) ?? 'TEA-001',
    /** `active` is 1 or 0. */
    find: one<[merchantId: number, sku: string], { active: number }>(
      'SELECT active FROM products WHERE merchant_id = ? AND sku = ?',
    ),
    count: count('SELECT COUNT(*) FROM products'),
  };
}
