import { isUtf8 } from 'node:buffer';
import { type Text, t } from '../../advice/advice.ts';
import { hasOddQuotes } from '../../csv/quotes.ts';
import { cleanCell, type Dialect, parseSample, unwrapRow } from '../../csv/read-csv.ts';
import { findHeader } from './find-header.ts';

const byteOrderMarks: [bytes: number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** In every language at least one character in twenty is a space, a digit or a delimiter: half a zero byte each. */
const minZeroShare = 1 / 40;

/** The encoding of the byte order mark, else the given one, else UTF-16 by its zero bytes, else UTF-8. */
export function detectEncoding(head: Uint8Array, given: string | undefined): string | undefined {
  const marked = byteOrderMarks.find(([bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (marked !== undefined) return marked[1];
  if (given !== undefined) return given;
  const zeros = [0, 0];
  const beginning = head.subarray(0, 4096);
  for (const [index, byte] of beginning.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0) return 'utf-8';
  if (Math.max(even, odd) < minZeroShare * beginning.length) return undefined;
  // A few characters beyond Latin have a zero byte at the other place.
  if (odd > 2 * even) return 'utf-16le';
  return even > 2 * odd ? 'utf-16be' : undefined;
}

/** By its byte order mark; TextDecoder does not read UTF-32. */
export function isUtf32(head: Uint8Array): boolean {
  const [first, second, third, fourth] = head;
  const isLittle = first === 0xff && second === 0xfe && third === 0 && fourth === 0;
  return isLittle || (first === 0 && second === 0 && third === 0xfe && fourth === 0xff);
}

const likelyEncodings = ['windows-1251', 'windows-1252'];
const maxSampleBytes = 60;

export class DecodeError extends Error {
  readonly encoding: string;
  readonly samples: { encoding: string; text: string }[];

  constructor(encoding: string, line: Uint8Array) {
    super(`not ${encoding}`);
    this.encoding = encoding;
    this.samples = likelyEncodings.map((other) => ({ encoding: other, text: sampleOf(line, other) }));
  }
}

/** Bytes → text without the byte order mark. Throws DecodeError. */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let previous: Uint8Array = new Uint8Array();
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new DecodeError(encoding, undecodableLine(Buffer.concat([previous, chunk ?? new Uint8Array()])));
    }
  };
  for await (const chunk of chunks) {
    yield decode(chunk);
    previous = chunk;
  }
  yield decode();
}

function undecodableLine(bytes: Buffer): Uint8Array {
  let start = 0;
  while (start < bytes.length) {
    const end = lineEnd(bytes, start);
    const line = bytes.subarray(start, end);
    if (!isUtf8(line)) return line;
    start = end + 1;
  }
  return bytes;
}

function lineEnd(bytes: Buffer, from: number): number {
  const ends = [bytes.indexOf(10, from), bytes.indexOf(13, from)].filter((end) => end >= 0);
  return ends.length === 0 ? bytes.length : Math.min(...ends);
}

function sampleOf(line: Uint8Array, encoding: string): string {
  const firstBeyond = line.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, firstBeyond - maxSampleBytes / 3);
  return new TextDecoder(encoding).decode(line.subarray(start, start + maxSampleBytes));
}

export const delimiters = [',', ';', '\t', '|'] as const;
const separatorLine = /^"?sep=([^\r\n"])"?(?=[\r\n]|$)/i;
const blankLinesAbove = /^[\s,;|]*[\r\n]/;
const maxRecords = 100;

export interface DialectFlags {
  delimiter?: string | undefined;
  /** The row of the header, from 1, when there are others above it. */
  headerRow?: number | undefined;
  /** `none` for a file in which quotes are text. */
  quote?: 'none' | undefined;
}

