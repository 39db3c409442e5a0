import type { Database } from '../../system/sqlite.ts';
import type { Product } from '../catalogue/product.ts';

export function createProducts(database: Database) {
  const remove = database.prepare('DELETE FROM products WHERE merchant_id = ?');
  const insert = database.prepare(
    'INSERT INTO products (merchant_id, sku, name, active) VALUES (?, ?, ?, ?)',
  );
  const select = database.prepare('SELECT active FROM products WHERE merchant_id = ? AND sku = ?');
  const count = database.prepare('SELECT COUNT(*) AS number FROM products');
  return {
    replace(merchantId: number, products: readonly Product[]): void {
      remove.run(merchantId);
      for (const { sku, name, active } of products) insert.run(merchantId, sku, name ?? null, active ? 1 : 0);
    },
    find(merchantId: number, sku: string): { active: boolean } | undefined {
      const row = select.get(merchantId, sku) as { active: number } | undefined;
      return row && { active: row.active === 1 };
    },
    count: (): number => (count.get() as { number: number }).number,
  };
}
