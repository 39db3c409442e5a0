import { cleanCell } from '../../csv/clean-cell.ts';
import { CliError } from '../../errors.ts';
import { type Dialect, detectDialect, unwrapRow } from './dialect.ts';
import { DecodeError, decodeText, detectEncoding, isUtf32 } from './encoding.ts';
import { recogniseFile } from './file-kind.ts';
import { type Source, sealSource } from './source.ts';
import { createRecordSplitter, RecordError } from './split-records.ts';
import type { HeaderRow, Row, Table } from './table.ts';

export interface ReadingFlags {
  /** As the platform's decoder calls it; a byte order mark in the file wins. */
  encoding?: string | undefined;
  delimiter?: string | undefined;
  /** The row of the header, when there are others above it. */
  headerRow?: number | undefined;
}

const saveAgain = 'Save it as "CSV UTF-8".';
/** So many rows below the first are looked at for a header, when titles stand above it. */
const mostTitles = 20;
/** Files of old programs end with it. */
const endMark = '\u001a';

/** So much of a file is looked at to find out what it is. */
const headLength = 256 * 1024;

/**
 * Finds out what a file is and reads its header; the rows are read as they are asked for.
 * Errors, from the start or while reading: those of the source, `file_invalid` saying where and
 * what to do, `file_changed` when it is not what it was.
 */
export async function readTable(given: Source, flags: ReadingFlags): Promise<Table> {
  const source = sealSource(given);
  const { name } = source;
  const { head, isWhole } = await readHead(source);
  if (head.length === 0) throw invalid(name, 'is empty', 'Export it again with a header line.');
  const known = recogniseFile(head);
  if (known !== undefined) throw invalid(name, `is ${known.kind}, not CSV`, known.fix);
  if (isUtf32(head)) throw invalid(name, 'is UTF-32 text', saveAgain);
  const encoding = detectEncoding(head, flags.encoding);
  if (encoding === undefined)
    throw invalid(name, 'is not text', 'Export it again as CSV UTF-8, or name its --encoding.');
  const text = new TextDecoder(encoding).decode(head, { stream: !isWhole });
  const dialect = detectDialect(text, isWhole, flags);
  const records = () => readRecords(source, encoding, dialect);
  const { header, above } = await readHeader(records(), name, flags.headerRow);
  const batches = () => rowsBelow(header, records(), name);
  return { header, above, encoding, delimiter: dialect.delimiter, isWrapped: dialect.isWrapped, batches };
}

async function readHead(source: Source): Promise<{ head: Buffer; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source.open()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > headLength) return { head: Buffer.concat(chunks), isWhole: false };
  }
  return { head: Buffer.concat(chunks), isWhole: true };
}

async function readHeader(
  records: AsyncIterable<Row[]>,
  name: string,
  headerRow: number | undefined,
): Promise<{ header: HeaderRow; above: string[][] }> {
  const above: string[][] = [];
  for await (const batch of records) {
    for (const [index, row] of batch.entries()) {
      const isHeader = headerRow === undefined ? row.cells.some((cell) => cell !== '') : row.row >= headerRow;
      if (isHeader) {
        return { header: { ...row, below: batch.slice(index + 1, index + 1 + mostTitles) }, above };
      }
      above.push(row.cells);
    }
  }
  const problem = headerRow === undefined ? 'has nothing in it' : `has no row ${headerRow}`;
  throw invalid(name, problem, 'Export it again with a header line.');
}

async function* rowsBelow(header: Row, records: AsyncIterable<Row[]>, name: string): AsyncGenerator<Row[]> {
  const width = createWidthCheck(header.cells.length);
  for await (const batch of records) {
    const rows: Row[] = [];
    for (const record of batch) {
      if (record.row <= header.row || isNothing(record)) continue;
      const fitting = width.fit(record);
      if (fitting !== undefined) rows.push(fitting);
    }
    yield rows;
  }
  const problem = width.problem();
  if (problem !== undefined) throw invalid(name, problem.text, problem.fix);
}

