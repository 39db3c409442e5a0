/** 53 bits, the most that a number holds exactly. Texts may share a hash, so callers compare the texts too. */
export function hashText(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  const first = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  const second = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & second) + (first >>> 0);
}

/** A set of hashes in 16 to 32 bytes each; a `Set` of numbers takes three times as much. */
export function createHashSet() {
  let slots = new Float64Array(2 ** 14);
  let size = 0;
  /** Returns whether it is new. An empty slot is 0, so that each hash is kept plus 1. */
  const put = (hash: number): boolean => {
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      if (slots[slot] === hash + 1) return false;
      if (slots[slot] !== 0) continue;
      slots[slot] = hash + 1;
      return true;
    }
  };
  return {
    add: (hash: number): boolean => {
      if (!put(hash)) return false;
      size += 1;
      if (2 * size > slots.length) {
        const full = slots;
        slots = new Float64Array(2 * full.length);
        for (const kept of full) if (kept !== 0) put(kept - 1);
      }
      return true;
    },
  };
}
