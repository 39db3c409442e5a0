import type { IssueCode } from '../orders/issue.ts';
import type { Column } from './map/column.ts';
import { columnLetters, type Row } from './table/table.ts';

export type ProblemCode =
  | IssueCode
  | 'header_blank'
  | 'header_duplicate'
  | 'header_unsafe'
  | 'header_near_miss'
  | 'header_invalid'
  | 'column_missing'
  | 'column_unknown'
  | 'ids_rounded'
  | 'field_conflict'
  | 'duplicate_row'
  | 'duplicate_order'
  | 'cell_type_invalid'
  | 'path_conflict'
  | 'text_damaged'
  | 'number_damaged'
  | 'spreadsheet_error'
  | 'value_hidden'
  | 'header_repeated'
  | 'pickup_not_deliverable'
  | 'cancelled_in_shop'
  | 'currency_not_mnt'
  | 'file_without_orders';

/** One thing wrong with a file, its header or one of its orders; where, what, and what to do. */
export interface Problem {
  about: 'file' | 'header' | 'order';
  severity: 'error' | 'warning';
  code: ProblemCode;
  problem: string;
  fix: string;
  /** What is the same wherever this goes wrong, when `problem` tells what is not. */
  cause?: string;
  row?: number;
  line?: number;
  /** The letters above the column, and its header. */
  column?: string;
  header?: string;
  path?: string;
  value?: string;
  externalOrderId?: string;
}

/** Where in the file a problem is; the column when it is about one cell. */
export function placeOf(
  { row, line, cells }: Row,
  column?: Pick<Column, 'index' | 'header'>,
): Partial<Problem> {
  if (column === undefined) return { row, line };
  const value = cells[column.index] ?? '';
  return {
    row,
    line,
    column: columnLetters(column.index),
    header: column.header,
    ...(value === '' ? {} : { value }),
  };
}

/** Problems with one cause, told once. */
export interface FoldedProblem {
  first: Problem;
  /** How many others there are, and the rows of the first of them. */
  others: number;
  otherRows: number[];
}

const mostRowsKept = 6;
const mostCausesKept = 1000;
const mostErrorsKept = 1000;
const ranks = { file: 0, header: 1, order: 2 };

/** Problems as they are found, however many, in memory that has a bound. */
export interface ProblemLog {
  /** All problems of one order, or one of the file or the header. */
  add(problems: readonly Problem[]): void;
  /** By what they are about and by order; the same cause once. */
  folded(): FoldedProblem[];
  /** The first errors, one by one. */
  errors(): Problem[];
}

export function createProblemLog(): ProblemLog {
  const byCause = new Map<string, FoldedProblem>();
  const errors: Problem[] = [];
  return {
    add: (problems) => {
      for (const problem of problems) {
        if (problem.severity === 'error' && errors.length < mostErrorsKept) errors.push(problem);
        const cause = causeOf(problem);
        const known = byCause.get(cause);
        if (known !== undefined) {
          known.others += 1;
          const isNew = problem.row !== undefined && !known.otherRows.includes(problem.row);
          if (isNew && known.otherRows.length < mostRowsKept) known.otherRows.push(problem.row as number);
        } else if (byCause.size < mostCausesKept) {
          byCause.set(cause, { first: problem, others: 0, otherRows: [] });
        }
      }
    },
    folded: () => [...byCause.values()].toSorted((left, right) => compare(left.first, right.first)),
    errors: () => errors,
  };
}

/** Orders come by row and each is added whole, so that a stable sort leaves the problems of one together. */
function compare(left: Problem, right: Problem): number {
  const rank = ranks[left.about] - ranks[right.about];
  return rank !== 0 || left.about === 'order' ? rank : (left.row ?? 0) - (right.row ?? 0);
}

function causeOf({ about, severity, code, column, header, path, cause, problem }: Problem): string {
  return [
    ...[about, severity, code],
    about === 'header' ? (column ?? header) : undefined,
    path?.replace(/\[\d+\]/g, '[]'),
    cause ?? problem,
  ].join('\n');
}
