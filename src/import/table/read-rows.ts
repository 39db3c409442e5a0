import { on } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { type Dialect, type OpenEnd, type Row, readCsv } from '../../csv/read-csv.ts';
import { decodeText } from './detect.ts';
import type { Source } from './source.ts';

export interface RowReading {
  encoding: string;
  dialect: Dialect;
  /** Of the header, when it is known. */
  width: number | undefined;
}

/** What the thread posts: rows that follow each other, and their cells without a border between them. */
export interface SplitRows {
  firstRow: number;
  lines: Uint32Array;
  widths: Uint32Array;
  cells: string[];
  /** Of the last one. */
  openEnd: OpenEnd | undefined;
}

/**
 * The rows of each chunk of the file, blank ones too; those of a large file are split by a second thread. Throws
 * CsvFormatError, DecodeError, errors of the source.
 */
export async function* readRows({ open, startThread }: Source, reading: RowReading): AsyncGenerator<Row[]> {
  const { encoding, dialect, width } = reading;
  let lastRow = 0;
  // The header is in the first rows, so that no thread is worth starting for it.
  if (startThread !== undefined && width !== undefined) {
    let isWhole = true;
    for await (const rows of splitInThread(open(), startThread('split-rows', reading))) {
      if (rows === undefined) isWhole = false;
      else {
        lastRow = rows.at(-1)?.row ?? lastRow;
        yield rows;
      }
    }
    if (isWhole) return;
  }
  // Whatever the thread failed at, this thread finds in the same place, and says what it is.
  for await (const rows of readCsv(() => decodeText(open(), encoding), dialect, width)) {
    if (lastRow === 0) yield rows;
    else yield rows.filter(({ row }) => row > lastRow);
  }
}

/** So many chunks are in the thread at once that it always has the next one. */
const maxChunksInThread = 4;

/** The rows of each chunk, then of the end of the file; undefined when the thread has failed. Errors: those of `chunks`. */
async function* splitInThread(
  chunks: AsyncIterable<Uint8Array>,
  starting: Promise<Worker>,
): AsyncGenerator<Row[] | undefined> {
  const worker = await starting.catch(() => undefined);
  if (worker === undefined) return yield undefined;
  const replies = on(worker, 'message', { close: ['exit'] });
  let inThread = 0;
  const post = (chunk: Uint8Array | null) => {
    worker.postMessage(chunk);
    inThread += 1;
  };
  const nextRows = async (): Promise<Row[] | undefined> => {
    inThread -= 1;
    // A thread that nothing is expected of must not keep the process alive.
    worker.ref();
    const reply = await replies.next().catch(() => undefined);
    worker.unref();
    return reply === undefined || reply.done ? undefined : unpack(reply.value[0]);
  };
  try {
    for await (const chunk of chunks) {
      post(chunk);
      if (inThread < maxChunksInThread) continue;
      const rows = await nextRows();
      yield rows;
      if (rows === undefined) return;
    }
    post(null);
    while (inThread > 0) {
      const rows = await nextRows();
      yield rows;
      if (rows === undefined) return;
    }
  } finally {
    await worker.terminate();
  }
}

function unpack({ firstRow, lines, widths, cells, openEnd }: SplitRows): Row[] {
  let end = 0;
  const rows = Array.from(widths, (width, index): Row => {
    const start = end;
    end += width;
    return { row: firstRow + index, line: lines[index] as number, cells: cells.slice(start, end) };
  });
  const last = rows.at(-1);
  if (last !== undefined && openEnd !== undefined) last.openEnd = openEnd;
  return rows;
}
