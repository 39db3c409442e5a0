import type { Database, Schema } from '../system/sqlite.ts';
import { guard, toLedgerError } from './guard.ts';
import type { LedgerParts } from './ledger.ts';
import type { Run, RunResult } from './run-log.ts';
import { ledgerSchema } from './schema.ts';

/** An import of this machine, with whatever key it was sent. */
export interface PastRun extends Run {
  /** What the ledger calls the service and key. */
  client: string;
  /** - `died`: it ended without a word; an end of its own has an exit code */
  progress: 'running' | 'died' | 'ended';
}

/** The imports of this machine, read without a key. Error of every method: `ledger_not_writable`. */
export interface RunHistory {
  /** The newest first. */
  list(most: number): PastRun[];
  /** The run with that id; when there is none, those whose ids begin so, the newest first. */
  find(reference: string): PastRun[];
  /** Orders by what is known of them by now; those that were meant and are not known were not sent. */
  count(run: PastRun): Record<string, number>;
  /** Every order that is known of it, by its row; those whose result was not written down any more come last, with row 0. */
  results(run: PastRun): Iterable<RunResult>;
  /** The own ids of its orders that were sent and that nobody knows the end of. */
  open(run: PastRun): string[];
  close(): void;
}

export interface HistoryParts extends Pick<LedgerParts, 'locks'> {
  /** Undefined when there is no ledger; none is made to be read. */
  open(schema: Schema): Promise<Database | undefined>;
}

const nothing: RunHistory = {
  ...{ list: () => [], find: () => [], count: () => ({}), results: () => [], open: () => [] },
  close: () => undefined,
};

/** Opens the ledger to be read, in a database that is closed with it. Error: `ledger_not_writable`. */
export async function openRunHistory({ open, locks }: HistoryParts): Promise<RunHistory> {
  const database = await open(ledgerSchema).catch((error) => {
    throw toLedgerError(error);
  });
  if (database === undefined) return nothing;
  const select = (condition: string, ...values: unknown[]) =>
    guard(() =>
      database
        .prepare(`SELECT * FROM runs WHERE kind = 'import' ${condition}`)
        .all(...values)
        .map((row) => toRun(row as FoundRun, locks)),
    );
  const newestFirst = 'ORDER BY started_at DESC, rowid DESC';
  return {
    list: (most) => select(`${newestFirst} LIMIT ?`, most),
    find: (reference) => {
      const [run] = select('AND id = ?', reference);
      if (run !== undefined) return [run];
      return select(`AND substr(id, 1, length(?)) = ? ${newestFirst}`, reference, reference);
    },
    count: (run) => guard(() => countOrders(database, run)),
    results: (run) => resultsOf(database, run),
    open: (run) => guard(() => openOrders(database, run)),
    close: () => database.close(),
  };
}

