import { distance } from 'fastest-levenshtein';
import type { knownPaths } from './known-paths.ts';

type KnownPath = (typeof knownPaths)[number];

/** What the fields of the interface are called by people and shops, in English, Mongolian, Shopify and WooCommerce. */
const aliases: Record<KnownPath, string[]> = {
  externalOrderId: [
    ...[
      'Order ID',
      'Order Number',
      'Order No',
      'Order No.',
      'External ID',
      'external_order_id',
      'order_id',
      'order_number',
    ],
    ...['Захиалгын дугаар', 'Захиалгын №', 'Захиалгын ID', 'Захиалга №'],
  ],
  'customer.phone': [
    ...['Phone', 'Phone Number', 'Customer Phone', 'Mobile', 'Shipping Phone', 'shipping_phone'],
    ...['Phone (Shipping)', 'Phone (Billing)', 'billing_phone'],
    ...['Утас', 'Утасны дугаар', 'Харилцагчийн утас', 'Хүлээн авагчийн утас', 'Захиалагчийн утас'],
  ],
  'customer.externalCustomerId': [
    ...['Customer ID', 'Customer Number', 'Customer No', 'customer_id', 'customer_user'],
    ...['Харилцагчийн дугаар', 'Харилцагчийн код', 'Харилцагчийн ID'],
  ],
  'items[].sku': [
    ...['SKU', 'Item SKU', 'Product SKU', 'Product Code', 'Lineitem sku', 'item_sku', 'product_sku'],
    ...['Барааны код', 'Бүтээгдэхүүний код', 'Барааны SKU'],
  ],
  collectionMode: ['Collection', 'Хураах төрөл', 'Мөнгө авах эсэх'],
  collectionAmount: [
    ...['Amount to collect', 'Collect', 'COD Amount', 'COD', 'Cash on delivery amount'],
    ...['Хураах дүн', 'Авах дүн', 'Хүргэлтээр авах дүн', 'Авах мөнгө'],
  ],
  total: [
    ...['Order Total', 'Total Amount', 'Grand Total', 'order_total', 'Order Total Amount'],
    ...['Нийт дүн', 'Нийт үнэ', 'Захиалгын дүн', 'Нийт төлбөр'],
  ],
  requestedDeliveryDate: [
    ...['Delivery Date', 'Requested Date', 'Deliver On', 'delivery_date'],
    ...['Хүргэх өдөр', 'Хүргэх огноо', 'Хүргэлтийн өдөр', 'Хүргэлтийн огноо'],
  ],
};

const pathByAlias = new Map<string, string>(
  Object.entries(aliases).flatMap(([path, names]) => names.map((name) => [foldHeader(name), path] as const)),
);

/** What the service itself calls the number that it gives an order: that is never the merchant's own id. */
const assignedByService = 'orderNumber';

/** The field that exactly this header is a name of. */
export function pathOfAlias(header: string): string | undefined {
  return header === assignedByService ? undefined : pathByAlias.get(foldHeader(header));
}

/** The headers that may be meant for a field, the likeliest first; to be offered and never taken. */
export function likelyHeaders(path: KnownPath, headers: readonly string[]): string[] {
  return closest([path, ...aliases[path]], headers);
}

/** The headers that a name all but spells. */
export function likelyNames(name: string, headers: readonly string[]): string[] {
  return closest([name], headers);
}

function closest(names: readonly string[], headers: readonly string[]): string[] {
  const folded = names.map(foldHeader);
  const strangeness = (header: string) =>
    Math.min(...folded.map((name) => distance(foldHeader(header), name) / name.length));
  return headers
    .map((header) => ({ header, strangeness: strangeness(header) }))
    .filter((likely) => likely.strangeness <= 0.34)
    .sort((left, right) => left.strangeness - right.strangeness)
    .map(({ header }) => header);
}

/** A header as headers are compared: without case, spaces and byte order mark. */
export function foldHeader(header: string): string {
  return header
    .normalize('NFC')
    .replace(/[\s\u200b-\u200d\u2060\ufeff]+/g, '')
    .toLowerCase();
}
