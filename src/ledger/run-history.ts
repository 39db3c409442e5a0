import type { RunLocks } from '../system/run-locks.ts';
import type { Database, Schema, SqlValues } from '../system/sqlite.ts';
import type { EntryWithCopies } from './copies.ts';
import { type EntryIds, notCompared, statedIds } from './order-log.ts';
import type { Run, RunResult } from './run-log.ts';
import { checkTime, guard, ledgerSchema, toLedgerError } from './schema.ts';

export interface PastRun extends Run {
  client: string;
  /** `died`: the process ended without recording an exit code. */
  progress: 'running' | 'died' | 'ended';
}

/** The imports of this machine, read without an API key. Error of every method: `ledger_not_writable`. */
export interface RunHistory {
  list(max: number): PastRun[];
  /** The run with that id; when there is none, the runs whose ids start with it, the newest first. */
  find(reference: string): PastRun[];
  /**
   * The number of orders by current outcome; orders of the run that the ledger does not know are `not_sent`. An order is
   * `created` in one run only, the one that began it.
   */
  count(run: PastRun): Record<string, number>;
  /** Every known order of the run, by row. Orders without a recorded result come last, with row 0. */
  results(run: PastRun): Iterable<RunResult>;
  /** Its orders of which lookups showed several. */
  several(run: PastRun): EntryWithCopies[];
  close(): void;
}

interface HistoryParts {
  locks: RunLocks;
  open(schema: Schema): Promise<Database | undefined>;
}

const emptyHistory: RunHistory = {
  list: () => [],
  find: () => [],
  count: () => ({}),
  results: () => [],
  several: () => [],
  close: () => undefined,
};

export async function openRunHistory({ open, locks }: HistoryParts): Promise<RunHistory> {
  const database = await open(ledgerSchema).catch((error) => {
    throw toLedgerError(error);
  });
  if (database === undefined) return emptyHistory;
  const select = (condition: string, ...values: SqlValues) =>
    guard(() =>
      database
        .prepare(`${selectRuns} ${condition}`)
        .all(...values)
        .map((row) => toRun(row as RunRow, locks)),
    );
  const newestFirst = 'ORDER BY started_at DESC, rowid DESC';
  return {
    list: (max) => select(`${newestFirst} LIMIT ?`, max),
    find: (reference) => {
      const [run] = select('AND id = ?', reference);
      if (run !== undefined) return [run];
      return select(`AND substr(id, 1, length(?)) = ? ${newestFirst}`, reference, reference);
    },
    count: (run) => guard(() => countOrders(database, run)),
    results: (run) => readResults(database, run),
    several: (run) => guard(() => findSeveral(database, run)),
    close: () => database.close(),
  };
}

const selectRuns = `
  SELECT id, kind, file, results, client, service, started_at AS startedAt, ended_at AS endedAt,
    exit_code AS exitCode, orders
  FROM runs WHERE kind = 'import'`;

interface RunRow extends Omit<PastRun, 'endedAt' | 'exitCode'> {
  endedAt: number | null;
  exitCode: number | null;
}

function toRun(row: RunRow, locks: RunLocks): PastRun {
  const { id, startedAt, endedAt, exitCode } = row;
  const dates = { startedAt: checkTime(startedAt), exitCode: exitCode ?? undefined };
  if (endedAt !== null) return { ...row, ...dates, endedAt: checkTime(endedAt), progress: 'ended' };
  return { ...row, ...dates, endedAt: undefined, progress: locks.isHeld(id) ? 'running' : 'died' };
}

/** The outcome of an order `o` as the ledger has it now: an open attempt may have been settled since the run. */
const currentOutcome = (hasOtherContent: string) => `
  CASE o.state
    WHEN 'created' THEN CASE
      WHEN ${hasOtherContent} THEN 'conflict'
      WHEN o.run = :run THEN 'created'
      ELSE 'already_exists'
    END
    WHEN 'rejected' THEN CASE WHEN ${hasOtherContent} THEN 'not_sent' ELSE 'rejected' END
    WHEN 'not_found' THEN 'not_sent'
    ELSE 'unknown'
  END`;
const recordedNow = currentOutcome('r.body_hash <> o.body_hash');
const unrecordedNow = currentOutcome('FALSE');

const orderColumns = `
  o.order_id AS orderId, o.order_number AS orderNumber, o.idempotency_key AS idempotencyKey, o.code AS orderCode, o.copies,
  CASE WHEN o.state = 'created' THEN o.run ELSE '' END AS createdBy`;

const recordedOrders = `
  FROM run_orders AS r LEFT JOIN orders AS o ON o.client = :client AND o.external_order_id = r.external_order_id
  WHERE r.run = :run`;

