import { type Order, orderLines, textField } from '../../orders/order.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../store/store.ts';

/** The SKU rules of interface section 4.1; a line without a SKU is not looked up. */
export function checkSkus(store: Store, merchantId: number, order: Order): void {
  for (const [index, line] of orderLines(order).entries()) {
    const sku = textField(line, 'sku');
    if (sku === undefined) continue;
    const product = store.products.find(merchantId, sku);
    if (!product) throw new Refusal('skuUnknown', `items[${index}].sku: no product has the SKU "${sku}"`);
    if (!product.active) throw new Refusal('skuInactive', `items[${index}].sku: "${sku}" is inactive`);
  }
}
