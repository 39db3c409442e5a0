import { CsvError, type Options, type Parser, parse } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { type Text, t } from '../advice/advice.ts';
import { findQuoteProblem, hasLineBreak } from './quotes.ts';
import { protection } from './write-csv.ts';

/** A record with clean cells: `row` is its number in a spreadsheet, `line` its first line in the file, both from 1. */
export interface Row {
  row: number;
  line: number;
  cells: string[];
  /** The original cells, if their number differs from the header. */
  ownCells?: string[];
  /** Where the last row ends, if the file has no final line break. */
  openEnd?: OpenEnd | undefined;
}

/** After part of a cell, which may be cut off; after a delimiter; or after a closing quote. */
export type OpenEnd = 'cell' | 'delimiter' | 'quote';

export interface Dialect {
  delimiter: string;
  hasSeparatorLine: boolean;
  /** Each row is a single quoted cell with the whole row in it. */
  isWrapped: boolean;
  isUnquoted: boolean;
}

export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

export function columnIndex(letters: string): number {
  return [...letters].reduce((index, letter) => 26 * index + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Text that is not CSV. The problem continues the name of the file: `has a quote that ...`. */
export class CsvFormatError extends Error {
  readonly problem: Text;
  readonly containsRows: boolean;
  /** What to do when the problem is not about quotes. */
  readonly fix: Text | undefined;

  constructor(problem: Text, { containsRows = false, fix }: { containsRows?: boolean; fix?: Text } = {}) {
    super(String(problem));
    this.problem = problem;
    this.containsRows = containsRows;
    this.fix = fix;
  }
}

const commas: Dialect = { delimiter: ',', hasSeparatorLine: false, isWrapped: false, isUnquoted: false };
const maxRecordBytes = 10 * 1024 * 1024;
const maxCellBytes = 1024 * 1024;
const maxColumns = 16_384;

type Separators = Pick<Dialect, 'delimiter' | 'isUnquoted'>;

function parserOptions({ delimiter, isUnquoted }: Separators): Options {
  return {
    delimiter,
    quote: isUnquoted ? false : '"',
    bom: true,
    // A list allows mixed line endings.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRecordBytes,
  };
}

/**
 * The rows of each piece of text, blank ones too; those of the end come with the piece before it. `width` is that of the
 * header, when it is known. `open` is called again to find a line. Throws CsvFormatError, errors of `open`.
 */
export async function* readCsv(
  open: () => AsyncIterable<string>,
  dialect: Dialect,
  width?: number,
): AsyncGenerator<Row[]> {
  const splitter = createSplitter(dialect, width);
  try {
    let rows: Row[] = [];
    for await (const piece of open()) {
      const next = splitter.add(piece);
      if (next.length === 0) continue;
      yield rows;
      rows = next;
    }
    yield rows.concat(await splitter.end());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const lines = createLineCounter(Number(error.bytes));
    for await (const piece of open()) if (!lines.add(piece)) break;
    throw formatError(error, lines.line());
  }
}

/** Rows are returned with the piece that ends them. Throws CsvFormatError, CsvError. */
export function createSplitter(dialect: Dialect, width?: number) {
  const parser = createParser(parserOptions(dialect));
  const readRow = createRowReader(dialect, width);
  const toRows = (records: readonly string[][]) => records.map(readRow).filter(({ row }) => row > 0);
  let lastCharacter = '';
  return {
    add: (text: string): Row[] => {
      lastCharacter = text.at(-1) ?? lastCharacter;
      const rows = toRows(readRecords(parser, text));
      if (parser.errored) throw parser.errored;
      return rows;
    },
    end: async (): Promise<Row[]> => {
      const rows = toRows(await lastRecords(parser));
      const last = rows.at(-1);
      if (last !== undefined && !hasLineBreak(lastCharacter)) {
        const isClosed = lastCharacter === '"' && !dialect.isUnquoted;
        last.openEnd = isClosed ? 'quote' : last.cells.at(-1) === '' ? 'delimiter' : 'cell';
      }
      return rows;
    },
  };
}

function createParser(options: Options): Parser {
  const parser = parse(options);
  // Callers check `parser.errored`.
  parser.on('error', () => undefined);
  // csv-parse makes an error for each record of another width than the first, also when any width is allowed. That takes
  // ten times as long as the record, but before its first record it expects no width.
  Object.defineProperty(parser.info, 'records', { get: () => 0, set: () => undefined });
  return parser;
}

/** The stream splits what is written at once, and an event or a promise for each record would take longer than that. */
function readRecords(parser: Parser, text: string): string[][] {
  parser.write(text);
  const records: string[][] = [];
  for (let cells = parser.read(); cells !== null; cells = parser.read()) records.push(cells);
  return records;
}

async function lastRecords(parser: Parser): Promise<string[][]> {
  parser.end();
  const records: string[][] = [];
  for await (const cells of parser) records.push(cells);
  return records;
}

/** Throws CsvFormatError. */
export function parseCsv(text: string): Row[] {
  try {
    return parseText(text, parserOptions(commas)).map(createRowReader(commas));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const lines = createLineCounter(Number(error.bytes));
    lines.add(text);
    throw formatError(error, lines.line());
  }
}

const sampledAtOnce = 4096;

/** At most `maxRecords`. Unless the text is whole, its last record may be cut off and is dropped. */
export async function parseSample(
  text: string,
  isWhole: boolean,
  separators: Separators,
  maxRecords: number,
): Promise<string[][]> {
  const parser = createParser({ ...parserOptions(separators), skip_records_with_error: true });
  const records: string[][] = [];
  for (let start = 0; start < text.length && records.length < maxRecords; start += sampledAtOnce) {
    const read = readRecords(parser, text.slice(start, start + sampledAtOnce));
    for (const cells of read) records.push(cells);
  }
  if (isWhole && records.length < maxRecords) records.push(...(await lastRecords(parser)));
  return records.slice(0, maxRecords);
}

export function unwrapRow(cell: string, delimiter: string): string[] | undefined {
  try {
    const [record, ...others] = parseText(cell, parserOptions({ delimiter, isUnquoted: false }));
    return others.length === 0 ? record : undefined;
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

function createRowReader({ delimiter, hasSeparatorLine, isWrapped, isUnquoted }: Dialect, width?: number) {
  // Spreadsheets hide the `sep=` line.
  let row = hasSeparatorLine ? 0 : 1;
  let line = 1;
  return (record: string[]): Row => {
    const unwrapped = isWrapped && record.length === 1 ? unwrapRow(record[0] ?? '', delimiter) : undefined;
    const cells = unwrapped ?? record;
    checkSize(cells, row, line);
    const found = isUnquoted ? undefined : findQuoteProblem(cells, delimiter, width);
    if (found !== undefined) {
      const { index, containsRows } = found;
      const place = placeOf(row, line, index);
      const problem = containsRows
        ? t`has a quoted cell that contains the rows below it in ${place}`
        : t`has a quoted cell that is split at a delimiter in ${place}`;
      throw new CsvFormatError(problem, { containsRows });
    }
    const read = { row, line, cells: cells.map(cleanCell) };
    row += 1;
    line += 1;
    for (const cell of record) line += countLineBreaks(cell);
    return read;
  };
}

function checkSize(cells: readonly string[], row: number, line: number): void {
  if (cells.length > maxColumns) {
    const problem = t`has ${cells.length} cells in row ${row} (line ${line}), but at most ${maxColumns} columns are read`;
    const fix = t`Remove the columns that orders do not need, or name the --delimiter if these are not columns.`;
    throw new CsvFormatError(problem, { fix });
  }
  const index = cells.findIndex(
    (cell) => cell.length > maxCellBytes / 3 && Buffer.byteLength(cell) > maxCellBytes,
  );
  if (index < 0) return;
  const place = placeOf(row, line, index);
  throw new CsvFormatError(t`has a cell of more than 1 MiB in ${place}; a quote may not be closed there`);
}

function placeOf(row: number, line: number, index: number): Text {
  return t`row ${row} (line ${line}), column ${columnLetters(index)}`;
}

function formatError({ code, message }: CsvError, line: number): CsvFormatError {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return new CsvFormatError(t`has a quote that opens on line ${line} and never closes`);
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new CsvFormatError(
      t`has a record on line ${line} that is longer than any order; a quote may not be closed there`,
    );
  return new CsvFormatError(t`cannot be read as CSV at line ${line}: ${message}`);
}

function createLineCounter(bytes: number) {
  let line = 1;
  let left = bytes;
  let endsWithReturn = false;
  return {
    add: (piece: string): boolean => {
      const part = Buffer.from(piece).subarray(0, left).toString();
      const isContinued = endsWithReturn && part.startsWith('\n');
      line += countLineBreaks(part) - (isContinued ? 1 : 0);
      left -= Buffer.byteLength(part);
      endsWithReturn = part.endsWith('\r');
      return left > 0;
    },
    line: () => line,
  };
}

function countLineBreaks(text: string): number {
  if (!hasLineBreak(text)) return 0;
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}

const zeroWidth = '\u200b\u200c\u200d\u2060';
const formulaText = /^="((?:[^"]|"")*)"$/;

/** A cell without spaces around it and without what protects it: `="0123"`, a trailing TAB, the `'` of protectCell. */
export function cleanCell(cell: string): string {
  if (cell === '' || (isPlain(cell.charCodeAt(0)) && isPlain(cell.charCodeAt(cell.length - 1)))) return cell;
  const trimmed = trim(cell);
  const formula = formulaText.exec(trimmed)?.[1];
  const text = formula === undefined ? trimmed : trim(formula.replaceAll('""', '"'));
  return text.replace(protection, '');
}

/** Linear: a regular expression for trailing spaces would be quadratic. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charAt(start))) start += 1;
  while (end > start && isSpace(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isSpace(character: string): boolean {
  return character.trim() === '' || zeroWidth.includes(character);
}

function isPlain(code: number): boolean {
  return code > 0x20 && code < 0x1680 && code !== 0x27 && code !== 0x3d && (code < 0x7f || code > 0xa0);
}

const maxRowsNamed = 6;

export function createWidthCheck(width: number) {
  let first: Row | undefined;
  let otherRows = 0;
  const named: number[] = [];
  return {
    /** The row cut to the width of the header; undefined if it does not fit. Blank extra cells are padding. */
    fit: (row: Row): Row | undefined => {
      const { cells } = row;
      if (cells.length === width) return row;
      if (cells.length > width && cells.slice(width).every((cell) => cell === ''))
        return { ...row, cells: cells.slice(0, width) };
      if (first === undefined) {
        first = row;
        return undefined;
      }
      otherRows += 1;
      if (named.length < maxRowsNamed) named.push(row.row);
      return undefined;
    },
    /** It continues the name of the file: `has 2 cells in row 3 ...`. */
    problem: (): Text | undefined => {
      if (first === undefined) return undefined;
      const { row, line, cells } = first;
      const problem = t`has ${cells.length} {cell|cells} in row ${row} (line ${line}), but the header has ${width}`;
      if (otherRows === 0) return problem;
      const rows = `${named.join(', ')}${otherRows > named.length ? ', ...' : ''}`;
      return t`${problem}; other widths too in ${otherRows} more {row|rows}: ${rows}`;
    },
  };
}
