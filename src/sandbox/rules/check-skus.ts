import { type Order, orderLines, textField } from '../../orders/order.ts';
import { refuseField } from '../refusal.ts';
import type { Store } from '../store/store.ts';

/** The SKU rules of interface section 4.1; a line without a SKU is not looked up. */
export function checkSkus(store: Store, merchantId: number, order: Order): void {
  for (const [index, line] of orderLines(order).entries()) {
    const sku = textField(line, 'sku');
    if (sku === undefined) continue;
    const product = store.products.find(merchantId, sku);
    const field = `items[${index}].sku`;
    if (!product) throw refuseField('skuUnknown', field, `no product has the SKU "${sku}"`);
    if (!product.active) throw refuseField('skuInactive', field, `"${sku}" is inactive`);
  }
}
