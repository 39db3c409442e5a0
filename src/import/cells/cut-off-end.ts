import { formatFieldPath } from '../../orders/field-path.ts';
import { type Column, locationOf } from '../map/column.ts';
import type { Problem } from '../problem.ts';
import type { HeaderRow, Row } from '../table/read-table.ts';
import { kindOfCells } from './cell-reader.ts';

const codePaths = ['externalOrderId', 'customer.externalCustomerId', 'items[].sku'];
/** Among fewer others, one with fewer digits is nothing unusual. */
const minOthers = 10;

/**
 * Finds the row, called with each row of an order in turn, in which a file was cut off: it ends there without a line end,
 * and the row has too few cells, or its last cell fewer digits than those of all other rows.
 */
export function createCutOffCheck({ cells: header }: HeaderRow, mapped: readonly Column[]) {
  const last = header.length - 1;
  const column = mapped.find((each) => readsDigits(each) && reads(each, last));
  const idColumn = mapped.find(({ path }) => formatFieldPath(path) === 'externalOrderId');
  let fewestDigits = Number.POSITIVE_INFINITY;
  let others = 0;
  let externalOrderId = '';
  let problem: Problem | undefined;
  return {
    addRow: (row: Row): void => {
      const { cells, ownCells = cells, openEnd } = row;
      externalOrderId = cells[idColumn?.index ?? -1] || externalOrderId;
      const width = ownCells.length;
      const digits = column !== undefined && width === header.length ? countDigits(cells[last] ?? '') : 0;
      if (openEnd !== undefined && width < header.length) {
        const count = `${width} ${width === 1 ? 'cell' : 'cells'}`;
        problem = {
          ...cutOff(`in a row of ${count}, but the header has ${header.length}`),
          ...locationOf(row),
          externalOrderId,
        };
      } else if (
        openEnd === 'cell' &&
        column !== undefined &&
        width === header.length &&
        others >= minOthers &&
        digits < fewestDigits
      ) {
        problem = {
          ...cutOff('in this cell, and all other rows have more digits there'),
          ...locationOf(row, { ...column, index: last }),
          externalOrderId,
        };
      }
      if (digits === 0) return;
      others += 1;
      fewestDigits = Math.min(fewestDigits, digits);
    },
    problems: (): Problem[] => (problem === undefined ? [] : [problem]),
  };
}

function reads({ index, rule }: Column, place: number): boolean {
  return index === place || (rule?.others ?? []).some((other) => other.index === place);
}

function readsDigits(column: Column): boolean {
  const kind = kindOfCells(column);
  return kind === undefined ? codePaths.includes(formatFieldPath(column.path)) : kind !== 'quantity';
}

function countDigits(text: string): number {
  return text.match(/\p{Nd}/gu)?.length ?? 0;
}

function cutOff(where: string): Pick<Problem, 'about' | 'severity' | 'code' | 'problem' | 'fix' | 'flags'> {
  return {
    about: 'file',
    severity: 'error',
    code: 'file_truncated',
    problem: `the file ends without a line end ${where}: it seems to be cut off`,
    fix: 'export or copy the file again; if it really ends there, add --ends-here',
    flags: ['--ends-here'],
  };
}
