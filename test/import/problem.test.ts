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

test('sorts problems of the file first, then of the header, then of each order', () => {
  expect(
    fold(
      [
        { row: 3, path: 'b' },
        { row: 9, path: 'a' },
      ],
      [{ row: 4, path: 'c' }],
      [
        { about: 'header', row: 1, column: 'B' },
        { about: 'header', column: 'A' },
      ],
      [{ about: 'file' }],
    ),
  ).toEqual(['file ', 'header A', 'header B', '3 b', '9 a', '4 c']);
});

test('reports a cause once, with the first of its other rows', () => {
  const at = (row: number) => [{ row, path: 'total' }];
  expect(fold(at(2), at(3), at(4))).toEqual(['2 total +2: 3,4']);
  expect(fold(at(2), ...[3, 3, 4, 5, 6, 7, 8, 9].map(at))).toEqual(['2 total +8: 3,4,5,6,7,8']);
});

test('folds problems of any line, but not of another field, code, severity or text', () => {
  expect(
    fold([
      { row: 2, path: 'items[0].sku' },
      { row: 3, path: 'items[7].sku' },
      { row: 4, path: 'items[0].name' },
      { row: 5, path: 'items[0].sku', code: 'sku_blank' },
      { row: 6, path: 'items[0].sku', severity: 'warning' },
      { row: 7, path: 'items[0].sku', problem: 'is another' },
    ]),
  ).toEqual([
    '2 items[0].sku +1: 3',
    '4 items[0].name',
    '5 items[0].sku',
    '6 items[0].sku',
    '7 items[0].sku',
  ]);
});

test('folds different texts with the same cause', () => {
  const at = (row: number) => ({
    row,
    path: 'total',
    problem: `differs from row ${row - 1}`,
    cause: 'other row',
  });
  expect(fold([at(3)], [at(5)])).toEqual(['3 total +1: 5']);
});

test('reports every column of the header', () => {
  const near = (column: string) => ({
    about: 'header' as const,
    row: 1,
    code: 'header_near_miss' as const,
    column,
  });
  expect(fold([near('B'), near('C')])).toEqual(['header B', 'header C']);
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

test('counts warnings by code, and keeps the first rows', () => {
  const log = createProblemLog();
  for (let row = 2; row < 30; row++) {
    log.add([
      problem({ row, severity: 'warning', code: 'date_past', problem: `is ${row}` }),
      problem({ row }),
    ]);
  }
  log.add([problem({ row: 29, severity: 'warning', code: 'phone_implausible' })]);
  log.add([problem({ severity: 'warning', code: 'phone_implausible' })]);
  expect(log.warnings()).toEqual([
    { code: 'date_past', count: 28, rows: Array.from({ length: 20 }, (_, index) => index + 2) },
    { code: 'phone_implausible', count: 2, rows: [29] },
  ]);
});
