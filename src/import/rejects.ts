import type { OrderOutcome } from './order-outcome.ts';
import type { PlannedOrder } from './plan.ts';

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
  const errors = problems.filter(({ severity }) => severity === 'error');
  return {
    row: rows[0]?.row ?? 0,
    externalOrderId,
    outcome: 'invalid',
    code: errors.map(({ code }) => code).join(' '),
    message: errors.map(({ header, path, problem }) => describe(header ?? path, problem)).join('; '),
    attempts: 0,
  };
}

const toBeMended = new Set(['invalid', 'rejected', 'conflict']);

/** Every row of each order that was not created for a reason of its own; each reason stands at its row. */
export function collectRejects(orders: readonly PlannedOrder[], outcomes: readonly OrderOutcome[]): Reject[] {
  const byFirstRow = new Map(outcomes.map((outcome) => [outcome.row, outcome]));
  return orders.flatMap((planned) => {
    const outcome = byFirstRow.get(planned.rows[0]?.row ?? 0);
    return outcome !== undefined && toBeMended.has(outcome.outcome) ? rejectsOf(planned, outcome) : [];
  });
}

function rejectsOf(
  { rows, repeated, problems }: PlannedOrder,
  { code, message, fix, row: first }: OrderOutcome,
): Reject[] {
  return [...rows, ...repeated].map(({ row, cells }) => {
    const own = problems.filter((problem) => problem.severity === 'error' && problem.row === row);
    if (own.length > 0) {
      return {
        row,
        cells,
        code: own.map((problem) => problem.code).join(' '),
        error: own.map(({ header, path, problem }) => describe(header ?? path, problem)).join('; '),
        fix: own.map((problem) => problem.fix).join('; '),
      };
    }
    const isFirst = row === first;
    return {
      row,
      cells,
      code: isFirst ? (code ?? '') : '',
      error: isFirst ? (message ?? '') : '',
      fix: isFirst ? (fix ?? '') : '',
    };
  });
}

function describe(field: string | undefined, problem: string): string {
  return field === undefined ? problem : `${field}: ${problem}`;
}
