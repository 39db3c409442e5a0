import type { Preset } from './preset.ts';

/** The orders export of Shopify: one row a line, what belongs to the order on its first row only. */
export const shopify: Preset = {
  columns: {
    externalOrderId: ['Name'],
    'customer.phone': ['Shipping Phone', 'Phone', 'Billing Phone'],
    'customer.name': ['Shipping Name', 'Billing Name'],
    'customer.email': ['Email'],
    'items[].sku': ['Lineitem sku'],
    'items[].name': ['Lineitem name'],
    'items[].quantity:number': ['Lineitem quantity'],
    'items[].unitPrice': ['Lineitem price'],
    total: ['Total'],
    'deliveryAddress.street': ['Shipping Street', 'Shipping Address1'],
    'deliveryAddress.city': ['Shipping City'],
    'deliveryAddress.province': ['Shipping Province Name', 'Shipping Province'],
    'deliveryAddress.postalCode': ['Shipping Zip'],
    'deliveryAddress.country': ['Shipping Country'],
    'deliveryAddress.note': ['Notes'],
  },
  mayBeWide: false,
  shippingMethod: ['Shipping Method'],
  cancelled: { columns: ['Cancelled at'], when: '*' },
  currency: ['Currency'],
};
