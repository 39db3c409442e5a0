import type { PlannedOrder } from '../orders/plan-order.ts';
import type { Problem } from '../problem.ts';
import type { OrderOutcome } from './order-outcome.ts';

/** A row to be mended: its cells, and what is wrong with it. */
export interface Reject {
  row: number;
  cells: readonly string[];
  code: string;
  error: string;
  fix: string;
}

/** The outcome of an order that the local checks stopped. */
export function invalidOutcome({ externalOrderId, rows, problems }: PlannedOrder): OrderOutcome {
  const { code, error } = summarise(problems.filter(({ severity }) => severity === 'error'));
  return { row: rows[0]?.row ?? 0, externalOrderId, outcome: 'invalid', code, message: error, attempts: 0 };
}

const toBeMended = new Set(['invalid', 'rejected', 'conflict']);

/**
 * Every row of an order that was not created for a reason of its own, none of any other; each reason stands at
 * its row.
 */
export function rejectsOf(
  { rows, repeated, problems }: PlannedOrder,
  { outcome, code, message, fix, row: first }: OrderOutcome,
): Reject[] {
  if (!toBeMended.has(outcome)) return [];
  const all =
    repeated.length === 0 ? rows : [...rows, ...repeated].sort((left, right) => left.row - right.row);
  return all.map(({ row, cells }) => {
    const own = problems.filter((problem) => problem.severity === 'error' && problem.row === row);
    if (own.length > 0) return { row, cells, ...summarise(own) };
    // What concerns the whole order stands at its first row.
    if (row !== first) return { row, cells, code: '', error: '', fix: '' };
    return { row, cells, code: code ?? '', error: message ?? '', fix: fix ?? '' };
  });
}

/** Several problems in one cell each. */
function summarise(problems: readonly Problem[]): Pick<Reject, 'code' | 'error' | 'fix'> {
  return {
    code: problems.map(({ code }) => code).join(' '),
    error: problems.map(({ header, path, problem }) => describe(header ?? path, problem)).join('; '),
    fix: problems.map(({ fix }) => fix).join('; '),
  };
}

function describe(field: string | undefined, problem: string): string {
  return field === undefined ? problem : `${field}: ${problem}`;
}

/**
 * Rows of orders that come by their first rows → rows as the file has them. Those of an order whose rows lie far
 * apart wait until all orders before them are there.
 */
export function createFileOrder() {
  const waiting = createHeap();
  const takeBefore = (row: number): Reject[] => {
    const ready: Reject[] = [];
    while (waiting.firstRow() < row) ready.push(waiting.take());
    return ready;
  };
  return {
    /** Takes the rows of the next order; gives those that no later order can come before. */
    add: (rows: readonly Reject[]): Reject[] => {
      const ready = takeBefore(rows[0]?.row ?? 0);
      for (const row of rows) waiting.put(row);
      return ready;
    },
    end: (): Reject[] => takeBefore(Number.POSITIVE_INFINITY),
  };
}

/** Rows of which the first of the file is at hand, however many there are: no row comes before its parent. */
function createHeap() {
  const rows: Reject[] = [];
  const rowAt = (place: number) => rows[place]?.row ?? Number.POSITIVE_INFINITY;
  const swap = (place: number, other: number) => {
    [rows[place], rows[other]] = [rows[other] as Reject, rows[place] as Reject];
  };
  return {
    firstRow: () => rowAt(0),
    put: (row: Reject) => {
      let place = rows.push(row) - 1;
      for (
        let parent = (place - 1) >> 1;
        place > 0 && rowAt(parent) > rowAt(place);
        parent = (place - 1) >> 1
      ) {
        swap(place, parent);
        place = parent;
      }
    },
    take: (): Reject => {
      swap(0, rows.length - 1);
      const first = rows.pop() as Reject;
      let place = 0;
      for (;;) {
        const child = 2 * place + (rowAt(2 * place + 2) < rowAt(2 * place + 1) ? 2 : 1);
        if (rowAt(child) >= rowAt(place)) return first;
        swap(place, child);
        place = child;
      }
    },
  };
}
