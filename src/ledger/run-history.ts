import type { Database } from '../system/sqlite.ts';
import { guard, toLedgerError } from './guard.ts';
import type { LedgerParts } from './ledger.ts';
import type { Run, RunResult } from './run-log.ts';
import { resultsOf } from './run-results.ts';
import { countLines, countOrdersWithoutLine, openOrders } from './run-sql.ts';
import { prepareSchema } from './schema.ts';

/** An import of this machine, with whatever key it was sent. */
export interface PastRun extends Run {
  /** What the ledger calls the service and key; empty of a run that was recorded before that was kept. */
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
  open(): Promise<Database | undefined>;
}

const nothing: RunHistory = {
  ...{ list: () => [], find: () => [], count: () => ({}), results: () => [], open: () => [] },
  close: () => undefined,
};

/** Opens the ledger to be read, in a database that is closed with it. Error: `ledger_not_writable`. */
export async function openRunHistory({ open, locks }: HistoryParts): Promise<RunHistory> {
  const database = await open().catch((error) => {
    throw toLedgerError(error);
  });
  if (database === undefined) return nothing;
  guard(() => prepareSchema(database));
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
  if (run.orders === undefined || told >= run.orders) return counts;
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
  client: string | null;
  service: string | null;
  started_at: number;
  ended_at: number | null;
  exit_code: number | null;
  orders: number | null;
}

function toRun(found: FoundRun, locks: LedgerParts['locks']): PastRun {
  const isRunning = found.ended_at === null && locks.isHeld(found.id);
  return {
    ...{ id: found.id, kind: found.kind, file: found.file, startedAt: found.started_at },
    ...{ results: found.results, client: found.client ?? '', service: found.service ?? '' },
    ...{ endedAt: found.ended_at ?? undefined, exitCode: found.exit_code ?? undefined },
    orders: found.orders ?? undefined,
    progress: found.ended_at !== null ? 'ended' : isRunning ? 'running' : 'died',
  };
}
