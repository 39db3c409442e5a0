import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { type Text, t } from '../../../advice/advice.ts';
import { CliError } from '../../../errors.ts';

/** Chunks are cut at the same places each time. */
export interface Chunks {
  open(firstChunk?: number): AsyncIterable<Uint8Array>;
}

/** A workbook that cannot be read. The problem continues the name of the file: `is not a ZIP archive ...`. */
export class WorkbookError extends Error {
  readonly problem: Text;
  readonly fix: Text;

  constructor(problem: Text, fix: Text = saveAgain) {
    super(String(problem));
    this.problem = problem;
    this.fix = fix;
  }
}

const saveAgain = t`Open it in the spreadsheet program, save it again as .xlsx, and import that file.`;
export const copyOrders = t`Copy the rows with the orders to a new workbook, or save the sheet as "CSV UTF-8", and import that file.`;

/** Each file inside is limited before it is unpacked. Names are compared without case. */
export interface Archive {
  names: ReadonlySet<string>;
  /** Throws WorkbookError when there is no such part, or when it unpacks to more than `maxBytes`. */
  read(name: string, maxBytes: number): AsyncIterable<Uint8Array>;
}

const mebibyte = 1024 * 1024;
const maxFileBytes = 512 * mebibyte;
const maxParts = 1000;
/** Sheets compress to a tenth; only what is made to exhaust memory compresses to a thousandth. */
const maxRatio = 200;
const ratioFromBytes = 10 * mebibyte;

/** Errors: WorkbookError, and those of the file. */
export async function openArchive(file: Chunks, stopping?: AbortSignal): Promise<Archive> {
  const starts: number[] = [];
  let size = 0;
  for await (const chunk of file.open()) {
    stopping?.throwIfAborted();
    starts.push(size);
    size += chunk.length;
    if (size > maxFileBytes) {
      throw new WorkbookError(t`is larger than ${maxFileBytes / mebibyte} MiB`, copyOrders);
    }
  }
  const damaged = (error: unknown) =>
    new WorkbookError(t`is a damaged ZIP archive (${reasonOf(error)}); it may have been cut off`, sendAgain);
  try {
    const zip = await fromRandomAccessReaderPromise(new ChunkReader(file, starts), size, {
      lazyEntries: true,
      autoClose: false,
    });
    const entries = await listEntries(zip);
    return {
      names: new Set(entries.keys()),
      read: (name, maxBytes) => unpack(zip, findEntry(entries, name, maxBytes), { damaged, stopping }),
    };
  } catch (error) {
    throw isOwn(error) ? error : damaged(error);
  }
}

const sendAgain = t`Export, copy or download it again, and import that file.`;

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxParts) {
    const problem = t`has ${zip.entryCount} files inside, but at most ${maxParts} are read; it may have very many sheets`;
    throw new WorkbookError(problem, copyOrders);
  }
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase();
    if (entries.has(name))
      throw new WorkbookError(t`has two files of the same name inside: ${entry.fileName}`);
    entries.set(name, entry);
  }
  return entries;
}

function findEntry(entries: Map<string, Entry>, name: string, maxBytes: number): Entry {
  const entry = entries.get(name.toLowerCase());
  if (entry === undefined) throw new WorkbookError(t`has no ${name} inside, which it refers to`);
  if (!entry.canDecodeFileData()) {
    throw new WorkbookError(t`is encrypted or packed in an unusual way (${name})`);
  }
  const { uncompressedSize: size, compressedSize } = entry;
  if (size > maxBytes) {
    const problem = t`unpacks to ${Math.ceil(size / mebibyte)} MiB in ${name}, but at most ${maxBytes / mebibyte} MiB are read`;
    throw new WorkbookError(problem, copyOrders);
  }
  if (size > ratioFromBytes && size > maxRatio * compressedSize) {
    const problem = t`unpacks to more than ${maxRatio} times its size in ${name}, which no sheet with orders does`;
    throw new WorkbookError(problem, copyOrders);
  }
  return entry;
}

/** Enforces the size and the checksum that the archive states. */
async function* unpack(
  zip: ZipFile,
  entry: Entry,
  { damaged, stopping }: { damaged: (error: unknown) => WorkbookError; stopping: AbortSignal | undefined },
): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      stopping?.throwIfAborted();
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    throw isOwn(error) ? error : damaged(error);
  }
  if (checksum !== entry.crc32) throw damaged(new Error(`wrong checksum of ${entry.fileName}`));
}

/** Reads a range of a file from the chunk that it begins in. */
class ChunkReader extends RandomAccessReader {
  readonly #file: Chunks;
  readonly #starts: readonly number[];

  constructor(file: Chunks, starts: readonly number[]) {
    super();
    this.#file = file;
    this.#starts = starts;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#bytes(start, end), { objectMode: false });
  }

  async *#bytes(start: number, end: number): AsyncGenerator<Uint8Array> {
    const first = Math.max(
      0,
      this.#starts.findLastIndex((position) => position <= start),
    );
    let position = this.#starts[first] ?? 0;
    for await (const chunk of this.#file.open(first)) {
      const from = Math.max(0, start - position);
      const bytes = chunk.subarray(from, Math.max(from, end - position));
      if (bytes.length > 0) yield bytes;
      position += chunk.length;
      if (position >= end) return;
    }
  }
}

function isOwn(error: unknown): boolean {
  const isAbort = error instanceof Error && error.name === 'AbortError';
  return error instanceof WorkbookError || error instanceof CliError || isAbort;
}

const maxReasonLength = 100;

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, maxReasonLength);
}
