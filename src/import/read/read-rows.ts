import { on } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { type Dialect, type OpenEnd, type Row, readCsv } from '../../csv/read-csv.ts';
import { decodeText } from './detect.ts';
import type { Source } from './source.ts';

export interface RowReading {
  encoding: string;
  dialect: Dialect;
  width: number | undefined;
}

/** What the thread posts: consecutive rows, and their cells without a border between them. */
export interface SplitRows {
  firstRow: number;
  lines: Uint32Array;
  widths: Uint32Array;
  cells: string[];
  openEnd: OpenEnd | undefined;
}

/**
 * The rows of each chunk, blank ones too; a second thread splits large files. Throws CsvFormatError, DecodeError,
 * errors of the source.
 */
export async function* readRows({ open, startThread }: Source, reading: RowReading): AsyncGenerator<Row[]> {
  const { encoding, dialect, width } = reading;
  let lastRow = 0;
  // The header is in the first rows: no thread is worth starting for it.
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
  // Whatever the thread failed at, this thread meets it in the same place, and reports it.
  for await (const rows of readCsv(() => decodeText(open(), encoding), dialect, width)) {
    if (lastRow === 0) yield rows;
    else yield rows.filter(({ row }) => row > lastRow);
  }
}

/** Chunks in the thread at once, so that it always has the next one. */
const maxChunksInThread = 4;

/** Those of each chunk, then of the end; undefined when the thread fails. Errors: those of `chunks`. */
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
    // An idle thread must not keep the process alive.
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