/** The given one, else that of a `sep=` line, else the one that gives the first records one width. */
export async function detectDialect(
  text: string,
  isWhole: boolean,
  { delimiter: given, headerRow, quote }: DialectFlags,
): Promise<Dialect> {
  const separator = separatorLine.exec(text)?.[1];
  const hasSeparatorLine = separator !== undefined;
  const table = hasSeparatorLine ? text.replace(separatorLine, '').replace(/^(?:\r\n|\n|\r)/, '') : text;
  const rowsAbove = headerRow === undefined ? 0 : headerRow - 1;
  const body = headerRow === undefined ? table.replace(blankLinesAbove, '') : table;
  const only = given ?? separator;
  const isUnquoted = quote === 'none';
  // Delimiters that do not occur all give records of one cell: one of them is enough.
  const absent = delimiters.find((delimiter) => !body.includes(delimiter));
  const possible = delimiters.filter((delimiter) => delimiter === absent || body.includes(delimiter));
  const judgeWith = async (delimiter: string) => {
    const separators = { delimiter, isUnquoted };
    const sample = await parseSample(body, isWhole, separators, rowsAbove + maxRecords);
    const start = headerRow === undefined ? startOfTable(sample) : rowsAbove;
    const records = sample.slice(start).filter((cells) => cells.some((cell) => cleanCell(cell) !== ''));
    return { delimiter, ...judge(records, separators) };
  };
  const candidates = await Promise.all((only === undefined ? possible : [only]).map(judgeWith));
  candidates.sort((left, right) => right.stability - left.stability || right.width - left.width);
  const { delimiter = ',', isWrapped = false } = candidates[0] ?? {};
  return { delimiter, hasSeparatorLine, isWrapped, isUnquoted };
}

/** Titles above the header may have any width. */
function startOfTable(sample: readonly string[][]): number {
  const rows = sample.map((cells, index) => ({ row: index + 1, cells: cells.map(cleanCell) }));
  const first = rows.findIndex(({ cells }) => cells.some((cell) => cell !== ''));
  const hasColumns = sample.some(({ length }) => length > 2);
  if (first < 0 || !hasColumns || namesAllColumns(rows.slice(first))) return 0;
  return first + (findHeader(rows.slice(first))?.index ?? 0);
}

/** Whether the first row is a header beyond doubt, as in most files: different names, one for each cell of each row. */
export function namesAllColumns([first, ...others]: readonly { cells: readonly string[] }[]): boolean {
  const names = first?.cells ?? [];
  if (names.length < 2 || new Set(names).size < names.length) return false;
  return (
    names.every((name) => /\p{L}/u.test(name)) && others.every(({ cells }) => cells.length <= names.length)
  );
}

/** `stability` is the share of the records that are as wide as the first; 0 for a table of one column. */
function judge(
  [header = [], ...rows]: string[][],
  { delimiter, isUnquoted }: Pick<Dialect, 'delimiter' | 'isUnquoted'>,
) {
  const [only = ''] = header;
  const unwrap = (cell: string) => (isUnquoted ? undefined : unwrapRow(cell, delimiter));
  const isSplit = (cells: string[]) => !isUnquoted && isSplitInQuotes(cells);
  const width = header.length === 1 ? (unwrap(only)?.length ?? 0) : header.length;
  const isWrapped =
    width > 1 &&
    rows.length > 0 &&
    rows.every(([only = '', ...others]) => others.length === 0 && unwrap(only)?.length === width);
  if (isWrapped) return { stability: 1, width, isWrapped };
  const alike = rows.filter((cells) => cells.length === width && !isSplit(cells)).length;
  const isTable = header.length > 1 && !isSplit(header) && (alike > 0 || rows.length === 0);
  if (!isTable) return { stability: 0, width: medianWidth(rows), isWrapped };
  return { stability: (alike + 1) / (rows.length + 1), width, isWrapped };
}

/** A wrong delimiter splits quoted cells. */
function isSplitInQuotes(cells: string[]): boolean {
  return cells.filter(hasOddQuotes).length > 1;
}

