/** Orders in a row of order_counts when it is split, and in the rows that come of it. */
const fullRow = 2048;
const splitRow = 1024;

/** Before any creation time. */
const earliest = -8_640_000_000_000_000;

/**
 * How many orders a merchant has by status, so that a total need not walk them all. A row counts the orders that
 * were created from `since` until the next row's; one millisecond is in one row.
 */
const countTable = `
  CREATE TABLE order_counts (
    merchant_id INTEGER NOT NULL,
    status TEXT NOT NULL,
    since INTEGER NOT NULL,
    orders INTEGER NOT NULL CHECK (orders >= 0),
    PRIMARY KEY (merchant_id, status, since)
  ) STRICT, WITHOUT ROWID;
`;

function rowOf(order: 'new' | 'old'): string {
  return `(SELECT MAX(since) FROM order_counts
      WHERE merchant_id = ${order}.merchant_id AND status = ${order}.status AND since <= ${order}.created_at)`;
}

const countIn = `
    INSERT INTO order_counts (merchant_id, status, since, orders)
      VALUES (new.merchant_id, new.status, COALESCE(${rowOf('new')}, ${earliest}), 1)
      ON CONFLICT DO UPDATE SET orders = orders + 1;`;

const countOut = `
    UPDATE order_counts SET orders = orders - 1
      WHERE merchant_id = old.merchant_id AND status = old.status AND since = ${rowOf('old')};`;

/** Counts orders by status in rows of `splitRow`, the first of which begins at `since`. */
function countAnew(since: string, where: string): string {
  return `
    INSERT INTO order_counts (merchant_id, status, since, orders)
      SELECT merchant_id, status, CASE part WHEN 0 THEN ${since} ELSE MIN(created_at) END, COUNT(*)
      FROM (
        SELECT merchant_id, status, created_at,
          (RANK() OVER (PARTITION BY merchant_id, status ORDER BY created_at) - 1) / ${splitRow} AS part
        FROM orders WHERE ${where}
      )
      WHERE TRUE GROUP BY merchant_id, status, part
      ON CONFLICT DO UPDATE SET orders = excluded.orders;`;
}

const next = `(SELECT MIN(since) FROM order_counts
          WHERE merchant_id = new.merchant_id AND status = new.status AND since > new.since)`;
const ordersOfRow = `merchant_id = new.merchant_id AND status = new.status
          AND created_at >= new.since AND created_at < COALESCE(${next}, ${-earliest})`;

/** Kept with every change of an order. A row that doubles is split, unless that would part a millisecond. */
const countTriggers = `
  CREATE TRIGGER orders_counted_in AFTER INSERT ON orders BEGIN ${countIn}
  END;
  CREATE TRIGGER orders_counted_out AFTER DELETE ON orders BEGIN ${countOut}
    DELETE FROM order_counts WHERE merchant_id = old.merchant_id AND orders = 0;
  END;
  CREATE TRIGGER orders_counted_over AFTER UPDATE OF merchant_id, status, created_at ON orders
  BEGIN ${countOut} ${countIn}
  END;
  CREATE TRIGGER order_counts_split AFTER UPDATE OF orders ON order_counts
  WHEN new.orders > old.orders AND new.orders >= ${fullRow} AND new.orders & (new.orders - 1) = 0
  BEGIN ${countAnew('new.since', ordersOfRow)}
  END;
`;

export const orderCounts = countTable + countTriggers;
