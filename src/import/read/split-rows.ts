/**
 * The thread that splits a large file into rows, a program of its own in the bundle. It gets chunks one by one, then
 * null, and posts for each the rows that it ends.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createSplitter, type Row } from '../../csv/read-csv.ts';
import type { RowReading, SplitRows } from './read-rows.ts';

if (parentPort !== null) splitFor(parentPort, workerData);

function splitFor(port: MessagePort, { encoding, dialect, width }: RowReading): void {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const splitter = createSplitter(dialect, width);
  // An error ends the thread before its next chunk; the other thread then reads on by itself.
  port.on('message', async (chunk: Uint8Array | null) => {
    const rows =
      chunk === null
        ? [...splitter.add(decoder.decode()), ...(await splitter.end())]
        : splitter.add(decoder.decode(chunk, { stream: true }));
    port.postMessage(pack(rows));
  });
}

/** In few objects, since each costs time on the way. */
function pack(rows: readonly Row[]): SplitRows {
  return {
    firstRow: rows[0]?.row ?? 0,
    lines: Uint32Array.from(rows, ({ line }) => line),
    widths: Uint32Array.from(rows, ({ cells }) => cells.length),
    cells: rows.flatMap(({ cells }) => cells),
    openEnd: rows.at(-1)?.openEnd,
  };
}
