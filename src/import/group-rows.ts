import type { Column } from './column.ts';
import { type Problem, placeOf } from './problem.ts';
import type { Row } from './table.ts';

/** The rows of one order, in the order of the file. */
export interface RowGroup {
  externalOrderId: string;
  rows: Row[];
  /** Rows that came again, and what is wrong with each. */
  repeated: Row[];
  problems: Problem[];
}

export interface GroupOptions {
  columns: readonly Column[];
  /** Each row is an order: an id that comes again is a problem. */
  oneRowPerOrder: boolean;
  /** A row equal to an earlier one of its order is a second line, not a problem. */
  repeatedRowsAreLines: boolean;
}

/**
 * Rows with the same own id are one order, adjacent or not. A row without an id continues the order above it
 * when it carries line cells only; otherwise it is a group of its own, with a blank id. By first row.
 */
export async function groupRows(rows: AsyncIterable<Row>, options: GroupOptions): Promise<RowGroup[]> {
  const { columns } = options;
  const idColumn = columns.find(({ path }) => path.length === 1 && path[0] === 'externalOrderId');
  const groups: RowGroup[] = [];
  const byId = new Map<string, RowGroup>();
  const rowsOf = new Map<RowGroup, Map<string, Row>>();
  let current: RowGroup | undefined;
  for await (const row of rows) {
    const id = idColumn === undefined ? '' : (row.cells[idColumn.index] ?? '');
    const continues = id === '' && !options.oneRowPerOrder && hasLineCellsOnly(row, columns);
    const group = continues ? current : byId.get(id);
    if (group === undefined) {
      current = { externalOrderId: id, rows: [row], repeated: [], problems: [] };
      groups.push(current);
      if (id !== '') byId.set(id, current);
      rowsOf.set(current, new Map([[cellsOf(row), row]]));
      continue;
    }
    current = group;
    const earlier = rowsOf.get(group);
    const problem = repeatProblem(group, row, earlier?.get(cellsOf(row)), options);
    if (problem === undefined) {
      group.rows.push(row);
      earlier?.set(cellsOf(row), row);
    } else {
      group.repeated.push(row);
      group.problems.push(problem);
    }
  }
  return groups;
}

function hasLineCellsOnly({ cells }: Row, columns: readonly Column[]): boolean {
  const filled = columns.filter(({ index }) => (cells[index] ?? '') !== '');
  return filled.length > 0 && filled.every(({ isLine }) => isLine);
}

function repeatProblem(
  group: RowGroup,
  row: Row,
  twin: Row | undefined,
  options: GroupOptions,
): Problem | undefined {
  const { externalOrderId } = group;
  const common = { about: 'order', severity: 'error', externalOrderId, ...placeOf(row) } as const;
  const first = group.rows[0]?.row;
  if (options.oneRowPerOrder) {
    const problem = `order ${externalOrderId} is in row ${first} already`;
    return {
      ...common,
      code: 'duplicate_order',
      problem,
      fix: 'give the order an id of its own, or take the row out',
    };
  }
  if (options.repeatedRowsAreLines || twin === undefined) return undefined;
  return {
    ...common,
    code: 'duplicate_row',
    problem: `this row is the same as row ${twin.row}${externalOrderId && ` of order ${externalOrderId}`}`,
    fix: 'take one of them out, or add --repeated-rows lines when both are meant',
  };
}

/** The whole row as one text: rows with the same text are the same. */
function cellsOf({ cells }: Row): string {
  return JSON.stringify(cells);
}
