import { joinAdvice } from '../../advice/advice.ts';
import type { PlannedOrder } from '../orders/plan.ts';
import { createProblemLog, type FoldedProblem, type Problem, type ReportedProblem } from '../problem.ts';
import type { OrderOutcome, Reject } from './order-outcome.ts';

export function invalidOutcome({ externalOrderId, rows, problems }: PlannedOrder): OrderOutcome {
  const { code, error } = summarise(problems.filter(({ severity }) => severity === 'error'));
  return { row: rows[0]?.row ?? 0, externalOrderId, outcome: 'invalid', code, message: error, attempts: 0 };
}

const rejectedOutcomes = new Set(['invalid', 'rejected', 'conflict']);

/** All rows of an order that has to be fixed, each with its own problems; no rows for other outcomes. */
export function rejectsOf(
  { rows, repeated, problems }: PlannedOrder,
  { outcome, code, message, fix, row: first }: OrderOutcome,
): Reject[] {
  if (!rejectedOutcomes.has(outcome)) return [];
  const ownProblems = new Map<number | undefined, Problem[]>();
  for (const problem of problems) {
    if (problem.severity !== 'error') continue;
    const known = ownProblems.get(problem.row);
    if (known === undefined) ownProblems.set(problem.row, [problem]);
    else known.push(problem);
  }
  const all =
    repeated.length === 0 ? rows : [...rows, ...repeated].sort((left, right) => left.row - right.row);
  return all.map(({ row, cells, ownCells }) => {
    const from = { row, cells, ...(ownCells === undefined ? {} : { ownCells }) };
    const own = ownProblems.get(row);
    if (own !== undefined) return { ...from, ...summarise(own) };
    // A problem of the whole order is at its first row.
    if (row !== first) return { ...from, code: '', error: '', fix: '' };
    return { ...from, code: code ?? '', error: message ?? '', fix: fix ?? '' };
  });
}

/** Each reason once. */
export function foldReasons(failures: Iterable<OrderOutcome>): FoldedProblem<ReportedProblem>[] {
  const log = createProblemLog<ReportedProblem>();
  for (const outcome of failures) {
    const { row, externalOrderId, code = '', message = '', fix = '' } = outcome;
    const place = { about: 'order', severity: 'error', row, externalOrderId } as const;
    log.add([{ ...place, code, problem: message, fix, cause: reasonOf(message, outcome) }]);
  }
  return log.folded();
}

/** A message without what differs from order to order: its IDs, the place of the line, and long numbers. */
function reasonOf(message: string, { externalOrderId, orderId, orderNumber }: OrderOutcome): string {
  const own = [orderNumber, orderId, externalOrderId].filter((id) => id !== undefined && id !== '');
  return own
    .reduce((text: string, id) => text.replaceAll(id as string, ''), message)
    .replace(/\[\d+\]/g, '[]')
    .replace(/("[^"]*")|\d{6,}/g, '$1');
}

function summarise(problems: readonly Problem[]): Pick<Reject, 'code' | 'error' | 'fix'> {
  return {
    code: problems.map(({ code }) => code).join(' '),
    error: problems.map(({ header, path, problem }) => describe(header ?? path, problem)).join('; '),
    fix: joinAdvice(
      problems.map(({ fix }) => fix),
      '; ',
    ),
  };
}

function describe(field: string | undefined, problem: string): string {
  return field === undefined ? problem : `${field}: ${problem}`;
}

/** Rows of orders, which come sorted by their first rows → rows in file order. */
export function createFileOrder() {
  const waiting = createHeap();
  const takeBefore = (row: number): Reject[] => {
    const ready: Reject[] = [];
    while (waiting.firstRow() < row) ready.push(waiting.take());
    return ready;
  };
  return {
    /** Takes the rows of the next order; returns those that no later order can precede. */
    add: (rows: readonly Reject[]): Reject[] => {
      const ready = takeBefore(rows[0]?.row ?? 0);
      for (const row of rows) waiting.put(row);
      return ready;
    },
    end: (): Reject[] => takeBefore(Number.POSITIVE_INFINITY),
  };
}

function createHeap() {
  const rows: Reject[] = [];
  const rowAt = (index: number) => rows[index]?.row ?? Number.POSITIVE_INFINITY;
  const swap = (index: number, other: number) => {
    [rows[index], rows[other]] = [rows[other] as Reject, rows[index] as Reject];
  };
  return {
    firstRow: () => rowAt(0),
    put: (row: Reject) => {
      let index = rows.push(row) - 1;
      for (
        let parent = (index - 1) >> 1;
        index > 0 && rowAt(parent) > rowAt(index);
        parent = (index - 1) >> 1
      ) {
        swap(index, parent);
        index = parent;
      }
    },
    take: (): Reject => {
      swap(0, rows.length - 1);
      const first = rows.pop() as Reject;
      let index = 0;
      for (;;) {
        const child = 2 * index + (rowAt(2 * index + 2) < rowAt(2 * index + 1) ? 2 : 1);
        if (rowAt(child) >= rowAt(index)) return first;
        swap(index, child);
        index = child;
      }
    },
  };
}
