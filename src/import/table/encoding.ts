import { isUtf8 } from 'node:buffer';

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
  // A few characters beyond Latin have a zero byte in the other place.
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
