import { createHash } from 'node:crypto';
import { CsvFormatError, type Dialect, type Row, readCsv } from '../../csv/read-csv.ts';
import { CliError } from '../../errors.ts';
import type { Spill } from '../../system/spill.ts';
import type { System } from '../../system/system.ts';
import { isBlank, rowsBelow } from './data-rows.ts';
import {
  DecodeError,
  type DialectFlags,
  decodeText,
  detectDialect,
  detectEncoding,
  detectFileKind,
  isUtf32,
} from './detect.ts';

export { columnIndex, columnLetters } from '../../csv/read-csv.ts';
export type { Row };

export interface HeaderRow extends Row {
  /** The rows below it, of any width, since the names may be in one of them. */
  below?: readonly Row[];
}

export interface Table {
  header: HeaderRow;
  above: string[][];
  delimiter: string;
  encoding: string;
  isWrapped: boolean;
  isUnquoted: boolean;
  /** The rows below the header that are not blank, all with cells for the header; each call reads the file again. */
  batches(): AsyncIterable<Row[]>;
}

export interface ReadingFlags extends DialectFlags {
  /** A label of TextDecoder; a byte order mark in the file takes precedence. */
  encoding?: string | undefined;
}

export interface ReadingOptions {
  /**
   * Whether the rows are orders to import. A row of another width is then passed on with its own cells, unless most rows
   * are, and errors name --quote.
   */
  forOrders?: boolean;
}

const widthFix =
  'Check that row for a missing or extra delimiter, or a cell that needs quotes; if every row looks wrong, name the --delimiter.';
const quotesFix = 'Fix the quotes there, or export the file again.';
const unquotedFix =
  'If quotes are ordinary text in this file, add --quote none: every row is then as wide as the header. Otherwise fix the quotes there.';
const orUnquotedFix = 'If quotes are ordinary text in this file, add --quote none.';
const saveAgain = 'Save it as "CSV UTF-8".';
const maxRowsBelow = 100;
const headBytes = 256 * 1024;

/** Reads the header; `batches` reads the rows. Both throw `file_invalid`, `file_changed` and the errors of the source. */
export async function readTable(
  given: Source,
  flags: ReadingFlags,
  { forOrders = false }: ReadingOptions = {},
): Promise<Table> {
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
  const quoteFix = async (error: CsvFormatError) => {
    if (!forOrders) return quotesFix;
    const unquoted = detectDialect(text, isWhole, { ...flags, quote: 'none' });
    const read = () => readCsv(() => decodeText(source.open(), encoding), unquoted);
    if (await isTable(read, flags.headerRow)) return unquotedFix;
    return error.containsRows ? `${quotesFix} ${orUnquotedFix}` : quotesFix;
  };
  const rows = (width?: number) => readRows(source, { encoding, dialect, width, quoteFix });
  const { header, above } = await readHeader(rows(), name, flags.headerRow);
  const batches = () =>
    rowsBelow(header, rows(header.cells.length), {
      forOrders,
      refuse: (problem) => invalid(name, problem, widthFix),
    });
  const { delimiter, isWrapped, isUnquoted } = dialect;
  return { header, above, encoding, delimiter, isWrapped, isUnquoted, batches };
}

/** Whether it reads to its end as several columns, every row exactly as wide as the header. */
async function isTable(read: () => AsyncIterable<Row[]>, headerRow: number | undefined): Promise<boolean> {
  try {
    const { header } = await readHeader(read(), '', headerRow);
    const width = header.cells.length;
    for await (const batch of read()) {
      const below = batch.filter((row) => row.row > header.row && !isBlank(row));
      if (below.some(({ cells }) => cells.length !== width)) return false;
    }
    return width > 1;
  } catch {
    return false;
  }
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

interface RowReading {
  encoding: string;
  dialect: Dialect;
  width: number | undefined;
  quoteFix(error: CsvFormatError): Promise<string>;
}

async function* readRows(
  { name, open }: Source,
  { encoding, dialect, width, quoteFix }: RowReading,
): AsyncGenerator<Row[]> {
  try {
    yield* readCsv(() => decodeText(open(), encoding), dialect, width);
  } catch (error) {
    if (error instanceof CsvFormatError)
      throw invalid(name, error.message, error.fix ?? (await quoteFix(error)));
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
    'Save it as "CSV UTF-8" and run the same command again, or add the flag that reads this line correctly:',
    ...lines,
  ];
  return invalid(name, 'is not UTF-8 text', hint.join('\n'));
}

function invalid(name: string, problem: string, hint: string): CliError {
  return new CliError('file_invalid', `${name} ${problem}.`, { hint, outcome: 'not_sent' });
}

export interface CsvSource extends Source {
  openSpill(): Spill;
}

/** Standard input and pipes are copied to a private file while `use` runs, so that they can be read more than once. */
export async function withSource<Result>(
  file: string,
  { stdin, files, interruption }: Pick<System, 'stdin' | 'files' | 'interruption'>,
  use: (source: CsvSource) => Promise<Result>,
): Promise<Result> {
  const name = file === '-' ? 'Standard input' : file;
  const stream = file === '-' ? stdin : await files.openPipe(file, interruption.stopping);
  const spooled = stream && (await files.spool(stream, name));
  const spills: Spill[] = [];
  const openSpill = () => {
    const spill = files.openSpill();
    spills.push(spill);
    return spill;
  };
  try {
    return await use({ name, open: spooled?.open ?? (() => files.readChunks(file)), openSpill });
  } finally {
    for (const spill of spills) spill.remove();
    spooled?.remove();
  }
}

/** `name` is what errors call it. */
export interface Source {
  name: string;
  /** The bytes from the beginning, cut at the same places each time. */
  open(): AsyncIterable<Uint8Array>;
}

/** Throws `file_changed` before it passes on a chunk that differs from the first time, since it was not checked. */
export function rejectChanges({ name, open }: Source): Source {
  const hashes: string[] = [];
  let isComplete = false;
  return {
    name,
    open: async function* () {
      let count = 0;
      for await (const chunk of open()) {
        const hash = createHash('sha1').update(chunk).digest('base64');
        const isNew = count === hashes.length && !isComplete;
        if (isNew) hashes.push(hash);
        else if (hashes[count] !== hash) throw fileChanged(name);
        count += 1;
        yield chunk;
      }
      if (count < hashes.length) throw fileChanged(name);
      isComplete = true;
    },
  };
}

function fileChanged(name: string): CliError {
  return new CliError('file_changed', `${name} changed while it was read.`, {
    hint: 'Run the same command again when no other program writes to it.',
  });
}
