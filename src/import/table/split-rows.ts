/*
 * The thread that splits a large file into rows: a program of its own in the bundle. It gets the chunks of the file one
 * by one, then null, and posts for each of them the rows that it ends.
 */

import process from 'node:process';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createSplitter, type Row } from '../../csv/read-csv.ts';
import type { RowReading, SplitRows } from './read-rows.ts';

if (parentPort !== null) splitFor(parentPort, workerData);

function splitFor(port: MessagePort, { encoding, dialect, width }: RowReading): void {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const splitter = createSplitter(dialect, width);
  const split = async (chunk: Uint8Array | null) =>
    chunk === null
      ? [...splitter.add(decoder.decode()), ...(await splitter.end())]
      : splitter.add(decoder.decode(chunk, { stream: true }));
  port.on('message', (chunk: Uint8Array | null) => {
    split(chunk).then(
      (rows) => port.postMessage(pack(rows)),
      // The end of the thread says enough: the other one reads on by itself, and finds the error.
      () => process.exit(),
    );
  });
}

/** In few objects, since each costs time on the way. */
function pack(rows: readonly Row[]): SplitRows {
  return {
    firstRow: rows[0]?.row ?? 0,
    lines: Uint32Array.from(rows, ({ line }) => line),
    widths: Uint32Array.from(rows, ({ cells }) => cells.length),
    cells: rows.flatMap(({ cells }) => cells),
  };
}
