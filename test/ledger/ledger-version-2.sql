-- A ledger of version 2, as an import of four orders left it that was killed while two of them were being sent: "UB 2"
-- had reached the service, and "UB 3" had not.
CREATE TABLE cancellations (
  client TEXT NOT NULL,
  order_id TEXT NOT NULL,
  external_order_id TEXT,
  cancelled_at INTEGER NOT NULL,
  is_replaced INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (order_id, client)
) WITHOUT ROWID;
CREATE TABLE clients (client TEXT PRIMARY KEY, service TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE orders (
  client TEXT NOT NULL,
  external_order_id TEXT NOT NULL,
  folded_id TEXT,
  body_hash TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  generation INTEGER NOT NULL CHECK (generation >= 0),
  state TEXT NOT NULL CHECK (state IN ('intent', 'created', 'rejected', 'unknown', 'not_found')),
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
CREATE TABLE run_orders (
  run TEXT NOT NULL,
  row INTEGER NOT NULL,
  external_order_id TEXT NOT NULL,
  outcome TEXT NOT NULL,
  code TEXT,
  attempts INTEGER NOT NULL,
  body_hash TEXT,
  PRIMARY KEY (run, row)
) WITHOUT ROWID;
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
CREATE TABLE secret (value TEXT NOT NULL);
CREATE INDEX orders_by_folded_id ON orders (client, folded_id) WHERE folded_id IS NOT NULL;
CREATE INDEX cancellations_by_external_order_id ON cancellations (client, external_order_id);

PRAGMA application_id = 1297042503;
PRAGMA user_version = 2;
INSERT INTO clients VALUES ('a8116074844e5f844a9cde81601d1937756f4ebbc077801cc30f34d10f7fa7d8','sandbox a5e11416-d916-4365-9d4e-6b201994c606');
INSERT INTO orders VALUES ('a8116074844e5f844a9cde81601d1937756f4ebbc077801cc30f34d10f7fa7d8','#1013','1013','53403cec37bebdd9c8f35a27de40cd24','e46932e5-c0d2-84f1-8840-e7a23bf2f5e5',0,'created','01a2177a-1aa5-7207-ace1-302a77ac5503','ORD-2026-000002',NULL,'e26704d8','e26704d8',NULL,NULL,1764154207912);
INSERT INTO orders VALUES ('a8116074844e5f844a9cde81601d1937756f4ebbc077801cc30f34d10f7fa7d8','UB 1',NULL,'04f341a25290793c870055d6b6fbb110','7e693273-b01e-8b0b-a332-7a57f5005ec1',0,'created','01a2177a-1aa9-71e7-8a6f-7cdb6ae1092a','ORD-2026-000003',NULL,'e26704d8','e26704d8',NULL,NULL,1764154207916);
INSERT INTO orders VALUES ('a8116074844e5f844a9cde81601d1937756f4ebbc077801cc30f34d10f7fa7d8','UB 2',NULL,'5258afa1eb12b5c920c72da3f37440eb','f8029789-4638-8f2c-b912-0d71b87b7ee2',0,'intent',NULL,NULL,NULL,'e26704d8','e26704d8',NULL,NULL,1764154207887);
INSERT INTO orders VALUES ('a8116074844e5f844a9cde81601d1937756f4ebbc077801cc30f34d10f7fa7d8','UB 3',NULL,'036d9183dcfb3297617d53c09c3a35b1','dbb7c383-2955-83cc-a175-29231a2d9f30',0,'intent',NULL,NULL,NULL,'e26704d8','e26704d8',NULL,NULL,1764154207887);
INSERT INTO run_orders VALUES ('e26704d8',2,'UB 1','created',NULL,1,NULL);
INSERT INTO run_orders VALUES ('e26704d8',5,'#1013','created',NULL,1,NULL);
INSERT INTO runs VALUES ('e26704d8','import','orders.csv','orders.results.csv','a8116074844e5f844a9cde81601d1937756f4ebbc077801cc30f34d10f7fa7d8','sandbox a5e11416-d916-4365-9d4e-6b201994c606',4,1764154207876,1764154207876,NULL,NULL);
INSERT INTO secret VALUES ('a9e2e8752073732f9a5833377039c10713862ba78c967641b3c0132f1fe74b40');
