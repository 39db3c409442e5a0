import { again, joinTexts, t } from '../../advice/advice.ts';
import { CsvFormatError, type Row, readCsv } from '../../csv/read-csv.ts';
import type { CliError } from '../../errors.ts';
import {
  DecodeError,
  decodeText,
  detectDialect,
  detectEncoding,
  detectFileKind,
  isUtf32,
  saveAsCsv,
  saveAsWorkbook,
} from './detect.ts';
import { readRows } from './read-rows.ts';
import type { Source } from './source.ts';
import {
  exportAgain,
  flagOfOther,
  type HeaderRow,
  type HeaderSearch,
  invalid,
  isBlank,
  type ReadingFlags,
  readHeader,
  readingOf,
  rowsBelow,
  type Table,
  withRepeats,
} from './table.ts';

export { columnIndex, columnLetters } from '../../csv/read-csv.ts';
export { type CsvSource, type Source, withSource } from './source.ts';
export { type HeaderRow, type ReadingFlags, ReadingQuestion, type Table } from './table.ts';
export type { Row };

export interface ReadingOptions {
  /**
   * Orders may come from a workbook. A row of another width is passed on with its own cells, unless most rows are,
   * and errors name what a mapping can say about quotes.
   */
  forOrders?: boolean;
  /** Ends the reading of a workbook, which may take long before its first row. */
  stopping?: AbortSignal;
  /** Those of a mapping: they count where they apply to the kind of file, and the flags do not differ. */
  settings?: ReadingFlags;
  /** Whether a mapping is remembered for files with this header; then it is the header row without a question. */
  isKnown?: HeaderSearch['isKnown'];
}

const widthFix = t`Check that row for a missing or extra delimiter, or a cell that needs quotes; if every row looks wrong, name the --delimiter.`;
const quotesFix = t`Fix the quotes there, or export the file again.`;
const unquotedFix = t`If quotes are ordinary text in this file, add --map FILE with "quote": "none", which --write-map FILE writes: every row is then as wide as the header. Otherwise fix the quotes there.`;
const rowsInQuotesFix = t`Fix the quotes there, or export the file again. If quotes are ordinary text in this file, add --map FILE with "quote": "none".`;
const saveAgain = t`Save it as "CSV UTF-8".`;
const headBytes = 256 * 1024;

/**
 * Reads the header; `batches` reads the rows. Both throw `file_invalid`, errors of the source, and
 * for a workbook `sheet_unclear`, `rows_hidden`, `usage` and AbortError.
 */
export async function readTable(
  source: Source,
  given: ReadingFlags,
  { forOrders = false, stopping, settings = {}, isKnown }: ReadingOptions = {},
): Promise<Table> {
  const { name } = source;
  const { head, isWhole } = await readHead(source);
  if (head.length === 0) throw invalid(name, t`is empty`, exportAgain);
  const known = detectFileKind(head);
  if (known?.mayBeWorkbook && forOrders) {
    const { readWorkbookTable } = await import('./workbook-table.ts');
    const { delimiter: _, encoding: __, ...own } = settings;
    return withRepeats(await readWorkbookTable(source, { ...own, ...given }, { stopping, isKnown }));
  }
  if (known !== undefined) {
    const fix = forOrders && known.fix === saveAsCsv ? saveAsWorkbook : known.fix;
    const problem = forOrders
      ? t`is ${known.kind}, not CSV or an Excel workbook (xlsx)`
      : t`is ${known.kind}, not CSV`;
    throw invalid(name, problem, fix);
  }
  for (const flag of ['sheet', 'hiddenRows'] as const) {
    if (given[flag] !== undefined) throw flagOfOther(name, flag, t`is not a workbook`);
  }
  const { sheet: _, hiddenRows: __, ...own } = settings;
  const flags: ReadingFlags = { ...own, ...given };
  if (isUtf32(head)) throw invalid(name, t`is UTF-32 text`, saveAgain);
  const encoding = detectEncoding(head, flags.encoding);
  if (encoding === undefined)
    throw invalid(name, t`is not text`, t`Export it again as CSV UTF-8, or name its --encoding.`);
  const text = new TextDecoder(encoding).decode(head, { stream: !isWhole });
  const dialect = await detectDialect(text, isWhole, flags);
  const quoteError = async ({ problem, fix, containsRows }: CsvFormatError) => {
    if (fix !== undefined) return invalid(name, problem, fix);
    if (!forOrders) return invalid(name, problem, quotesFix);
    const unquoted = await detectDialect(text, isWhole, { ...flags, quote: 'none' });
    const read = () => readCsv(() => decodeText(source.open(), encoding), unquoted);
    if (await isTable(read, flags.headerRow))
      return invalid(name, problem, unquotedFix, { mappingKeys: { quote: 'none' } });
    return invalid(name, problem, containsRows ? rowsInQuotesFix : quotesFix);
  };
  const rows = async function* (width?: number) {
    try {
      yield* readRows(source, { encoding, dialect, width });
    } catch (error) {
      if (error instanceof CsvFormatError) throw await quoteError(error);
      if (error instanceof DecodeError) throw notDecodable(name, error);
      throw error;
    }
  };
  const found = await readHeader(rows(), name, flags.headerRow, forOrders ? { isKnown } : undefined);
  const { header, above } = found;
  const batches = () =>
    rowsBelow(header, rows(header.cells.length), {
      forOrders,
      refuse: (problem) => {
        const lower = wideRowBelow(header);
        if (lower === undefined) return invalid(name, problem, widthFix);
        const fix = t`If row ${lower.row} is the header, add --header-row ${lower.row}. ${widthFix}${again('--header-row', String(lower.row))}`;
        return invalid(name, problem, fix);
      },
    });
  const { delimiter, isWrapped, isUnquoted } = dialect;
  const linesInHead = text.split(/\r\n?|\n/).length;
  const expectedRows = Math.ceil((linesInHead * (source.bytes ?? head.length)) / Math.max(1, head.length));
  const kind = { encoding, delimiter, isWrapped, isUnquoted, expectedRows };
  const table: Table = { header, above, ...kind, reading: readingOf(flags, found), batches };
  return forOrders ? withRepeats(table) : table;
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

/** The row below a title of one cell, which may be the header. */
function wideRowBelow({ cells, below = [] }: HeaderRow): Row | undefined {
  const count = (row: readonly string[]) => row.filter((cell) => cell !== '').length;
  return count(cells) > 1 ? undefined : below.find((row) => count(row.cells) > 2);
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

function notDecodable(name: string, { encoding, samples }: DecodeError): CliError {
  // UTF-16 is detected from a mark or a pattern of bytes, so no other --encoding would help.
  if (encoding.startsWith('utf-16'))
    return invalid(
      name,
      t`is not ${encoding} text to its end`,
      t`It may have been cut off. Save it as "CSV UTF-8".`,
    );
  if (encoding !== 'utf-8')
    return invalid(name, t`is not ${encoding} text`, t`Name another --encoding, or save it as "CSV UTF-8".`);
  const readings = samples.map(
    (sample) =>
      t`  --encoding ${sample.encoding}  reads  ${sample.text}${again('--encoding', sample.encoding)}`,
  );
  const hint = t`Save it as "CSV UTF-8" and run the same command again, or add the flag that reads this line correctly:`;
  return invalid(name, t`is not UTF-8 text`, joinTexts([hint, ...readings], '\n'));
}
