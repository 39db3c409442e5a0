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
