/** 53 bits, the most that a number holds exactly. Texts may share a hash, so callers compare the texts too. */
export function hashCells(cells: readonly string[]): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (const text of cells) {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      high = Math.imul(high ^ code, 2654435761);
      low = Math.imul(low ^ code, 1597334677);
    }
    // Marks the end of the text with a value that no character has.
    high = Math.imul(high ^ 0x10000, 2654435761);
    low = Math.imul(low ^ 0x10000, 1597334677);
  }
  const first = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  const second = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & second) + (first >>> 0);
}

export function hashText(text: string): number {
  return hashCells([text]);
}
