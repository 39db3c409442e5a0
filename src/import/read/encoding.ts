const marks: [bytes: number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

const mostlyZero = 2;

/**
 * The encoding of a file by its first bytes: a byte order mark, which is more than anyone can say of the file;
 * what the caller says; the pattern of zero bytes that UTF-16 makes; else UTF-8. Undefined for bytes of no text.
 */
export function detectEncoding(head: Uint8Array, told: string | undefined): string | undefined {
  const marked = marks.find(([bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (marked !== undefined) return marked[1];
  if (told !== undefined) return told;
  const zeros = [0, 0];
  for (const [index, byte] of head.subarray(0, 4096).entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (even + odd === 0) return 'utf-8';
  // A few letters have a zero byte where others have theirs not.
  if (odd > mostlyZero * even) return 'utf-16le';
  return even > mostlyZero * odd ? 'utf-16be' : undefined;
}

/** The name by which the platform knows an encoding, or undefined when it knows none. */
export function encodingName(label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).encoding;
  } catch {
    return undefined;
  }
}