function medianWidth(rows: string[][]): number {
  const widths = rows.map((cells) => cells.length).sort((left, right) => left - right);
  return widths[Math.floor(widths.length / 2)] ?? 0;
}

interface FileKind {
  kind: Text;
  fix: Text;
  /** Only the content of the ZIP archive can say more. */
  mayBeWorkbook?: boolean;
}

export const saveAsCsv = t`Open it in the spreadsheet program, choose Save As, "CSV UTF-8 (comma delimited)", and import that file.`;
export const saveAsWorkbook = t`Open it in the spreadsheet program, choose Save As, "Excel Workbook (.xlsx)", and import that file.`;
const exportAgain = t`Export the orders again, as CSV.`;
const unpack = t`Unpack it and import the CSV file in it.`;

const workbook: FileKind = { kind: t`an Excel workbook (xlsx)`, fix: saveAsCsv, mayBeWorkbook: true };

const zipKinds: [inside: string, FileKind][] = [
  ['application/vnd.oasis.opendocument', { kind: t`an OpenDocument spreadsheet (ods)`, fix: saveAsCsv }],
  ['[Content_Types].xml', workbook],
  ['xl/', workbook],
  ['Index/', { kind: t`a Numbers spreadsheet`, fix: saveAsCsv }],
  ['_rels/', workbook],
  ['', { kind: t`a ZIP archive`, fix: unpack, mayBeWorkbook: true }],
];

const compoundFile = '\xd0\xcf\x11\xe0';
const starts: [bytes: string, FileKind][] = [
  [compoundFile, { kind: t`an old Excel workbook (xls)`, fix: saveAsCsv }],
  ['\x1f\x8b', { kind: t`a gzip archive`, fix: unpack }],
  ['7z\xbc\xaf\x27\x1c', { kind: t`a 7z archive`, fix: unpack }],
  ['Rar!\x1a\x07', { kind: t`a RAR archive`, fix: unpack }],
  ['\x89PNG', { kind: t`a picture`, fix: exportAgain }],
  ['\xff\xd8\xff', { kind: t`a picture`, fix: exportAgain }],
  ['GIF8', { kind: t`a picture`, fix: exportAgain }],
  ['SQLite format 3\0', { kind: t`a database`, fix: exportAgain }],
  ['{\\rtf', { kind: t`a text document (rtf)`, fix: exportAgain }],
  ['MIME-Version:', { kind: t`a web page in one file (mht)`, fix: saveAsCsv }],
  ['%PDF', { kind: t`a PDF`, fix: exportAgain }],
];

const markup: [shape: RegExp, FileKind][] = [
  [/^<\?xml/i, { kind: 'XML', fix: saveAsCsv }],
  [
    /^<(?:html|!doctype|table|body|head|meta|style|div|center|font|script|!--)/i,
    { kind: t`a web page`, fix: saveAsCsv },
  ],
  [
    /^(?:\{\s*["}]|\[\s*[[{"\]])/,
    { kind: 'JSON', fix: t`Export the orders as CSV; one order as JSON goes through: create --file` },
  ],
];

const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le');
const withPassword: FileKind = {
  kind: t`an Excel workbook with a password`,
  fix: t`Open it in the spreadsheet program, remove the password (in Excel: File, Info, Protect Workbook), save it, and import it.`,
};

/** Recognises a file that is not CSV by its first bytes. */
export function detectFileKind(head: Uint8Array): FileKind | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 4096)).toString('latin1');
  if (bytes.startsWith('PK\x03\x04')) return zipKinds.find(([inside]) => bytes.includes(inside))?.[1];
  if (bytes.startsWith(compoundFile) && Buffer.from(head).includes(encryptedPackage)) return withPassword;
  const known = starts.find(([start]) => bytes.startsWith(start));
  if (known !== undefined) return known[1];
  const text = bytes
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '')
    .trimStart();
  return markup.find(([shape]) => shape.test(text))?.[1];
}
