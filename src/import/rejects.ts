import type { OrderOutcome } from './order-outcome.ts';
import type { PlannedOrder } from './plan.ts';
import type { Problem } from './problem.ts';

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
