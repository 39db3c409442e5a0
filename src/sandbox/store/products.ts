import * as z from 'zod';
import type { Database } from '../../system/sqlite.ts';

const product = z.strictObject({
  sku: z.string().trim().min(1),
  name: z.string().optional(),
  active: z.boolean().default(true),
});

/** For people who send products: each SKU once. */
export const productList = z.array(product).superRefine((given, context) => {
  const positions = new Map<string, number>();
  for (const [position, { sku }] of given.entries()) {
    const earlier = positions.get(sku);
    const message = `the same SKU as [${earlier}]`;
    if (earlier !== undefined) context.addIssue({ code: 'custom', path: [position, 'sku'], message });
    positions.set(sku, position);
  }
});

export interface Product {
  sku: string;
  name?: string | undefined;
  active: boolean;
}

interface ProductRow {
  sku: string;
  name: string | null;
  active: number;
}

export function createProducts(database: Database) {
  const remove = database.prepare('DELETE FROM products WHERE merchant_id = ?');
  const upsert = database.prepare(`
    INSERT INTO products (merchant_id, sku, name, active) VALUES (?, ?, ?, ?)
    ON CONFLICT (merchant_id, sku) DO UPDATE SET name = excluded.name, active = excluded.active
  `);
  const selectAll = database.prepare(
    'SELECT sku, name, active FROM products WHERE merchant_id = ? ORDER BY sku',
  );
  const select = database.prepare('SELECT active FROM products WHERE merchant_id = ? AND sku = ?');
  const selectExample = database.prepare(
    "SELECT sku FROM products WHERE merchant_id = ? AND active = 1 AND sku NOT GLOB '*[^A-Za-z0-9._-]*' AND sku NOT GLOB '-*' ORDER BY sku <> 'TEA-001', sku LIMIT 1",
  );
  const count = database.prepare('SELECT COUNT(*) AS number FROM products');
  const put = (merchantId: number, products: readonly Product[]) => {
    for (const { sku, name, active } of products) upsert.run(merchantId, sku, name ?? null, active ? 1 : 0);
  };
  return {
    put,
    replace(merchantId: number, products: readonly Product[]): void {
      remove.run(merchantId);
      put(merchantId, products);
    },
    all: (merchantId: number): Product[] =>
      (selectAll.all(merchantId) as ProductRow[]).map(({ sku, name, active }) => ({
        sku,
        name: name ?? undefined,
        active: active === 1,
      })),
    /** An active SKU that needs no quotes in a shell, TEA-001 if possible. */
    example: (merchantId: number): string =>
      (selectExample.get(merchantId) as { sku: string } | undefined)?.sku ?? 'TEA-001',
    find(merchantId: number, sku: string): { active: boolean } | undefined {
      const row = select.get(merchantId, sku) as { active: number } | undefined;
      return row && { active: row.active === 1 };
    },
    count: (): number => (count.get() as { number: number }).number,
  };
}
