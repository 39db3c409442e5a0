import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

type Decode = (bytes: Uint8Array, bounds: { maxOutputLength: number }) => Promise<Uint8Array>;

const inflateZlib: Decode = promisify(inflate);
const inflateBare: Decode = promisify(inflateRaw);

const decoders: Record<string, Decode> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: (bytes, bounds) => (isZlib(bytes) ? inflateZlib(bytes, bounds) : inflateBare(bytes, bounds)),
};

/**
 * The text of a body, which a service may compress although it is asked not to. Errors: for a coding that nobody
 * asked for, for bytes that are not in it, and as soon as the text is longer than `longest` bytes.
 */
export async function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  longest: number,
): Promise<string> {
  let decoded = bytes;
  for (const coding of codingsOf(contentEncoding)) {
    const decode = decoders[coding];
    if (decode === undefined) throw new Error(`the answer has a coding that is not known here (${coding})`);
    decoded = await decode(decoded, { maxOutputLength: longest }).catch((error: NodeJS.ErrnoException) => {
      const isTooLong = error.code === 'ERR_BUFFER_TOO_LARGE';
      throw new Error(isTooLong ? 'the answer was too large' : `the answer is damaged (${coding})`);
    });
  }
  return new TextDecoder().decode(decoded);
}

/** The last one that was applied is the first to be taken off. */
function codingsOf(contentEncoding = ''): string[] {
  const names = contentEncoding.toLowerCase().split(',');
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    .reverse();
}

/** What is called deflate comes with a zlib header and without. */
function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
