import { isUtf8 } from 'node:buffer';

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
