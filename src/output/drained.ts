import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** A reader that is slower than what is written to it must not fill the memory. */
export async function drained(stream: Writable): Promise<void> {
  if (stream.writableNeedDrain) await once(stream, 'drain').catch(() => undefined);
}
