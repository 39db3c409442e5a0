import type { Advice } from '../../advice/advice.ts';
import type { Row } from '../../csv/read-csv.ts';
import { CliError } from '../../errors.ts';
import type { HiddenRowsChoice } from '../choices.ts';
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
