import type { Preset } from './preset.ts';

/** The order exports of WooCommerce and its usual export plugins, which each name the columns in their own way. */
export const woocommerce: Preset = {
  columns: {
    externalOrderId: ['Order Number', 'order_number', 'Order ID', 'order_id', 'wc_order_id'],
    'customer.phone': ['Phone (Shipping)', 'shipping_phone', 'Phone (Billing)', 'billing_phone'],
    'customer.name': {
      join: ' ',
      of: [
        ['First Name (Shipping)', 'shipping_first_name', 'shipping_name', 'billing_name'],
        ['Last Name (Shipping)', 'shipping_last_name'],
      ],
    },
    'customer.email': ['Email (Billing)', 'billing_email'],
    'items[].sku': ['SKU', 'item_sku', 'product_sku'],
    'items[].name': ['Item Name', 'item_name', 'product_name'],
    'items[].quantity:number': ['Quantity', 'Quantity (- Refund)', 'item_quantity', 'quantity'],
    'items[].unitPrice': ['Item Cost', 'item_price', 'item_cost'],
    total: ['Order Total Amount', 'order_total', 'total'],
    'deliveryAddress.street': {
      join: ', ',
      of: [
        ['Address 1&2 (Shipping)', 'Address 1 (Shipping)', 'shipping_address_1'],
        ['Address 2 (Shipping)', 'shipping_address_2'],
      ],
    },
    'deliveryAddress.city': ['City (Shipping)', 'shipping_city'],
    'deliveryAddress.province': ['State Code (Shipping)', 'shipping_state'],
    'deliveryAddress.postalCode': ['Postcode (Shipping)', 'shipping_postcode'],
    'deliveryAddress.country': ['Country Code (Shipping)', 'shipping_country'],
    'deliveryAddress.note': ['Customer Note', 'customer_note', 'notes'],
  },
  mayBeWide: true,
  shippingMethod: ['Shipping Method Title', 'Shipping Method', 'shipping_method', 'shipping_method_title'],
  cancelled: {
    columns: ['Order Status', 'order_status', 'status'],
    when: [
      'cancelled',
      'refunded',
      'failed',
      'trash',
      'wc-cancelled',
      'wc-refunded',
      'wc-failed',
      'wc-trash',
    ],
  },
  currency: ['Currency', 'currency', 'order_currency'],
};
