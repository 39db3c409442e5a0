-- A ledger as version 0.1.0 of the program wrote it, with orders in each state.
CREATE TABLE secret (value TEXT NOT NULL);
INSERT INTO secret VALUES ('5ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4e75ec4e7');
CREATE TABLE clients (client TEXT PRIMARY KEY, service TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE orders (
  client TEXT NOT NULL,
  external_order_id TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  generation INTEGER NOT NULL CHECK (generation >= 0),
  state TEXT NOT NULL CHECK (state IN ('intent', 'created', 'rejected', 'unknown')),
  order_id TEXT,
  order_number TEXT,
  code TEXT,
  run TEXT NOT NULL,
  last_run TEXT NOT NULL,
  unknown_at INTEGER,
  disputed_at INTEGER,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (client, external_order_id)
) WITHOUT ROWID;
CREATE TABLE rejections (
  client TEXT NOT NULL,
  external_order_id TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  generation INTEGER NOT NULL,
  PRIMARY KEY (client, external_order_id, body_hash)
) WITHOUT ROWID;
CREATE TABLE cancellations (
  client TEXT NOT NULL,
  order_id TEXT NOT NULL,
  external_order_id TEXT,
  cancelled_at INTEGER NOT NULL,
  is_replaced INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (order_id, client)
) WITHOUT ROWID;
CREATE INDEX cancellations_by_external_order_id ON cancellations (client, external_order_id);
CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  file TEXT NOT NULL,
  results TEXT NOT NULL,
  client TEXT NOT NULL,
  service TEXT NOT NULL,
  orders INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  heartbeat_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit_code INTEGER
);
CREATE TABLE run_orders (
  run TEXT NOT NULL,
  row INTEGER NOT NULL,
  external_order_id TEXT NOT NULL,
  outcome TEXT NOT NULL,
  code TEXT,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (run, row)
) WITHOUT ROWID;

PRAGMA application_id = 1297042503;
PRAGMA user_version = 1;
INSERT INTO clients VALUES ('303a565c5fa5671d6da1d8fbf02e76fee12f25f3973c10f5e31c9375091039eb', 'https://api.example');
INSERT INTO orders VALUES
  ('303a565c5fa5671d6da1d8fbf02e76fee12f25f3973c10f5e31c9375091039eb', 'A-1', 'body-1', 'key-1', 0, 'created', 'id-1', 'ORD-1', NULL, 'run-1', 'run-1', NULL, NULL, 1000),
  ('303a565c5fa5671d6da1d8fbf02e76fee12f25f3973c10f5e31c9375091039eb', '#1013', 'body-2', 'key-2', 1, 'unknown', NULL, NULL, NULL, 'run-1', 'run-2', 2000, 1500, 2000),
  ('303a565c5fa5671d6da1d8fbf02e76fee12f25f3973c10f5e31c9375091039eb', 'B-2', 'body-3', 'key-3', 0, 'intent', NULL, NULL, NULL, 'run-2', 'run-2', NULL, NULL, 3000),
  ('303a565c5fa5671d6da1d8fbf02e76fee12f25f3973c10f5e31c9375091039eb', 'C-3', 'body-4', 'key-4', 0, 'rejected', NULL, NULL, 'PRODUCT_SKU_NOT_FOUND', 'run-2', 'run-2', NULL, NULL, 3000);
INSERT INTO rejections VALUES ('303a565c5fa5671d6da1d8fbf02e76fee12f25f3973c10f5e31c9375091039eb', 'C-3', 'body-4', 0);
