import { createWidthCheck, type Row } from '../../csv/read-csv.ts';
import type { ProblemCode } from '../problem.ts';

/** What the rejects file adds to the columns of the original. */
export const rejectsColumns = ['_row', '_code', '_error', '_fix'];

interface DataRowOptions {
  forOrders: boolean;
  /** The error for rows of another width; `problem` continues the name of the file. */
  refuse(problem: string): Error;
}

/** Rows are passed on before there are more cells, since each may be filled up to the width of the header. */
const maxCellsAtOnce = 250_000;
/** Rows of other widths that fill up to more cells are refused before the last row, by the same rule. */
const maxFilledCells = 10_000_000;

/** Throws the error of `refuse` after the last row, or when most rows have another width and the header is wide. */
export async function* rowsBelow(
  header: Row,
  rows: AsyncIterable<Row[]>,
  { forOrders, refuse }: DataRowOptions,
): AsyncGenerator<Row[]> {
  const width = createWidthCheck(header.cells.length);
  const isShifted = forOrders ? createShiftCheck(header) : () => false;
  // In a rejects file all rows may be there for their width.
  const maxOthers = forOrders ? (isRejectsFile(header) ? 1 : 1 / 2) : 0;
  const rowsAtOnce = Math.ceil(maxCellsAtOnce / header.cells.length);
  let count = 0;
  let others = 0;
  const areMostOthers = () => others > maxOthers * count;
  for await (const batch of rows) {
    let data: Row[] = [];
    for (const row of batch) {
      if (data.length >= rowsAtOnce) {
        yield data;
        data = [];
        if (others * header.cells.length > maxFilledCells && areMostOthers()) break;
      }
      if (row.row <= header.row || isBlank(row)) continue;
      const isOther = row.cells.length !== header.cells.length;
      if (forOrders && isOther && isFooter(row.cells)) {
        data.push(withOwnCells(row, header));
        continue;
      }
      count += 1;
      const fitting = width.fit(row);
      if (fitting !== undefined) {
        data.push(isShifted(fitting) ? withOwnCells(withoutPadding(fitting), header) : fitting);
        continue;
      }
      others += 1;
      if (forOrders) data.push(withOwnCells(row, header));
    }
    yield data;
    if (others * header.cells.length > maxFilledCells && areMostOthers()) break;
  }
  const problem = width.problem();
  if (problem !== undefined && areMostOthers()) throw refuse(problem);
}

/** The row with as many cells as the header, and its own beside them. */
function withOwnCells(row: Row, { cells: { length } }: Row): Row {
  const cells = Array.from({ length }, (_, index) => row.cells[index] ?? '');
  return { ...row, cells, ownCells: row.cells };
}

function withoutPadding(row: Row): Row {
  return { ...row, cells: row.cells.slice(0, 1 + row.cells.findLastIndex((cell) => cell !== '')) };
}

/**
 * Finds rejects of another width that a spreadsheet has padded to the width of the header: the added columns are then
 * out of place.
 */
function createShiftCheck({ cells }: Row): (row: Row) => boolean {
  const code = cells.indexOf('_code');
  if (code < 0) return () => false;
  return ({ cells }) => cells.some((cell, index) => index !== code && isWidthCode(cell));
}

export function isRejectsFile({ cells }: Row): boolean {
  return rejectsColumns.every((name) => cells.includes(name));
}

function isWidthCode(cell: string): boolean {
  return cell.includes('row_width') && cell.split(' ').includes('row_width' satisfies ProblemCode);
}

/** Ctrl-Z, with which old programs end a file. */
const endMark = '\u001a';

export function isBlank({ cells }: Row): boolean {
  return cells.every((cell) => cell === '') || (cells.length === 1 && cells[0] === endMark);
}

/** What shops write below their last row, with the cells of the row joined by a space. */
const footers = [
  /^(?:\d[\d ,.]*)?record(?:\(s\)|s)? downloaded(?:\W*$| from )/i,
  /^seller id ?:/i,
  /^generated (?:by|on|at|from)\b/i,
  /^exported(?: |:)/i,
];
const comment = /^(?:# |\/\/)/;
const maxCells = 3;

/** Whether a row is a comment or a footer of the export: `3 record(s) downloaded`, `Generated on 2026-11-20`. */
export function isFooter(cells: readonly string[]): boolean {
  let count = 0;
  for (const cell of cells) {
    if (cell !== '') count += 1;
    if (count > maxCells) return false;
  }
  const texts = cells.filter((cell) => cell !== '');
  if (texts.length === 1 && comment.test(cells[0] ?? '')) return true;
  const text = texts.join(' ').replace(/\s+/g, ' ');
  return footers.some((footer) => footer.test(text));
}
