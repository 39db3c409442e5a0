/**
 * How many different texts there are and how many come again, over any number of texts: exact up to `size`, beyond
 * that from the texts whose hash falls into a range that is halved whenever more than `size` of them are known.
 */
export function createDistinctSample(size: number) {
  /** Hash → how often it came again. */
  const known = new Map<number, number>();
  let repeats = 0;
  /** All bits of a hash under the mask are zero. */
  let mask = 0;
  const halve = () => {
    mask = mask * 2 + 1;
    for (const [hash, count] of known) {
      if ((hash & mask) === 0) continue;
      known.delete(hash);
      repeats -= count;
    }
  };
  return {
    add: (text: string): void => {
      const hash = hashOf(text);
      if ((hash & mask) !== 0) return;
      const count = known.get(hash);
      if (count !== undefined) repeats += 1;
      known.set(hash, count === undefined ? 0 : count + 1);
      while (known.size > size) halve();
    },
    get different(): number {
      return known.size * (mask + 1);
    },
    /** From 0 to 1: 1 when no text came twice. */
    get uniqueShare(): number {
      return known.size === 0 ? 0 : Math.max(0, 1 - repeats / known.size);
    },
  };
}

/** FNV-1a, then mixed, because its low bits alone are uneven. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
