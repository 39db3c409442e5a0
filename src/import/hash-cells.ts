/**
 * Running hash of 53 bits, the most that a number holds exactly. Equal texts have equal hashes; that different
 * texts share one is possible and never harmful where it is used: ids are compared as texts before it counts.
 */
function createHash() {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  return {
    add: (text: string) => {
      for (let index = 0; index < text.length; index++) {
        const code = text.charCodeAt(index);
        high = Math.imul(high ^ code, 2654435761);
        low = Math.imul(low ^ code, 1597334677);
      }
      // What ends a text is no character of any.
      high = Math.imul(high ^ 0x10000, 2654435761);
      low = Math.imul(low ^ 0x10000, 1597334677);
    },
    value: (): number => {
      const first = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
      const second = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
      return 4294967296 * (2097151 & second) + (first >>> 0);
    },
  };
}

export function hashText(text: string): number {
  const hash = createHash();
  hash.add(text);
  return hash.value();
}

/** One hash for the cells of a row, in their order. */
export function hashCells(cells: readonly string[]): number {
  const hash = createHash();
  for (const cell of cells) hash.add(cell);
  return hash.value();
}
