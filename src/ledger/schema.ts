import { advice, again, shellCommand } from '../advice/advice.ts';
import { CliError, isDiskFull } from '../errors.ts';
import { foldExternalId } from '../orders/order-reference.ts';
import type { Schema } from '../system/sqlite.ts';

/**
 * Ids, hashes, states, times and paths of fields; never a name, a phone number or an API key. `folded_id` is null for an ID
 * that is written as it is folded, as most are: so they need no place in its index. `copies` is null, or JSON. A cancellation
 * is done when the service showed it, and asked for before.
 */
const tables = `
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
    copies TEXT,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (client, external_order_id)
  ) WITHOUT ROWID;
  CREATE INDEX orders_with_copies ON orders (client) WHERE copies IS NOT NULL;
  CREATE INDEX orders_by_folded_id ON orders (client, folded_id) WHERE folded_id IS NOT NULL;
  CREATE TABLE secret (value TEXT NOT NULL);
  INSERT INTO secret VALUES (lower(hex(randomblob(32))));
  CREATE TABLE clients (client TEXT PRIMARY KEY, service TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE field_places (
    client TEXT NOT NULL,
    field TEXT NOT NULL,
    path TEXT NOT NULL,
    known TEXT NOT NULL CHECK (known IN ('set', 'shown', 'chosen', 'not_shown')),
    PRIMARY KEY (client, field)
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
    is_done INTEGER NOT NULL DEFAULT 1,
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
    body_hash TEXT,
    begun_by TEXT,
    PRIMARY KEY (run, row)
  ) WITHOUT ROWID;
`;

const ledgerVersion = 4;

export const ledgerSchema: Schema = {
  // "MOLG"
  applicationId: 0x4d4f4c47,
  version: ledgerVersion,
  create: (database) => database.exec(tables),
  mismatch: (path, version) =>
    new CliError(
      'ledger_not_writable',
      version === undefined
        ? `${path} is not a ledger of merchant-orders. It was left as it is.`
        : `${path} is a ledger of version ${version}, and this program knows version ${ledgerVersion}. It was left as it is.`,
      { hint: mismatchHint(version) },
    ),
};

function mismatchHint(version = 0) {
  if (version > ledgerVersion) {
    return advice`Update merchant-orders: ${shellCommand('npm install -g merchant-orders@latest')}`;
  }
  const move = 'Move the file away: orders keep their keys, so none is created twice.';
  return version === 0
    ? move
    : `Run "settle" with the version of merchant-orders that wrote it, so that no order stays unknown. ${move}`;
}

export function foldedIdOf(externalOrderId: string): string | null {
  const folded = foldExternalId(externalOrderId);
  return folded === externalOrderId ? null : folded;
}

/** Runs `work` on the ledger's database. Error: `ledger_not_writable` in place of any error of the database. */
export function guard<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toLedgerError(error);
  }
}

export function toLedgerError(error: unknown): CliError {
  if (error instanceof CliError) {
    if (error.code !== 'configuration_not_writable') return error;
    return new CliError('ledger_not_writable', error.message, error.details);
  }
  if (isDiskFull(error)) {
    return new CliError(
      'ledger_not_writable',
      'The ledger of past imports cannot be written: the disk is full.',
      {
        hint: advice`Free some space, then run the same command again: no order is created twice.${again()}`,
        cure: 'Free some space.',
        cause: error,
      },
    );
  }
  return new CliError(
    'ledger_not_writable',
    `The ledger of past imports cannot be used: ${(error as Error).message}.`,
    {
      hint: 'Check the free space and who owns ledger.db in the configuration folder. If it is damaged, move it away: orders keep their keys, so none is created twice.',
      cause: error,
    },
  );
}

const maxTime = 8.64e15;

/** Throws for a value that no `Date` can hold; `guard` reports it. */
export function checkTime(value: unknown): number {
  if (typeof value === 'number' && Math.abs(value) <= maxTime) return value;
  throw new Error(`it contains "${value}" where a time belongs`);
}
