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
  /** The number of keys under which each order was sent. */
  keys: Map<string, number>;
  /** Orders that were sent again, or looked up, after a complete response. */
  repeated: number;
  /** Requests that met a fault. */
  faulted: number;
}

/** A lookup is a list with the filter `?externalOrderId=`. */
const selectRepeated = `
  SELECT COUNT(*) AS repeated FROM (
    SELECT
      MIN(sequence) FILTER (
        WHERE route = 'create' AND order_id IS NOT NULL AND (fault IS NULL OR fault = 'wait')
      ) AS completed,
      MAX(sequence) AS last
    FROM requests WHERE route IN ('create', 'list')
    GROUP BY CASE route WHEN 'list' THEN substr(subject, 18, instr(subject || '&', '&') - 18) ELSE subject END
  ) WHERE completed < last`;

/** The service's own log, from its database. */
export async function readRecord(databasePath: string): Promise<ServiceRecord> {
  const database = await openDatabase(databasePath);
  try {
    const rows = database
      .prepare('SELECT external_order_id, id, order_number, body FROM orders ORDER BY sequence')
      .all() as { external_order_id: string | null; id: string; order_number: string; body: string }[];
    const orders: ServiceRecord['orders'] = new Map();
    for (const { external_order_id: externalOrderId, id, order_number: orderNumber, body } of rows) {
      const before = orders.get(externalOrderId) ?? [];
      orders.set(externalOrderId, [...before, { id, orderNumber, body: JSON.parse(body) }]);
    }
    const keys = database
      .prepare(
        `SELECT subject, COUNT(DISTINCT idempotency_key) AS keys FROM requests
         WHERE route = 'create' GROUP BY subject`,
      )
      .all() as { subject: string; keys: number }[];
    const { repeated } = database.prepare(selectRepeated).get() as { repeated: number };
    const { faulted } = database
      .prepare('SELECT COUNT(*) AS faulted FROM requests WHERE fault IS NOT NULL')
      .get() as { faulted: number };
    return { orders, keys: new Map(keys.map(({ subject, keys }) => [subject, keys])), repeated, faulted };
  } finally {
    database.close();
  }
}
