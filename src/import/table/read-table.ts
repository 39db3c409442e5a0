import { CsvFormatError, type Dialect, readCsv } from '../../csv/read-csv.ts';
import { createWidthCheck } from '../../csv/width-check.ts';
import { CliError } from '../../errors.ts';
import { detectDialect } from './dialect.ts';
import { DecodeError, decodeText, detectEncoding, isUtf32 } from './encoding.ts';
import { detectFileKind } from './file-kind.ts';
import { rejectChanges, type Source } from './source.ts';
import type { HeaderRow, Row, Table } from './table.ts';

export interface ReadingFlags {
  /** A label of TextDecoder; a byte order mark in the file takes precedence. */
  encoding?: string | undefined;
  delimiter?: string | undefined;
  /** The row of the header, from 1, when there are others above it. */
  headerRow?: number | undefined;
}

const widthFix =
  'Look there for a delimiter too many or too few, or a cell that needs quotes; if every row looks wrong, name the --delimiter.';
const saveAgain = 'Save it as "CSV UTF-8".';
const maxRowsBelow = 20;
/** Ctrl-Z, with which old programs end a file. */
const endMark = '\u001a';
const headBytes = 256 * 1024;

/** Reads the header; `batches` reads the rows. Both throw `file_invalid`, `file_changed` and the errors of the source. */
export async function readTable(given: Source, flags: ReadingFlags): Promise<Table> {
  const source = rejectChanges(given);
  const { name } = source;
  const { head, isWhole } = await readHead(source);
  if (head.length === 0) throw invalid(name, 'is empty', 'Export it again with a header line.');
  const known = detectFileKind(head);
  if (known !== undefined) throw invalid(name, `is ${known.kind}, not CSV`, known.fix);
  if (isUtf32(head)) throw invalid(name, 'is UTF-32 text', saveAgain);
  const encoding = detectEncoding(head, flags.encoding);
  if (encoding === undefined)
    throw invalid(name, 'is not text', 'Export it again as CSV UTF-8, or name its --encoding.');
  const text = new TextDecoder(encoding).decode(head, { stream: !isWhole });
  const dialect = detectDialect(text, isWhole, flags);
  const rows = () => readRows(source, encoding, dialect);
  const { header, above } = await readHeader(rows(), name, flags.headerRow);
  const batches = () => rowsBelow(header, rows(), name);
  return { header, above, encoding, delimiter: dialect.delimiter, isWrapped: dialect.isWrapped, batches };
}

async function readHead(source: Source): Promise<{ head: Buffer; isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source.open()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > headBytes) return { head: Buffer.concat(chunks), isWhole: false };
  }
  return { head: Buffer.concat(chunks), isWhole: true };
}

async function readHeader(
  rows: AsyncIterable<Row[]>,
  name: string,
  headerRow: number | undefined,
): Promise<{ header: HeaderRow; above: string[][] }> {
  const above: string[][] = [];
  for await (const batch of rows) {
    for (const [index, row] of batch.entries()) {
      const isHeader = headerRow === undefined ? row.cells.some((cell) => cell !== '') : row.row >= headerRow;
      if (isHeader) {
        return { header: { ...row, below: batch.slice(index + 1, index + 1 + maxRowsBelow) }, above };
      }
      above.push(row.cells);
    }
  }
  const problem = headerRow === undefined ? 'has nothing in it' : `has no row ${headerRow}`;
  throw invalid(name, problem, 'Export it again with a header line.');
}

async function* rowsBelow(header: Row, rows: AsyncIterable<Row[]>, name: string): AsyncGenerator<Row[]> {
  const width = createWidthCheck(header.cells.length);
  for await (const batch of rows) {
    const data = batch.filter((row) => row.row > header.row && !isBlank(row));
    yield data.map(width.fit).filter((row) => row !== undefined);
  }
  const problem = width.problem();
  if (problem !== undefined) throw invalid(name, problem, widthFix);
}

function isBlank({ cells }: Row): boolean {
  return cells.every((cell) => cell === '') || (cells.length === 1 && cells[0] === endMark);
}

async function* readRows({ name, open }: Source, encoding: string, dialect: Dialect): AsyncGenerator<Row[]> {
  try {
    yield* readCsv(() => decodeText(open(), encoding), dialect);
  } catch (error) {
    if (error instanceof CsvFormatError)
      throw invalid(name, error.message, 'Fix the quotes there, or export the file again.');
    if (error instanceof DecodeError) throw notDecodable(name, error);
    throw error;
  }
}

function notDecodable(name: string, { encoding, samples }: DecodeError): CliError {
  // UTF-16 is detected from a mark or a pattern of bytes, so no other --encoding would help.
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
