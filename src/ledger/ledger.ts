import { createHash, createHmac } from 'node:crypto';
import { CliError } from '../errors.ts';
import type { Database } from '../system/sqlite.ts';
import { prepareSchema } from './schema.ts';

/** What this machine knows of one order: `intent` and `unknown` are attempts that nobody knows the end of. */
export type OrderState = 'intent' | 'created' | 'refused' | 'unknown';

export interface LedgerRow {
  externalOrderId: string;
  /** Hash of the exact body that was sent. */
  bodyHash: string;
  idempotencyKey: string;
  generation: number;
  state: OrderState;
  orderId: string | null;
  orderNumber: string | null;
  /** The service's code of a refusal. */
  code: string | null;
  run: string;
}

/** What was sent to one service with one key and what came of it. It holds ids and hashes, never a name, phone or key. */
export interface Ledger {
  beginRun(run: string, file: string): void;
  endRun(run: string, exitCode: number): void;
  recall(externalOrderId: string): LedgerRow | undefined;
  /** Must have returned before the first byte of the request leaves. */
  record(row: LedgerRow): void;
  /** Nothing was processed: what stood before the intent stands again. */
  withdraw(externalOrderId: string, before: LedgerRow | undefined): void;
  close(): void;
}

/** Which service, and the key that tells the API client; the key itself is not kept. */
export interface LedgerClient {
  /** The origin of the service, or the identity of a sandbox. */
  service: string;
  apiKey: string;
}

export function hashBody(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 32);
}

/** Opens the ledger in a database that it closes itself. Errors, here and in every method: `ledger_not_writable`. */
export async function openLedger(
  open: () => Promise<Database>,
  { service, apiKey }: LedgerClient,
  now: () => number,
): Promise<Ledger> {
  const database = await open().catch((error) => {
    throw toCliError(error);
  });
  return guard(() => {
    prepareSchema(database);
    const { value: secret } = database.prepare('SELECT value FROM secret').get() as { value: string };
    const client = createHmac('sha256', secret).update(`${service}\n${apiKey}`).digest('hex');
    const begin = database.prepare('INSERT INTO runs (id, file, started_at) VALUES (?, ?, ?)');
    const end = database.prepare('UPDATE runs SET ended_at = ?, exit_code = ? WHERE id = ?');
    const select = database.prepare('SELECT * FROM orders WHERE client = ? AND external_order_id = ?');
    const replace = database.prepare(
      'INSERT OR REPLACE INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    const remove = database.prepare('DELETE FROM orders WHERE client = ? AND external_order_id = ?');
    const record = (row: LedgerRow) =>
      replace.run(
        client,
        row.externalOrderId,
        row.bodyHash,
        row.idempotencyKey,
        row.generation,
        row.state,
        row.orderId,
        row.orderNumber,
        row.code,
        row.run,
        now(),
      );
    return {
      beginRun: (run, file) => void guard(() => begin.run(run, file, now())),
      endRun: (run, exitCode) => void guard(() => end.run(now(), exitCode, run)),
      recall: (externalOrderId) => guard(() => toRow(select.get(client, externalOrderId))),
      record: (row) => void guard(() => record(row)),
      withdraw: (externalOrderId, before) =>
        void guard(() => (before === undefined ? remove.run(client, externalOrderId) : record(before))),
      close: () => database.close(),
    };
  });
}

function toRow(found: unknown): LedgerRow | undefined {
  if (found === undefined || found === null) return undefined;
  const row = found as Record<string, string> & { generation: number; state: OrderState };
  return {
    externalOrderId: row.external_order_id as string,
    bodyHash: row.body_hash as string,
    idempotencyKey: row.idempotency_key as string,
    generation: row.generation,
    state: row.state,
    orderId: row.order_id ?? null,
    orderNumber: row.order_number ?? null,
    code: row.code ?? null,
    run: row.run as string,
  };
}

function guard<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw toCliError(error);
  }
}

function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  return new CliError(
    'ledger_not_writable',
    `The ledger of past imports cannot be used: ${(error as Error).message}.`,
    {
      hint: 'Check the free space and who owns ledger.db in the configuration folder. If it is damaged, move it away: orders keep their keys, so none is created twice.',
      cause: error,
    },
  );
}
