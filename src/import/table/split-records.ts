import type { Row } from './table.ts';

/** Text that is no CSV; the message says what is wrong and on which line. */
export class RecordError extends Error {}

/** Far more than any order has: whoever holds this much lacks the quote that ends a cell. */
const longestRecord = 10 * 1024 * 1024;
const [quote, equals, lineFeed, carriageReturn] = [34, 61, 10, 13];

export interface RecordSplitter {
  /** The records that end in the text so far, their cells as they stand there, but for the quotes around them. */
  push(text: string, isLast: boolean): Row[];
}

/**
 * Splits text that comes in pieces into records. CRLF, LF and CR end a record; a quoted cell holds anything,
 * two quotes stand for one, and `="..."` is a quoted cell as well, which keeps its form. Throws RecordError.
 */
export function createRecordSplitter(delimiter: string): RecordSplitter {
  let rest = '';
  let row = 1;
  let line = 1;

  const push = (piece: string, isLast: boolean): Row[] => {
    const text = rest + piece;
    const find = createFinder(text, delimiter);
    const records: Row[] = [];
    let start = 0;
    while (start < text.length) {
      const end = find.lineEnd(start);
      const isPlain = find.quote(start) >= end;
      const mayGoOn = !isLast && (end === text.length || (end === text.length - 1 && isReturn(text, end)));
      if (isPlain) {
        if (mayGoOn) break;
        records.push({ row, line, cells: text.slice(start, end).split(delimiter) });
        row += 1;
        line += 1;
        start = afterLineEnd(text, end);
        continue;
      }
      const record = splitQuoted(text, start, delimiter, find, line, isLast);
      if (record === undefined) break;
      records.push({ row, line, cells: record.cells });
      row += 1;
      line += 1 + record.lineBreaks;
      start = record.next;
    }
    rest = text.slice(start);
    if (rest.length > longestRecord) {
      splitQuoted(rest, 0, delimiter, createFinder(rest, delimiter), line, true);
      throw new RecordError(`has a record on line ${line} that is longer than any order`);
    }
    return records;
  };
  return { push };
}

type Finder = ReturnType<typeof createFinder>;

/** Where the next line end, quote and delimiter are; each is looked for once. */
function createFinder(text: string, delimiter: string) {
  const next = (sought: string) => {
    let place = -1;
    return (from: number) => {
      if (place < from) {
        const found = text.indexOf(sought, from);
        place = found < 0 ? text.length : found;
      }
      return place;
    };
  };
  const nextFeed = next('\n');
  const nextReturn = next('\r');
  return {
    lineEnd: (from: number) => Math.min(nextFeed(from), nextReturn(from)),
    quote: next('"'),
    delimiter: next(delimiter),
  };
}

/** One record with quotes in it, or undefined when it does not end in this text. */
function splitQuoted(
  text: string,
  start: number,
  delimiter: string,
  find: Finder,
  firstLine: number,
  isLast: boolean,
): { cells: string[]; lineBreaks: number; next: number } | undefined {
  const cells: string[] = [];
  let lineBreaks = 0;
  let at = start;
  for (;;) {
    const isFormula = text.charCodeAt(at) === equals && text.charCodeAt(at + 1) === quote;
    if (isFormula || text.charCodeAt(at) === quote) {
      const open = isFormula ? at + 1 : at;
      const close = closingQuote(text, open);
      if (close === undefined && isLast) {
        throw new RecordError(`has a quote that opens on line ${firstLine + lineBreaks} and never closes`);
      }
      if (close === undefined || (close === text.length - 1 && !isLast)) return undefined;
      const inner = text.slice(open + 1, close);
      lineBreaks += countLineBreaks(inner);
      cells.push(isFormula ? text.slice(at, close + 1) : inner.replaceAll('""', '"'));
      at = close + 1;
      if (at < text.length && !text.startsWith(delimiter, at) && !isLineBreak(text, at)) {
        throw misplacedQuote(firstLine + lineBreaks);
      }
    } else {
      const end = Math.min(find.delimiter(at), find.lineEnd(at));
      const cell = text.slice(at, end);
      if (cell.includes('"')) throw misplacedQuote(firstLine + lineBreaks);
      cells.push(cell);
      at = end;
    }
    if (text.startsWith(delimiter, at)) {
      at += delimiter.length;
      continue;
    }
    const isCut = at === text.length || (at === text.length - 1 && isReturn(text, at));
    if (isCut && !isLast) return undefined;
    return { cells, lineBreaks, next: afterLineEnd(text, at) };
  }
}

/** The quote that ends the cell whose quote opens here. */
function closingQuote(text: string, open: number): number | undefined {
  let at = text.indexOf('"', open + 1);
  while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2);
  return at < 0 ? undefined : at;
}

function countLineBreaks(text: string): number {
  if (!text.includes('\n') && !text.includes('\r')) return 0;
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}

function misplacedQuote(line: number): RecordError {
  return new RecordError(`cannot be read as CSV at line ${line}: a quote stands where none can`);
}

function afterLineEnd(text: string, end: number): number {
  return isReturn(text, end) && text.charCodeAt(end + 1) === lineFeed ? end + 2 : end + 1;
}

function isReturn(text: string, at: number): boolean {
  return text.charCodeAt(at) === carriageReturn;
}

function isLineBreak(text: string, at: number): boolean {
  return text.charCodeAt(at) === lineFeed || isReturn(text, at);
}
