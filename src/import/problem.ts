import type { IssueCode } from '../orders/issue.ts';
import type { Column } from './map/column.ts';
import { columnLetters, type Row } from './table.ts';

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
