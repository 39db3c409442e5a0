import { expect, test } from 'vitest';
import { createProblemLog, type Problem } from '../../src/import/problem.ts';

const problem = (fields: Partial<Problem>): Problem => ({
  about: 'order',
  severity: 'error',
  code: 'decimal_invalid',
  problem: 'is not an amount',
  fix: 'write digits',
  ...fields,
});

/** `about row path: other rows` of each cause. */
function fold(...orders: Partial<Problem>[][]) {
  const log = createProblemLog();
  for (const problems of orders) log.add(problems.map(problem));
  return log.folded().map(({ first, others, otherRows }) => {
    const place = [first.about === 'order' ? first.row : first.about, first.path ?? first.column];
    return `${place.join(' ')}${others === 0 ? '' : ` +${others}: ${otherRows.join()}`}`;
  });
}

test('reports a cause once, with the first of its other rows', () => {
  const at = (row: number) => [{ row, path: 'total' }];
  expect(fold(at(2), at(3), at(4))).toEqual(['2 total +2: 3,4']);
  expect(fold(at(2), ...[3, 3, 4, 5, 6, 7, 8, 9].map(at))).toEqual(['2 total +8: 3,4,5,6,7,8']);
});

test('holds 100,000 problems in little time and memory', () => {
  const log = createProblemLog();
  const started = performance.now();
  for (let row = 0; row < 100_000; row++) {
    log.add([problem({ row, path: 'total' }), problem({ row, problem: `is ${row}`, severity: 'warning' })]);
  }
  const folded = log.folded();
  expect([folded.length, folded[0]?.others]).toEqual([1000, 99_999]);
  expect(performance.now() - started).toBeLessThan(10_000);
});
