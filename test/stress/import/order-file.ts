import { writeFileSync } from 'node:fs';

/** An order of the file. */
export interface FileOrder {
  externalOrderId: string;
  /** Its first row, numbered as in a spreadsheet. */
  row: number;
  lines: number;
  phone: string;
  sku: string;
  amount: string;
  /** The service rejects it. */
  isRejected: boolean;
  /** May be sent under another key, since it was rejected before or sent with other content. */
  mayChangeKey?: boolean;
}

const header =
  'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount,requestedDeliveryDate';

/** Rejected by the sandbox: an unknown SKU, an inactive SKU, a phone of two customers. */
const rejectedVariants = [{ sku: 'NO-SUCH-SKU' }, { sku: 'SEA-001' }, { phone: '+97699000000' }];

/** Some orders have two lines; `rejections` of them, spread over the file, are rejected. */
export function createOrders(prefix: string, count: number, rejections = 0): FileOrder[] {
  let row = 2;
  return Array.from({ length: count }, (_, index) => {
    const every = Math.floor(count / (rejections + 1));
    const isRejected = rejections > 0 && index % every === every - 1 && index / every < rejections;
    const lines = index % 5 === 4 ? 2 : 1;
    const order = {
      externalOrderId: `${prefix}-${index}`,
      row,
      lines,
      isRejected,
      phone: String(88_000_000 + index),
      sku: 'TEA-001',
      amount: `${1000 + index}.50`,
      ...(isRejected ? rejectedVariants[Math.floor(index / every) % rejectedVariants.length] : {}),
    };
    row += lines;
    return order;
  });
}

export function writeOrderFile(path: string, orders: readonly FileOrder[]): void {
  const rows = orders.flatMap(({ externalOrderId, phone, sku, amount, lines }) => [
    `${externalOrderId},${phone},${sku},COLLECT,${amount},2030-01-15`,
    ...(lines === 2 ? [`${externalOrderId},,MUG-001,,,`] : []),
  ]);
  writeFileSync(path, `${[header, ...rows].join('\n')}\n`);
}
