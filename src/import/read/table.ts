import { advice, again, type Text, t } from '../../advice/advice.ts';
import { createWidthCheck, type Row } from '../../csv/read-csv.ts';
import { CliError } from '../../errors.ts';
import type { HiddenRowsChoice } from '../choices.ts';
import type { ProblemCode } from '../problem.ts';
import { type DialectFlags, namesAllColumns } from './detect.ts';
import { type FoundHeader, findHeader, joinedNames, type MergesIn, otherHeaders } from './find-header.ts';

export interface HeaderRow extends Row {
  /** The first rows below it, of any width, since the names may be in one of them. */
  below?: readonly Row[];
  /** Columns that have the name and, in every row, the cell of an earlier column. */
  repeats?: readonly number[] | undefined;
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
  /** An estimate from the beginning of the file. */
  expectedRows?: number;
  notes?: readonly Text[];
  /** What a person has said about how it is read. */
  reading?: ReadingFlags;
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

/** The given flags; a header row that a remembered mapping knows counts as given. */
export function readingOf(
  { headerRow, sheet, encoding, delimiter, hiddenRows }: ReadingFlags,
  { header, isKnown }: { header: Row; isKnown: boolean },
): ReadingFlags {
  return { headerRow: isKnown ? header.row : headerRow, sheet, encoding, delimiter, hiddenRows };
}

/** Finds the columns that repeat an earlier one, for which it reads the rows once if a name stands twice in the header. */
export async function withRepeats(table: Table): Promise<Table> {
  const { header } = table;
  const firsts = new Map<string, number>();
  let pairs: [first: number, repeat: number][] = [];
  for (const [index, cell] of header.cells.entries()) {
    const name = cell.toLowerCase();
    const first = firsts.get(name);
    if (first === undefined) firsts.set(name, index);
    else if (name !== '') pairs.push([first, index]);
  }
  if (pairs.length === 0) return table;
  let count = 0;
  try {
    for await (const rows of table.batches()) {
      for (const { cells, ownCells } of rows) {
        if (isFooter(ownCells ?? cells)) continue;
        count += 1;
        pairs = pairs.filter(([first, repeat]) => cells[first] === cells[repeat]);
      }
      if (pairs.length === 0) return table;
    }
  } catch {
    // The rows are read again, and the error is met there.
    return table;
  }
  return count === 0
    ? table
    : { ...table, header: { ...header, repeats: pairs.map(([, repeat]) => repeat) } };
}

const maxRowsBelow = 100;
const maxTextAbove = 1024 * 1024;
/** The header is looked for among at least as many rows, if the file has them. */
const minRowsSearched = 20;

/** How the header is looked for below lines that are no part of the table. */
export interface HeaderSearch {
  mergesIn?: MergesIn;
  /** Whether a mapping is remembered for files with this header. */
  isKnown?: ((header: Row) => Promise<boolean>) | undefined;
}

interface ChosenHeader extends FoundHeader {
  /** A mapping is remembered for it, although it is not the first row with text. */
  isKnown?: boolean;
}

/**
 * The given row, else the first one with text; with `search` another one that is certainly the header, if a mapping is
 * remembered for it. Two rows that together name the columns are joined. Errors: `file_invalid`, `header_row_unclear`.
 */
export async function readHeader(
  rows: AsyncIterable<Row[]>,
  name: string,
  headerRow: number | undefined,
  search?: HeaderSearch,
): Promise<{ header: HeaderRow; above: RowRun[]; isKnown: boolean }> {
  const above = createRowsAbove(name, headerRow);
  const first: Row[] = [];
  let previous: Row | undefined;
  for await (const batch of rows) {
    for (const row of batch) {
      if (first.length > maxRowsBelow) break;
      const isFirst = headerRow === undefined ? row.cells.some((cell) => cell !== '') : row.row >= headerRow;
      if (first.length > 0 || isFirst) first.push(row);
      else {
        above.add(row);
        previous = row;
      }
    }
    const wanted = search === undefined || headerRow !== undefined ? 1 : minRowsSearched;
    if (first.length >= wanted) break;
  }
  if (first.length === 0) {
    const problem = headerRow === undefined ? t`has nothing in it` : t`has no row ${headerRow}`;
    throw invalid(name, problem, exportAgain);
  }
  const chosen: ChosenHeader =
    search === undefined
      ? { index: 0 }
      : headerRow === undefined
        ? await chooseHeader(first, name, search)
        : {
            index: 0,
            joined: isRejectsFile(first[0] as Row)
              ? undefined
              : joinedNames(previous, first[0], search.mergesIn),
          };
  const { index, joined, isKnown = false } = chosen;
  const row = first[index] as Row;
  for (const title of first.slice(0, index)) above.add(title);
  above.addGap(row);
  const header = { ...row, cells: joined ?? row.cells, below: first.slice(index + 1) };
  return { header, above: above.runs, isKnown };
}

/** Rows that are no part of the table. Error: `file_invalid`. */
function createRowsAbove(name: string, headerRow: number | undefined) {
  const runs: RowRun[] = [];
  let nextRow = 1;
  let length = 0;
  const add = (cells: string[], count: number): void => {
    const last = runs.at(-1);
    if (last !== undefined && isEqual(last.cells, cells)) {
      last.count += count;
      return;
    }
    runs.push({ cells, count });
    for (const cell of cells) length += 1 + cell.length;
  };
  // A workbook leaves out rows without cells.
  const addGap = ({ row }: Row): void => {
    if (row > nextRow) add([''], row - nextRow);
    nextRow = row + 1;
  };
  return {
    runs,
    addGap,
    add: (row: Row): void => {
      addGap(row);
      add(row.cells, 1);
      if (length <= maxTextAbove) return;
      const problem = t`has more than 1 MiB of text above row ${headerRow ?? row.row}`;
      throw invalid(name, problem, t`Remove it, or name the row of the header with --header-row.`);
    },
  };
}

/** Error: `header_row_unclear`. */
async function chooseHeader(
  rows: readonly Row[],
  name: string,
  { mergesIn, isKnown }: HeaderSearch,
): Promise<ChosenHeader> {
  const rejects = rows.findIndex(isRejectsFile);
  if (rejects >= 0) return { index: rejects };
  const found = namesAllColumns(rows) ? undefined : findHeader(rows, mergesIn);
  if (found === undefined) return { index: 0 };
  const header = rows[found.index] as Row;
  const cells = found.joined ?? header.cells;
  if (await isKnown?.({ ...header, cells })) return { ...found, isKnown: true };
  const [first] = rows as [Row];
  if (await isKnown?.(first)) return { index: 0 };
  const isPair = found.joined !== undefined;
  const names = listCells(cells);
  const choice = ({ row }: Row, name: Text) => ({ value: String(row), name, flags: { headerRow: row } });
  const sentence = isPair
    ? t`${name} may not begin with its header. Rows ${header.row - 1} and ${header.row} together look like the header: ${names}. Nothing was sent.`
    : t`${name} may not begin with its header. Row ${header.row} looks like the header: ${names}. Nothing was sent.`;
  const others = otherHeaders(rows, found).map((index) => rows[index] as Row);
  throw new ReadingQuestion('header_row_unclear', sentence, {
    hint: t`If that is right, add --header-row ${header.row}. If another row is the header, name that row: --header-row ${first.row} is the first one.${again('--header-row', String(header.row))}${again('--header-row', String(first.row))}`,
    question: isPair
      ? t`Rows ${header.row - 1} and ${header.row} together look like the header: ${names}. Use them?`
      : t`Row ${header.row} looks like the header: ${names}. Use it?`,
    choices: [
      choice(header, t`yes`),
      ...others.map((row) => choice(row, t`no, row ${row.row} is the header: ${listCells(row.cells)}`)),
      choice(first, t`no, the first row is the header: ${listCells(first.cells)}`),
    ],
  });
}

const maxCellsNamed = 6;
const maxCellLength = 30;

function listCells(cells: readonly string[]): string {
  const texts = cells.filter((cell) => cell !== '').map(shortened);
  return `${texts.slice(0, maxCellsNamed).join(', ')}${texts.length > maxCellsNamed ? ', ...' : ''}`;
}

function shortened(cell: string): string {
  const text = cell.replace(/\s+/g, ' ');
  return text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1)}…` : text;
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
export function flagOfOther(name: string, flag: keyof typeof flagNames, why: Text): CliError {
  return new CliError('usage', t`${name} ${why}, so ${flagNames[flag]} does not apply to it.`, {
    hint: t`Leave out ${flagNames[flag]}.`,
  });
}

export const exportAgain = t`Export it again with a header line.`;

export function invalid(
  name: string,
  problem: Text,
  hint: Text,
  mapping: Pick<CliError['details'], 'mappingKeys'> = {},
): CliError {
  return new CliError('file_invalid', advice`${name} ${problem}.`, { hint, ...mapping });
}

interface ReadingQuestionParts {
  hint: Text;
  question: Text;
  choices: readonly ReadingChoice[];
}

/** An answer, and the flags that give it. */
interface ReadingChoice {
  value: string;
  name: Text;
  flags: ReadingFlags;
}

/** What only the user knows about how a file is read: asked at a terminal, elsewhere an error that names the flag. */
export class ReadingQuestion extends CliError {
  readonly question: Text;
  readonly choices: readonly ReadingChoice[];

  constructor(
    code: 'sheet_unclear' | 'rows_hidden' | 'header_row_unclear',
    sentence: Text,
    { hint, question, choices }: ReadingQuestionParts,
  ) {
    super(code, sentence, { hint });
    this.question = question;
    this.choices = choices;
  }
}

/** What the rejects file adds to the columns of the original. */
export const rejectsColumns = ['_row', '_code', '_error', '_fix'];

interface DataRowOptions {
  forOrders: boolean;
  /** The error for rows of another width; `problem` continues the name of the file. */
  refuse(problem: Text): Error;
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

/** The cells of a row of another width may be in the wrong columns. */
export function fitsHeader({ ownCells }: Row): boolean {
  return ownCells === undefined;
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
  for (const cell of cells) if (cell !== '' && ++count > maxCells) return false;
  const texts = cells.filter((cell) => cell !== '');
  if (texts.length === 1 && comment.test(cells[0] ?? '')) return true;
  const text = texts.join(' ').replace(/\s+/g, ' ');
  return footers.some((footer) => footer.test(text));
}