function countOrders(database: Database, run: PastRun): Record<string, number> {
  const counts = countLines(database, run);
  const told = sum(counts);
  if (told >= run.orders) return counts;
  for (const [outcome, count] of Object.entries(countOrdersWithoutLine(database, run))) {
    counts[outcome] = (counts[outcome] ?? 0) + count;
  }
  counts.not_sent = (counts.not_sent ?? 0) + Math.max(0, run.orders - sum(counts));
  return counts;
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

interface FoundRun {
  id: string;
  kind: Run['kind'];
  file: string;
  results: string;
  client: string;
  service: string;
  started_at: number;
  ended_at: number | null;
  exit_code: number | null;
  orders: number;
}

function toRun(found: FoundRun, locks: LedgerParts['locks']): PastRun {
  const isRunning = found.ended_at === null && locks.isHeld(found.id);
  return {
    ...{ id: found.id, kind: found.kind, file: found.file, startedAt: found.started_at },
    ...{ results: found.results, client: found.client, service: found.service },
    ...{ endedAt: found.ended_at ?? undefined, exitCode: found.exit_code ?? undefined },
    orders: found.orders,
    progress: found.ended_at !== null ? 'ended' : isRunning ? 'running' : 'died',
  };
}

interface Found {
  row: number;
  external_order_id: string;
  /** The outcome as it was when the run told it. */
  told: string;
  outcome: string;
  code: string | null;
  attempts: number;
  order_id: string | null;
  order_number: string | null;
  idempotency_key: string | null;
  order_code: string | null;
  created_by: string;
}

/** The orders of a run one at a time, since there may be a million. Error: `ledger_not_writable`. */
export function* resultsOf(database: Database, { id, client, orders }: RunKey): Generator<RunResult> {
  let told = 0;
  for (const select of [selectLines, selectOrdersWithoutLine]) {
    if (told === orders) return;
    const rows = guard(() => database.prepare(select).iterate({ client, run: id })) as Iterator<Found>;
    for (let next = guard(() => rows.next()); !next.done; next = guard(() => rows.next())) {
      told += 1;
      yield toResult(next.value);
    }
  }
}

function toResult(found: Found): RunResult {
  const { outcome, order_id: orderId, order_number: orderNumber } = found;
  const settledCode = outcome === 'rejected' ? found.order_code : null;
  const code = outcome === found.told ? found.code : settledCode;
  return {
    ...{ row: found.row, externalOrderId: found.external_order_id, outcome, attempts: found.attempts },
    ...(code === null ? {} : { code }),
    ...(orderId === null ? {} : { orderId }),
    ...(orderNumber === null ? {} : { orderNumber }),
    ...(found.idempotency_key === null ? {} : { idempotencyKey: found.idempotency_key }),
    ...(found.created_by === '' ? {} : { createdByRun: found.created_by }),
  };
}

/** A run as the ledger finds its orders. */
export interface RunKey extends Pick<Run, 'id' | 'orders'> {
  client: string;
}

/** What came of an order `o` by now, for a run that did not hear of it: an open attempt may have been settled since. */
const outcomeByNow = `
  CASE o.state
    WHEN 'created' THEN CASE WHEN o.run = :run THEN 'created' ELSE 'already_exists' END
    WHEN 'rejected' THEN 'rejected'
    ELSE 'unknown'
  END`;

const columns = `
  o.order_id, o.order_number, o.idempotency_key, o.code AS order_code,
  CASE WHEN o.state = 'created' THEN o.run ELSE '' END AS created_by`;

const lines = `
  FROM run_orders AS l LEFT JOIN orders AS o ON o.client = :client AND o.external_order_id = l.external_order_id
  WHERE l.run = :run`;

/** What was sent, but not told of in a line of its run: it died in between. */
const ordersWithoutLine = `
  FROM orders AS o
  WHERE o.client = :client AND (o.run = :run OR o.holder = :run)
    AND o.external_order_id NOT IN (SELECT external_order_id FROM run_orders WHERE run = :run)`;

export const selectLines = `
  SELECT l.row, l.external_order_id, l.outcome AS told, l.code, l.attempts, ${columns},
    CASE l.outcome WHEN 'unknown' THEN ${outcomeByNow} ELSE l.outcome END AS outcome
  ${lines} ORDER BY l.row`;

export const selectOrdersWithoutLine = `
  SELECT 0 AS row, o.external_order_id, '' AS told, NULL AS code, 0 AS attempts, ${columns},
    ${outcomeByNow} AS outcome
  ${ordersWithoutLine} ORDER BY o.external_order_id`;

/** The lines of a run by outcome. */
export function countLines(database: Database, { id, client }: RunKey): Record<string, number> {
  const counts = toCounts(
    database
      .prepare('SELECT outcome, count(*) AS orders FROM run_orders WHERE run = ? GROUP BY outcome')
      .all(id),
  );
  if (counts.unknown === undefined) return counts;
  const { unknown: _, ...others } = counts;
  const settled = `SELECT ${outcomeByNow} AS outcome, count(*) AS orders ${lines} AND l.outcome = 'unknown' GROUP BY 1`;
  const byNow = toCounts(database.prepare(settled).all({ client, run: id }));
  for (const [outcome, count] of Object.entries(byNow)) others[outcome] = (others[outcome] ?? 0) + count;
  return others;
}

export function countOrdersWithoutLine(database: Database, { id, client }: RunKey): Record<string, number> {
  const select = `SELECT ${outcomeByNow} AS outcome, count(*) AS orders ${ordersWithoutLine} GROUP BY 1`;
  return toCounts(database.prepare(select).all({ client, run: id }));
}

/** The own ids of the orders of a run that were sent, by whatever run, and that nobody knows the end of. */
export function openOrders(database: Database, { id, client }: RunKey): string[] {
  const select = `
    SELECT external_order_id FROM orders
    WHERE client = :client AND state IN ('intent', 'unknown') AND (run = :run OR holder = :run
      OR external_order_id IN (SELECT external_order_id FROM run_orders WHERE run = :run))`;
  const found = database.prepare(select).all({ client, run: id });
  return (found as { external_order_id: string }[]).map((row) => row.external_order_id);
}

function toCounts(rows: unknown[]): Record<string, number> {
  const found = rows as { outcome: string; orders: number }[];
  return Object.fromEntries(found.map(({ outcome, orders }) => [outcome, orders]));
}
