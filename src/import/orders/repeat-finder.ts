import { createNumberList } from './scattered-orders.ts';

/** Finds the numbers that come more than once among millions, in little more than the bytes of the numbers. */
export interface RepeatFinder {
  /** `hash` is a whole number of up to 53 bits. */
  add(hash: number): void;
  /** The numbers that came again, each once, from the smallest to the largest; to be asked once, at the end. */
  repeated(): Float64Array;
}

const parts = 64;
const partWidth = 2 ** 53 / parts;

/** Sorted in parts by size, so that no list is ever long enough for its growth to count. */
export function createRepeatFinder(): RepeatFinder {
  const lists = Array.from({ length: parts }, createNumberList);
  return {
    add: (hash) => lists[Math.floor(hash / partWidth)]?.push(hash),
    repeated: () => concatenate(lists.map((list) => repeatedIn(list.sort()))),
  };
}

function concatenate(lists: Float64Array[]): Float64Array {
  const all = new Float64Array(lists.reduce((length, list) => length + list.length, 0));
  let place = 0;
  for (const list of lists) {
    all.set(list, place);
    place += list.length;
  }
  return all;
}

function repeatedIn(sorted: Float64Array): Float64Array {
  return sorted.filter((value, index) => value === sorted[index + 1] && value !== sorted[index - 1]);
}

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
