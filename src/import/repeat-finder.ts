import { createNumberList } from './number-list.ts';

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
