import type { Preset } from '../map/preset.ts';

const pickups = [
  // Written with spaces, hyphens or underscores, alone or within other names.
  '(?<![a-z])pick[\\s_-]?up(?![a-z])',
  '(?<![a-z])in[\\s_-]store(?![a-z])',
  '(?<![a-z])(?:store|self)[\\s_-]collect(?:ion)?(?![a-z])',
  '(?<![a-z])click[\\s_-]*(?:&|and)[\\s_-]*collect(?![a-z])',
  '(?<![a-z])curbside(?![a-z])',
  '(?:өөрөө|өөрийн биеэр)\\s+(?:(?:ирж|очиж)\\s+)?ав',
  '(?:очиж|ирж)\\s+ав',
  '(?:дэлгүүр|салбар|агуулах|оффис)(?:аас|ээс|оос|өөс)\\s+ав',
  'самовывоз',
];
const pickup = new RegExp(pickups.join('|'), 'i');

/** Whether a shipping method, as shops and their merchants name it, means that the customer picks the order up. */
export function isPickup(shippingMethod: string): boolean {
  return pickup.test(shippingMethod);
}

/** The orders export of Shopify: one row per line; cells of the order are on its first row only. */
const shopify: Preset = {
  name: 'shopify',
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
  isPickup,
  shippingMethod: ['Shipping Method'],
  cancelled: { columns: ['Cancelled at'], when: '*' },
  currency: ['Currency'],
};

/** WooCommerce and its common export plugins, each with column names of its own. */
const woocommerce: Preset = {
  name: 'woocommerce',
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
  isPickup,
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

/** The shops whose exports `--preset` reads. */
export const presets = { shopify, woocommerce };
export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as PresetName[];
