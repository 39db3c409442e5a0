import { openDatabase } from '../../../src/system/sqlite.ts';

/** An order as the service has it. */
export interface RecordedOrder {
  id: string;
  orderNumber: string;
  body: { collectionAmount: string; customer: { phone: string }; note?: string };
}

export interface ServiceRecord {
  /** By externalOrderId; the key is null for all orders that have none. */
  orders: Map<string | null, RecordedOrder[]>;
  /** How many keys each order was sent under. */
  keys: Map<string, number>;
  /** Orders that were committed and answered completely, and still sent again. */
  unheard: number;
  /** Requests that ran into a fault. */
  struck: number;
}

const selectUnheard = `
  SELECT COUNT(*) AS unheard FROM (
    SELECT subject,
      MIN(sequence) FILTER (WHERE order_id IS NOT NULL AND (fault IS NULL OR fault = 'wait')) AS heard,
      MAX(sequence) AS last FROM requests WHERE route = 'create' GROUP BY subject
  ) WHERE heard < last`;

/** The service's own log, from its database. */
export async function readRecord(databasePath: string): Promise<ServiceRecord> {
  const database = await openDatabase(databasePath);
  try {
    const rows = database
      .prepare('SELECT external_order_id, id, order_number, body FROM orders ORDER BY sequence')
      .all() as { external_order_id: string | null; id: string; order_number: string; body: string }[];
    const orders: ServiceRecord['orders'] = new Map();
    for (const { external_order_id: ownId, id, order_number: orderNumber, body } of rows) {
      const before = orders.get(ownId) ?? [];
      orders.set(ownId, [...before, { id, orderNumber, body: JSON.parse(body) }]);
    }
    const keys = database
      .prepare(
        `SELECT subject, COUNT(DISTINCT idempotency_key) AS keys FROM requests
         WHERE route = 'create' GROUP BY subject`,
      )
      .all() as { subject: string; keys: number }[];
    const { unheard } = database.prepare(selectUnheard).get() as { unheard: number };
    const { struck } = database
      .prepare('SELECT COUNT(*) AS struck FROM requests WHERE fault IS NOT NULL')
      .get() as { struck: number };
    return { orders, keys: new Map(keys.map(({ subject, keys }) => [subject, keys])), unheard, struck };
  } finally {
    database.close();
  }
}
