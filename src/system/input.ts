import { close, constants, open, read, stat, write } from 'node:fs';
import { stat as statExactly } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { advice, again } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { checkIsFile, notReadable, stampIn } from './file-errors.ts';
import { notStored, openTemporaryFile } from './temporary-file.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const gibibyte = 1024 * mebibyte;

const maxTextBytes = 10 * mebibyte;
const maxSpoolBytes = 2 * gibibyte;
const chunkBytes = 64 * kibibyte;

const openFile = promisify(open);
const closeFile = promisify(close);
const readFile = promisify(read);
const writeFile = promisify(write);
const statFile = promisify(stat);

type Chunks = AsyncIterable<Uint8Array>;

/** Strict UTF-8, or UTF-16 with its BOM; without the BOM. Errors: `file_not_readable`, `file_invalid`, and an AbortError from a pipe. */
export async function readTextFile(path: string, stopping: AbortSignal): Promise<string> {
  return readTextStream((await openPipe(path, stopping)) ?? readChunks(path), path);
}

export async function readTextStream(stream: Chunks, name: string, maxBytes = maxTextBytes): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limit(stream, name, maxBytes, 'Check that it is the right file.')) {
    chunks.push(chunk);
  }
  return decodeText(Buffer.concat(chunks), name);
}

/** PowerShell writes UTF-16 with a BOM. */
export function decodeText(bytes: Uint8Array, name: string): string {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  const encoding = isLittle ? 'UTF-16LE' : isBig ? 'UTF-16BE' : 'UTF-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new CliError('file_invalid', `${name} is not ${encoding} text.`, {
      hint: advice`Save it as UTF-8 (in Excel: Save As, "CSV UTF-8") and run the same command again.${again()}`,
    });
  }
}

async function* limit(
  chunks: Chunks,
  name: string,
  maxBytes: number,
  hint: string,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > maxBytes) {
        const sentence = `${name} is larger than ${formatBytes(maxBytes)}.`;
        throw new CliError('file_invalid', sentence, { hint });
      }
      yield chunk;
    }
  } catch (error) {
    throw isOfSource(error) ? error : notReadable(name, error);
  }
}

function formatBytes(count: number): string {
  if (count >= gibibyte) return `${count / gibibyte} GiB`;
  return count >= mebibyte ? `${count / mebibyte} MiB` : `${count / kibibyte} KiB`;
}

function isOfSource(error: unknown): boolean {
  return error instanceof CliError || (error as Error).name === 'AbortError';
}

/** `stamp` differs once a file has been written to or replaced. Of a file that does not exist the size is 0. */
export async function stampOf(path: string): Promise<{ bytes: number; stamp: string }> {
  const found = await statExactly(path, { bigint: true }).catch(() => undefined);
  return found === undefined ? { bytes: 0, stamp: '' } : stampIn(found);
}

/** Chunks of 64 KiB, each in its own buffer, beginning with the one at index `first`. Error: `file_not_readable`. */
export async function* readChunks(path: string, first = 0): AsyncGenerator<Uint8Array> {
  try {
    // Opening a pipe blocks until it has a writer, and a device may never end.
    checkIsFile(await statFile(path));
    const descriptor = await openFile(path, 'r');
    try {
      yield* chunksOf(descriptor, first);
    } finally {
      await closeFile(descriptor);
    }
  } catch (error) {
    throw notReadable(path, error);
  }
}

async function* chunksOf(descriptor: number, first = 0): AsyncGenerator<Uint8Array> {
  for (let position = first * chunkBytes; ; position += chunkBytes) {
    const chunk = Buffer.allocUnsafeSlow(chunkBytes);
    let length = 0;
    let bytesRead: number;
    do {
      ({ bytesRead } = await readFile(descriptor, chunk, length, chunkBytes - length, position + length));
      length += bytesRead;
    } while (bytesRead !== 0);
    if (length > 0) yield chunk.subarray(0, length);
    if (length < chunkBytes) return;
  }
}

/** A named pipe, such as that of `<(zcat orders.csv.gz)`; undefined for any other path. Error: `file_not_readable`. */
export async function openPipe(path: string, stopping: AbortSignal): Promise<Readable | undefined> {
  const found = await statFile(path).catch(() => undefined);
  if (!found?.isFIFO()) return undefined;
  try {
    // A socket waits in the event loop. A read that waits in a thread would keep the process from exiting.
    const fd = await openFile(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return addAbortSignal(stopping, new Socket({ fd, readable: true, writable: false }));
  } catch (error) {
    throw notReadable(path, error);
  }
}

/** Copies a stream to a temporary file. Errors: `file_not_writable`, `file_not_readable`, `file_invalid`. */
export async function spoolStream(stream: Chunks, name: string, maxBytes = maxSpoolBytes) {
  const { descriptor, folder, remove } = openTemporaryFile();
  const hint = 'Save it as a file and give its name instead: a file may be larger.';
  let length = 0;
  try {
    for await (const chunk of limit(stream, name, maxBytes, hint)) {
      for (let done = 0; done < chunk.length; ) {
        const { bytesWritten } = await writeFile(descriptor, chunk, done, chunk.length - done, length + done);
        done += bytesWritten;
      }
      length += chunk.length;
    }
  } catch (error) {
    remove();
    throw isOfSource(error) ? error : notStored(folder, error);
  }
  return { open: (first?: number) => chunksOf(descriptor, first), bytes: length, remove };
}
