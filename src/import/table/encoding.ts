import { isUtf8 } from 'node:buffer';

const marks: [bytes: number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

const mostlyZero = 2;
/** One letter in twenty, at least, is a space, a digit or what stands between cells, whatever the language. */
const fewestZeros = 1 / 40;

/**
 * The encoding of a file by its first bytes: a byte order mark, which is more than anyone can say of the file;
 * what the caller says; the pattern of zero bytes that UTF-16 makes; else UTF-8. Undefined for bytes of no text.
 */
export function detectEncoding(head: Uint8Array, told: string | undefined): string | undefined {
  const marked = marks.find(([bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (marked !== undefined) return marked[1];
  if (told !== undefined) return told;
  const zeros = [0, 0];
  const beginning = head.subarray(0, 4096);
  for (const [index, byte] of beginning.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0) return 'utf-8';
  if (Math.max(even, odd) < fewestZeros * beginning.length) return undefined;
  // A few letters have a zero byte where others have theirs not.
  if (odd > mostlyZero * even) return 'utf-16le';
  return even > mostlyZero * odd ? 'utf-16be' : undefined;
}

/** By its mark; no decoder of the platform reads it. */
export function isUtf32(head: Uint8Array): boolean {
  const [first, second, third, fourth] = head;
  const isLittle = first === 0xff && second === 0xfe && third === 0 && fourth === 0;
  return isLittle || (first === 0 && second === 0 && third === 0xfe && fourth === 0xff);
}

const likely = ['windows-1251', 'windows-1252'];
const longestSample = 60;

/** Bytes that are no text of the encoding, and one line of them as the likely other encodings read it. */
export class DecodeError extends Error {
  readonly encoding: string;
  readonly samples: { encoding: string; text: string }[];

  constructor(encoding: string, line: Uint8Array) {
    super(`not ${encoding}`);
    this.encoding = encoding;
    this.samples = likely.map((other) => ({ encoding: other, text: sampleOf(line, other) }));
  }
}

/** Bytes → text, without the byte order mark. Throws DecodeError at the first byte that is not text. */
export async function* decodeText(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let before: Uint8Array = new Uint8Array();
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new DecodeError(encoding, damagedLine(Buffer.concat([before, chunk ?? new Uint8Array()])));
    }
  };
  for await (const chunk of chunks) {
    yield decode(chunk);
    before = chunk;
  }
  yield decode();
}

/** The first line that is not UTF-8. */
function damagedLine(bytes: Buffer): Uint8Array {
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

/** The part of the line around its first letter beyond ASCII. */
function sampleOf(line: Uint8Array, encoding: string): string {
  const foreign = line.findIndex((byte) => byte > 0x7f);
  const start = Math.max(0, foreign - longestSample / 3);
  return new TextDecoder(encoding).decode(line.subarray(start, start + longestSample));
}