function isNothing({ cells }: Row): boolean {
  return cells.every((cell) => cell === '') || (cells.length === 1 && cells[0] === endMark);
}

/** All records of the file, blank ones too, numbered as a spreadsheet does. */
async function* readRecords(
  { name, open }: Source,
  encoding: string,
  { delimiter, hasSeparatorLine, isWrapped }: Dialect,
): AsyncGenerator<Row[]> {
  const splitter = createRecordSplitter(delimiter);
  const toRows = (text: string, isLast: boolean): Row[] => {
    const rows = splitter.push(text, isLast);
    for (const row of rows) {
      // A spreadsheet does not show the line that names the delimiter.
      if (hasSeparatorLine) row.row -= 1;
      if (isWrapped && row.cells.length === 1)
        row.cells = unwrapRow(row.cells[0] ?? '', delimiter) ?? row.cells;
      const { cells } = row;
      for (let index = 0; index < cells.length; index++) cells[index] = cleanCell(cells[index] as string);
    }
    return rows[0]?.row === 0 ? rows.slice(1) : rows;
  };
  try {
    for await (const text of decodeText(open(), encoding)) yield toRows(text, false);
    yield toRows('', true);
  } catch (error) {
    if (error instanceof RecordError)
      throw invalid(name, error.message, 'Mend the quotes there, or export the file again.');
    if (error instanceof DecodeError) throw notDecodable(name, error);
    throw error;
  }
}

function notDecodable(name: string, { encoding, samples }: DecodeError): CliError {
  // It was found out, by a mark or by its pattern, and another name would not help.
  if (encoding.startsWith('utf-16'))
    return invalid(name, `is not ${encoding} text to its end`, `It may have been cut off. ${saveAgain}`);
  if (encoding !== 'utf-8')
    return invalid(name, `is not ${encoding} text`, 'Name another --encoding, or save it as "CSV UTF-8".');
  const lines = samples.map((sample) => `  --encoding ${sample.encoding}  reads  ${sample.text}`);
  const hint = [
    'Save it as "CSV UTF-8" and run the same command again, or add the flag that reads this line of it right:',
    ...lines,
  ];
  return invalid(name, 'is not UTF-8 text', hint.join('\n'));
}

function invalid(name: string, problem: string, hint: string): CliError {
  return new CliError('file_invalid', `${name} ${problem}.`, { hint, outcome: 'not_sent' });
}

const mostNamed = 6;
const fix =
  'Look there for a delimiter too many or too few, or a cell that needs quotes; if every row looks wrong, name the --delimiter.';

/** Takes the rows that are as wide as the header, and remembers where the others are. */
export function createWidthCheck(width: number) {
  let first: Row | undefined;
  const others: number[] = [];
  let wrong = 0;
  return {
    /** The row as wide as the header, or undefined; empty cells beyond the last column are padding. */
    fit: (row: Row): Row | undefined => {
      const { cells } = row;
      if (cells.length === width) return row;
      if (cells.length > width && cells.slice(width).every((cell) => cell === '')) {
        return { ...row, cells: cells.slice(0, width) };
      }
      wrong += 1;
      if (first === undefined) first = row;
      else if (others.length < mostNamed) others.push(row.row);
      return undefined;
    },
    problem: (): { text: string; fix: string } | undefined => {
      if (first === undefined) return undefined;
      const { row, line, cells } = first;
      const count = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`;
      const text = `has ${count} in row ${row} (line ${line}), but the header has ${width}`;
      const more = wrong - 1;
      if (more === 0) return { text, fix };
      const named = `${others.join(', ')}${more > others.length ? ', ...' : ''}`;
      return {
        text: `${text}; other widths too in ${more} more ${more === 1 ? 'row' : 'rows'}: ${named}`,
        fix,
      };
    },
  };
}
