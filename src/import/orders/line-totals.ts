import { fills } from '../mapping/column.ts';
import { createProducts, numberOf } from '../mapping/guess/column-relations.ts';
import { headerProblem, type NamedColumn } from '../mapping/header.ts';
import type { MappedHeader } from '../mapping/map-header.ts';
import type { Problem } from '../problem.ts';
import type { HeaderRow, Row } from '../read/read-table.ts';

/** A single order whose rows differ has a mistake. */
const minDiffering = 2;

/**
 * Finds an amount of the order that is an amount of each line: quantity × price in every row, or different in most
 * orders of several rows.
 */
export function createLineTotalCheck({ cells: header }: HeaderRow, { columns, rules, lines }: MappedHeader) {
  const isAmount = fills('collectionAmount');
  const isTotal = fills('total');
  const amounts = columns.filter((column) => isTotal(column) || isAmount(column));
  const summed = new Set(amounts.filter(({ rule }) => rule?.sums).map(({ index }) => index));
  const all: NamedColumn[] = [...amounts, ...(rules.payment?.due ?? [])];
  const watched = lines === undefined ? all.filter(({ index }) => !summed.has(index)) : [];
  const products = createProducts(header.length);
  const counts = new Map(watched.map(({ index }) => [index, { differing: 0, agreeing: 0, filled: 0 }]));
  return {
    /** `rows`: those of an order. */
    add: (rows: readonly Row[]): void => {
      if (watched.length === 0) return;
      for (const { cells } of rows) products.addRow(cells);
      if (rows.length === 1) return;
      for (const [index, count] of counts) {
        const texts = rows.map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
        const amounts = texts.map(numberOf);
        // A row below zero is a refund.
        if (amounts.length < 2 || amounts.some((amount) => amount < 0)) continue;
        if (amounts.length === rows.length) count.filled += 1;
        if (new Set(amounts).size === 1) count.agreeing += 1;
        else count.differing += 1;
      }
    },
    problems: (row: HeaderRow): Problem[] =>
      [...counts].flatMap(([index, { differing, agreeing, filled }]) => {
        const isProduct = filled > 0 && products.find(index) !== undefined;
        const isOfLine = isProduct || (differing >= minDiffering && differing > agreeing);
        return isOfLine ? [lineTotal(row, index, isProduct)] : [];
      }),
  };
}

function lineTotal(row: HeaderRow, index: number, isProduct: boolean): Problem {
  const name = row.cells[index] ?? '';
  const why = isProduct ? 'it is quantity × price in every row' : 'the rows of most orders differ in it';
  const problem = `is taken as an amount of the order, but ${why}`;
  const entry = JSON.stringify({ total: { from: name, sum: true } }).slice(1, -1);
  const fix = `to add up the rows of an order, write ${entry} into "columns" of a mapping file (--map); otherwise name another column`;
  return headerProblem(row, index, { code: 'total_is_of_line', problem, fix });
}