const unrecordedOrders = `
  FROM orders AS o
  WHERE o.client = :client AND (o.run = :run OR o.last_run = :run)
    AND o.external_order_id NOT IN (SELECT external_order_id FROM run_orders WHERE run = :run)`;

const selectRecorded = `
  SELECT r.row, r.external_order_id AS externalOrderId, r.outcome AS recordedOutcome, r.code, r.attempts, ${orderColumns},
    CASE r.outcome WHEN 'unknown' THEN ${recordedNow} ELSE r.outcome END AS outcome
  ${recordedOrders} ORDER BY r.row`;

const selectUnrecorded = `
  SELECT 0 AS row, o.external_order_id AS externalOrderId, '' AS recordedOutcome, NULL AS code, 0 AS attempts, ${orderColumns},
    ${unrecordedNow} AS outcome
  ${unrecordedOrders} ORDER BY o.external_order_id`;

interface ResultRow extends EntryIds {
  row: number;
  externalOrderId: string;
  recordedOutcome: string;
  outcome: string;
  code: string | null;
  attempts: number;
  orderCode: string | null;
  copies: string | null;
  createdBy: string;
}

/** A generator: a run may have a million orders. */
function* readResults(database: Database, { id, client, orders }: PastRun): Generator<RunResult> {
  let count = 0;
  for (const select of [selectRecorded, selectUnrecorded]) {
    if (count === orders) return;
    const rows = guard(() => database.prepare(select).iterate({ client, run: id })) as Iterator<ResultRow>;
    for (let next = guard(() => rows.next()); !next.done; next = guard(() => rows.next())) {
      count += 1;
      yield toResult(next.value);
    }
  }
}

function toResult(result: ResultRow): RunResult {
  const { row, externalOrderId, outcome, attempts, createdBy } = result;
  const isSettled = outcome !== result.recordedOutcome || result.orderCode === notCompared;
  const isThere = outcome === 'created' || outcome === 'already_exists';
  const isDoubtful = outcome === 'conflict' && isSettled;
  const settledCodes: Record<string, string | null> = {
    rejected: result.orderCode,
    conflict: 'content_changed',
    not_sent: 'not_found',
  };
  const code = outcome === result.recordedOutcome ? result.code : (settledCodes[outcome] ?? null);
  return {
    row,
    externalOrderId,
    outcome,
    attempts,
    ...(code === null ? {} : { code }),
    ...(isThere && result.copies !== null ? { copies: JSON.parse(result.copies) } : {}),
    ...statedIds(result),
    ...(createdBy === '' || isDoubtful ? {} : { createdByRun: createdBy }),
  };
}

const selectSeveral = `
  SELECT o.external_order_id AS externalOrderId, o.order_id AS orderId, o.order_number AS orderNumber, o.copies
  FROM orders AS o WHERE o.client = :client AND o.copies IS NOT NULL AND o.state = 'created' AND (o.run = :run
    OR EXISTS (SELECT 1 FROM run_orders AS r WHERE r.run = :run AND r.external_order_id = o.external_order_id))
  ORDER BY o.external_order_id`;

function findSeveral(database: Database, { id, client }: PastRun): EntryWithCopies[] {
  type Row = Omit<EntryWithCopies, 'copies'> & { copies: string };
  const rows = database.prepare(selectSeveral).all({ client, run: id }) as Row[];
  return rows
    .map(({ copies, ...order }) => ({ ...order, copies: JSON.parse(copies) }))
    .filter(({ copies }) => copies !== null && copies.numbers.length > 0);
}

const countRecorded = `
  SELECT count(*) AS count, CASE r.outcome WHEN 'unknown' THEN coalesce(
      (SELECT ${recordedNow} FROM orders AS o
        WHERE o.client = :client AND o.external_order_id = r.external_order_id), 'unknown')
    WHEN 'created' THEN CASE WHEN r.begun_by IS NULL THEN 'created' ELSE 'already_exists' END
    ELSE r.outcome END AS outcome
  FROM run_orders AS r WHERE r.run = :run GROUP BY 2`;

const countUnrecorded = `
  SELECT count(*) AS count, ${unrecordedNow} AS outcome ${unrecordedOrders} GROUP BY 2`;

function countOrders(database: Database, { id, client, orders }: PastRun): Record<string, number> {
  const counts: Record<string, number> = {};
  let total = 0;
  const add = (rows: unknown[]) => {
    for (const { outcome, count } of rows as { outcome: string; count: number }[]) {
      counts[outcome] = (counts[outcome] ?? 0) + count;
      total += count;
    }
  };
  add(database.prepare(countRecorded).all({ client, run: id }));
  if (total < orders) {
    add(database.prepare(countUnrecorded).all({ client, run: id }));
    counts.not_sent = (counts.not_sent ?? 0) + Math.max(0, orders - total);
  }
  return counts;
}
