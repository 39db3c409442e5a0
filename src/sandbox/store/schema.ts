import { advice, again, flag } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import type { Schema } from '../../system/sqlite.ts';
import { seed } from './seed.ts';

/** Error for a file with other content, which is left as it is: `configuration_invalid`. */
export function sandboxSchema(randomUuid: () => string): Schema {
  return {
    // "MOSB"
    applicationId: 0x4d4f5342,
    version: 3,
    create: (database) => {
      database.exec(tables);
      seed(database, randomUuid);
    },
    mismatch: (path) =>
      new CliError(
        'configuration_invalid',
        `The database ${path} was made by another version of merchant-orders, or by another program.`,
        {
          hint: advice`It was left as it is. Move it away and run the same command again, or give another file with sandbox start ${flag('--db', 'FILE')}.${again()}`,
        },
      ),
  };
}

const tables = `
  CREATE TABLE sandbox (one INTEGER PRIMARY KEY CHECK (one = 1), identity TEXT NOT NULL) STRICT;
  CREATE TABLE merchants (id INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE clients (
    id INTEGER PRIMARY KEY,
    merchant_id INTEGER NOT NULL REFERENCES merchants (id),
    UNIQUE (merchant_id, id)
  ) STRICT;
  CREATE TABLE api_keys (
    key TEXT PRIMARY KEY CHECK (substr(key, 1, 8) = 'sandbox_'),
    client_id INTEGER NOT NULL REFERENCES clients (id),
    scopes TEXT NOT NULL
  ) STRICT;
  CREATE TABLE products (
    merchant_id INTEGER NOT NULL REFERENCES merchants (id),
    sku TEXT NOT NULL CHECK (trim(sku) <> ''),
    name TEXT,
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    PRIMARY KEY (merchant_id, sku)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE customers (
    id INTEGER PRIMARY KEY,
    merchant_id INTEGER NOT NULL REFERENCES merchants (id),
    phone TEXT,
    UNIQUE (merchant_id, id)
  ) STRICT;
  CREATE INDEX customers_by_phone ON customers (merchant_id, phone);
  CREATE TABLE external_customers (
    client_id INTEGER NOT NULL,
    external_customer_id TEXT NOT NULL,
    merchant_id INTEGER NOT NULL,
    customer_id INTEGER NOT NULL,
    PRIMARY KEY (client_id, external_customer_id),
    FOREIGN KEY (merchant_id, client_id) REFERENCES clients (merchant_id, id),
    FOREIGN KEY (merchant_id, customer_id) REFERENCES customers (merchant_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX external_customers_by_customer ON external_customers (customer_id);
  CREATE TABLE order_numbers (year INTEGER PRIMARY KEY, last INTEGER NOT NULL CHECK (last > 0)) STRICT;
  CREATE TABLE orders (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    merchant_id INTEGER NOT NULL,
    client_id INTEGER NOT NULL,
    customer_id INTEGER NOT NULL,
    order_number TEXT NOT NULL UNIQUE,
    external_order_id TEXT,
    owns_external_id INTEGER NOT NULL DEFAULT 1 CHECK (owns_external_id IN (0, 1)),
    status TEXT NOT NULL CHECK (status <> ''),
    customer_phone TEXT,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    cancel_reason TEXT CHECK (trim(cancel_reason) <> ''),
    cancelled_at INTEGER,
    FOREIGN KEY (merchant_id, client_id) REFERENCES clients (merchant_id, id),
    FOREIGN KEY (merchant_id, customer_id) REFERENCES customers (merchant_id, id),
    CHECK ((cancel_reason IS NULL) = (cancelled_at IS NULL))
  ) STRICT;
  CREATE UNIQUE INDEX orders_by_external_id ON orders (client_id, external_order_id, NULLIF(owns_external_id, 0));
  CREATE INDEX orders_by_creation ON orders (merchant_id, created_at);
  CREATE INDEX orders_by_status ON orders (merchant_id, status, created_at);
  CREATE INDEX orders_by_phone ON orders (merchant_id, customer_phone, created_at);
  CREATE TABLE deliveries (
    order_id TEXT PRIMARY KEY REFERENCES orders (id) ON DELETE CASCADE,
    id TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL CHECK (status <> ''),
    delivered_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE idempotency_keys (
    client_id INTEGER NOT NULL REFERENCES clients (id),
    key TEXT NOT NULL,
    body_hash TEXT NOT NULL,
    status INTEGER NOT NULL,
    response TEXT NOT NULL,
    content_type TEXT,
    stored_at INTEGER NOT NULL,
    UNIQUE (client_id, key)
  ) STRICT;
  CREATE TABLE requests (
    sequence INTEGER PRIMARY KEY,
    arrived_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    route TEXT NOT NULL,
    subject TEXT NOT NULL,
    client_id INTEGER,
    idempotency_key TEXT,
    body_hash TEXT,
    authorization TEXT NOT NULL CHECK (authorization IN ('none', 'known', 'unknown', 'foreign')),
    under_way INTEGER NOT NULL,
    early_by INTEGER NOT NULL CHECK (early_by >= 0),
    status INTEGER,
    fault TEXT,
    not_before INTEGER,
    order_id TEXT
  ) STRICT;
  CREATE TABLE counted_requests (
    route TEXT NOT NULL,
    authorization TEXT NOT NULL CHECK (authorization IN ('none', 'unknown', 'foreign')),
    requests INTEGER NOT NULL,
    PRIMARY KEY (route, authorization)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE serving (
    id INTEGER PRIMARY KEY,
    base_url TEXT NOT NULL UNIQUE,
    behaviour TEXT NOT NULL
  ) STRICT;`;
