import { writeFileSync } from 'node:fs';

/** An order of the file, as in its row. */
export interface FileOrder {
  externalOrderId: string;
  /** Its first row, numbered as in a spreadsheet. */
  row: number;
  lines: number;
  phone: string;
  sku: string;
  amount: string;
  /** The service has a reason to reject it. */
  isRefused: boolean;
  /** It was rejected before, or sent with other content: it may be sent under another key. */
  mayChangeKey?: boolean;
}

const header =
  'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount,requestedDeliveryDate';

/** What the sandbox rejects: an unknown SKU, an inactive SKU, a phone of two customers. */
const refused = [{ sku: 'NO-SUCH-SKU' }, { sku: 'SEA-001' }, { phone: '+97699000000' }];

/** This many orders, some of two lines; `refusals` of them, spread over the file, are rejected. */
export function inventOrders(prefix: string, count: number, refusals = 0): FileOrder[] {
  let row = 2;
  return Array.from({ length: count }, (_, place) => {
    const every = Math.floor(count / (refusals + 1));
    const isRefused = refusals > 0 && place % every === every - 1 && place / every < refusals;
    const lines = place % 5 === 4 ? 2 : 1;
    const order = {
      ...{ externalOrderId: `${prefix}-${place}`, row, lines, isRefused },
      ...{ phone: String(88_000_000 + place), sku: 'TEA-001', amount: `${1000 + place}.50` },
      ...(isRefused ? refused[Math.floor(place / every) % refused.length] : {}),
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
