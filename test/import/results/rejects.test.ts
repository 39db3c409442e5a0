import { describe, expect, it } from 'vitest';
import type { PlannedOrder } from '../../../src/import/orders/plan.ts';
import type { Problem } from '../../../src/import/problem.ts';
import { invalidOutcome, rejectsOf } from '../../../src/import/results/files.ts';
import type { OrderOutcome, OutcomeName } from '../../../src/import/results/order-outcome.ts';
import { foldReasons } from '../../../src/import/results/summary.ts';

const problem = (row: number, more: Partial<Problem> = { path: 'total' }): Problem => ({
  about: 'order',
  severity: 'error',
  code: 'decimal_invalid',
  row,
  line: row,
  problem: 'is not an amount',
  fix: 'write digits',
  ...more,
});
const order = (rows: number[], problems: Problem[] = [], repeated: number[] = []): PlannedOrder => {
  const toRow = (row: number) => ({ row, line: row, cells: [`cell ${row}`] });
  const [first] = rows;
  return {
    externalOrderId: `A-${first}`,
    row: first ?? 0,
    isSelected: true,
    order: {},
    problems,
    rows: rows.map(toRow),
    repeated: repeated.map(toRow),
  };
};
const outcome = (row: number, name: OutcomeName, more: Partial<OrderOutcome> = {}): OrderOutcome => ({
  row,
  externalOrderId: `A-${row}`,
  outcome: name,
  attempts: 1,
  ...more,
});
const reject = (row: number, code = '', error = '', fix = '') => ({
  row,
  cells: [`cell ${row}`],
  code,
  error,
  fix,
});

describe('rejectsOf', () => {
  it('includes only orders that have to be fixed', () => {
    const names: OutcomeName[] = [
      ...(['created', 'already_exists', 'rejected', 'invalid'] as const),
      ...(['conflict', 'unknown', 'not_sent'] as const),
    ];
    const included = names.filter((name) => rejectsOf(order([2]), outcome(2, name)).length > 0);
    expect(included).toEqual(['rejected', 'invalid', 'conflict']);
  });

  it('puts each problem in its row, and all of them in a first row without one', () => {
    const problems = [
      problem(3),
      problem(3, { header: 'Sum', code: 'date_invalid', problem: 'is not a date', fix: 'write a day' }),
      problem(4, { severity: 'warning' }),
      problem(5, { code: 'duplicate_row', problem: 'is repeated', fix: 'remove it' }),
    ];
    const planned = order([2, 3, 4], problems, [5]);
    expect(rejectsOf(planned, invalidOutcome(planned))).toEqual([
      reject(
        2,
        'decimal_invalid date_invalid duplicate_row',
        'total: is not an amount; Sum: is not a date; is repeated',
      ),
      reject(
        3,
        'decimal_invalid date_invalid',
        'total: is not an amount; Sum: is not a date',
        'write digits; write a day',
      ),
      reject(4),
      reject(5, 'duplicate_row', 'is repeated', 'remove it'),
    ]);
  });
});

describe('reasons of rejections', () => {
  const folded = (...failures: [message: string, code?: string][]) =>
    foldReasons(
      failures.map(([message, code = 'SKU'], index) =>
        outcome(index + 2, 'rejected', { message, code, orderNumber: `ORD-${index}`, fix: 'choose another' }),
      ),
    ).map(({ first, others, otherRows }) => [first.row, first.code, first.fix, others, ...otherRows]);

  it.each<[string, [string, string?][], number]>([
    ['the same message', [['gone'], ['gone']], 1],
    ['the place of the line', [['items[0].sku: gone'], ['items[12].sku: gone']], 1],
    ['IDs of the order', [['A-2 exists (ORD-0)'], ['A-3 exists (ORD-1)']], 1],
    ['long numbers', [['+97699112233 has two customers'], ['+97688112233 has two customers']], 1],
    ['what is quoted', [['no SKU "86000001"'], ['no SKU "86000002"']], 2],
    ['another code', [['gone'], ['gone', 'OTHER']], 2],
  ])('fold with %s', (_, failures, reasons) => {
    expect(folded(...failures)).toHaveLength(reasons);
  });

  it('keep the first row, the cure and the rows of the others', () => {
    expect(folded(['gone'], ['gone'], ['gone'])).toEqual([[2, 'SKU', 'choose another', 2, 3, 4]]);
  });
});
