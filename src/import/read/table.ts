import type { Advice } from '../../advice/advice.ts';
import { createWidthCheck, type Row } from '../../csv/read-csv.ts';
import { CliError } from '../../errors.ts';
import type { HiddenRowsChoice } from '../choices.ts';
import type { ProblemCode } from '../problem.ts';
import type { DialectFlags } from './detect.ts';

export interface HeaderRow extends Row {
  /** The first rows below it, of any width, since the names may be in one of them. */
  below?: readonly Row[];
}

/** Equal rows that follow each other. */
export interface RowRun {
  cells: string[];
  count: number;
}

export interface Table {
  header: HeaderRow;
  above: RowRun[];
  delimiter: string;
  encoding: string;
  isWrapped: boolean;
  isUnquoted: boolean;
  /** The sheet of a workbook; its rejects are CSV with this delimiter. */
  sheet?: string;
  /** The cells of a workbook that are numbers have a decimal dot, whatever the mark of amounts that are text. */
  hasNumberCells?: boolean;
  /** An estimate from the beginning of the file. */
  expectedRows?: number;
  notes?: readonly string[];
  /** The rows that are not blank, with cells for the header; each call reads the file again. */
  batches(): AsyncIterable<Row[]>;
}

export interface ReadingFlags extends DialectFlags {
  /** A label of TextDecoder; a byte order mark in the file takes precedence. */
  encoding?: string | undefined;
  /** The name of a sheet of a workbook, in any case. */
  sheet?: string | undefined;
  hiddenRows?: HiddenRowsChoice | undefined;
}

const maxRowsBelow = 100;
const maxTextAbove = 1024 * 1024;

/** The first row with text, or the given one. Error: `file_invalid`. */
export async function readHeader(
  rows: AsyncIterable<Row[]>,
  name: string,
  headerRow: number | undefined,
): Promise<{ header: HeaderRow; above: RowRun[] }> {
  const above: RowRun[] = [];
  let nextRow = 1;
  let length = 0;
  const add = (cells: string[], count: number): void => {
    const last = above.at(-1);
    if (last !== undefined && isEqual(last.cells, cells)) {
      last.count += count;
      return;
    }
    above.push({ cells, count });
    for (const cell of cells) length += 1 + cell.length;
  };
  for await (const batch of rows) {
    for (const [index, row] of batch.entries()) {
      const isHeader = headerRow === undefined ? row.cells.some((cell) => cell !== '') : row.row >= headerRow;
      // A workbook leaves out rows without cells.
      if (row.row > nextRow) add([''], row.row - nextRow);
      nextRow = row.row + 1;
      if (isHeader) {
        return { header: { ...row, below: batch.slice(index + 1, index + 1 + maxRowsBelow) }, above };
      }
      add(row.cells, 1);
      if (length > maxTextAbove) {
        const problem = `has more than 1 MiB of text above row ${headerRow ?? row.row}`;
        throw invalid(name, problem, 'Remove it, or name the row of the header with --header-row.');
      }
    }
  }
  const problem = headerRow === undefined ? 'has nothing in it' : `has no row ${headerRow}`;
  throw invalid(name, problem, 'Export it again with a header line.');
}

function isEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((cell, index) => cell === right[index]);
}

const flagNames = {
  sheet: '--sheet',
  hiddenRows: '--hidden-rows',
  delimiter: '--delimiter',
  encoding: '--encoding',
} as const;

/** For a flag that says nothing about this kind of file. */
export function flagOfOther(name: string, flag: keyof typeof flagNames, why: string): CliError {
  return new CliError('usage', `${name} ${why}, so ${flagNames[flag]} does not apply to it.`, {
    hint: `Leave out ${flagNames[flag]}.`,
    outcome: 'not_sent',
  });
}

export function invalid(
  name: string,
  problem: string,
  hint: Advice,
  mapping: Pick<CliError['details'], 'mappingKeys'> = {},
): CliError {
  return new CliError('file_invalid', `${name} ${problem}.`, { hint, ...mapping, outcome: 'not_sent' });
}

interface WorkbookQuestionParts {
  hint: Advice;
  question: string;
  sheets?: readonly string[];
}

/** What only the user knows about a workbook: asked at a terminal, elsewhere an error that names the flag. */
export class WorkbookQuestion extends CliError {
  readonly question: string;
  /** The sheets to choose from; undefined when it is about hidden rows. */
  readonly sheets: readonly string[] | undefined;

  constructor(
    code: 'sheet_unclear' | 'rows_hidden',
    sentence: string,
    { hint, question, sheets }: WorkbookQuestionParts,
  ) {
    super(code, `${sentence} Nothing was sent.`, { hint, outcome: 'not_sent' });
    this.question = question;
    this.sheets = sheets;
  }
}

/** What the rejects file adds to the columns of the original. */
export const rejectsColumns = ['_row', '_code', '_error', '_fix'];

interface DataRowOptions {
  forOrders: boolean;
  /** The error for rows of another width; `problem` continues the name of the file. */
  refuse(problem: string): Error;
}

/** Rows are passed on in portions of this size, counted as if each row had the width of the header. */
const maxCellsAtOnce = 250_000;
/** When rows of other widths would fill more cells, the file is refused before its last row, by the same rule. */
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
