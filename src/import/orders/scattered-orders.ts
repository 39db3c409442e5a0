import type { Spill } from '../../system/spill.ts';
import type { RowGroup } from './read-orders.ts';

export interface ScatteredOrders {
  readonly isEmpty: boolean;
  /** For the first pass, with every group in file order; keeps a group whose hash came before. Error: `file_not_writable`. */
  add(group: RowGroup): void;
  /** For a later pass, called with every group in file order. */
  createJoiner(): Joiner;
}

export interface Joiner {
  /** The order that begins with a group, whole; undefined when its order began before. */
  join(group: RowGroup): RowGroup | undefined;
  /** Whether the ID of another order has the same hash. */
  mayLookAlike(externalOrderId: string): boolean;
}

/** For a file in which each group is an order, and none has an ID like another. */
export const joinNothing: Joiner = { join: (group) => group, mayLookAlike: () => false };

const nothingKept = -1;

/** `hashOf` is equal for IDs that look alike. Of an order whose hash no other order has, nothing but that is kept. */
export function createScatteredOrders(
  openSpill: () => Spill,
  hashOf: (externalOrderId: string) => number,
  expectedGroups = 0,
): ScatteredOrders {
  const known = createHashSet(expectedGroups);
  // By hash, the last group that is kept of it; each is linked to the one before.
  const lastKept = new Map<number, number>();
  const previousKept = createNumberList();
  const positions = createNumberList();
  // Which of all groups of the file are kept.
  const keptNumbers = createNumberList();
  let added = 0;
  let spill: Spill | undefined;

  const keptGroup = (kept: number) =>
    JSON.parse((spill as Spill).read(positions.at(kept) as number)) as RowGroup;
  const keptInFileOrder = (last: number): number[] => {
    const all: number[] = [];
    for (let kept = last; kept !== nothingKept; kept = previousKept.at(kept) as number) all.push(kept);
    return all.reverse();
  };

  return {
    get isEmpty() {
      return positions.length === 0;
    },
    add: (group) => {
      added += 1;
      if (group.externalOrderId === '') return;
      const hash = hashOf(group.externalOrderId);
      if (known.add(hash)) return;
      spill ??= openSpill();
      const position = spill.write(JSON.stringify(group));
      previousKept.push(lastKept.get(hash) ?? nothingKept);
      lastKept.set(hash, positions.length);
      positions.push(position);
      keptNumbers.push(added);
    },
    createJoiner: () => {
      let read = 0;
      let passed = 0;
      // Of each group that is kept: whether an order begins with it, and where this order goes on.
      const begins = new Uint8Array(positions.length);
      const nextOfOrder = new Int32Array(positions.length).fill(nothingKept);
      const joinFrom = (group: RowGroup, next: number): RowGroup => {
        if (next === nothingKept) return group;
        const rows = [...group.rows];
        for (let kept = next; kept !== nothingKept; kept = nextOfOrder[kept] as number) {
          for (const row of keptGroup(kept).rows) rows.push(row);
        }
        return { externalOrderId: group.externalOrderId, rows };
      };
      /** Links the groups of each ID with this hash; returns the first one that is kept of this ID. */
      const linkFrom = (id: string, last: number): number => {
        let first = nothingKept;
        const lastOfId = new Map<string, number>();
        for (const kept of keptInFileOrder(last)) {
          const { externalOrderId } = keptGroup(kept);
          const before = lastOfId.get(externalOrderId);
          if (before !== undefined) nextOfOrder[before] = kept;
          else if (externalOrderId === id) first = kept;
          else begins[kept] = 1;
          lastOfId.set(externalOrderId, kept);
        }
        return first;
      };
      return {
        join: (group) => {
          read += 1;
          if (keptNumbers.at(passed) === read) {
            const kept = passed;
            passed += 1;
            return begins[kept] === 1 ? joinFrom(group, nextOfOrder[kept] as number) : undefined;
          }
          if (group.externalOrderId === '') return group;
          const last = lastKept.get(hashOf(group.externalOrderId));
          return last === undefined ? group : joinFrom(group, linkFrom(group.externalOrderId, last));
        },
        mayLookAlike: (externalOrderId) => lastKept.size > 0 && lastKept.has(hashOf(externalOrderId)),
      };
    },
  };
}

/** A map from hashes of 53 bits to 32-bit numbers, for millions of entries at some 14 bytes each. */
export interface HashIndex {
  /** Returns the value before. */
  put(hash: number, value: number): number | undefined;
}

/** Divided into parts, so that no single table is large enough for its growth to matter. */
export function createHashIndex(): HashIndex {
  const partOf = createParts(true, 0);
  return { put: (hash, value) => partOf(hash).put(hash, value) };
}

/** A set of hashes in three fifths of the memory. */
export function createHashSet(expected = 0) {
  const partOf = createParts(false, expected);
  return {
    /** Returns whether it is new. */
    add: (hash: number): boolean => partOf(hash).put(hash, 0) === undefined,
  };
}

const partCount = 64;
/** A hash has 6 bits for the part, 15 high ones, and 32 low ones. */
const partWidth = 2 ** 53 / partCount;
const lowWidth = 2 ** 32;

/** A file may be expected to have any number of rows. */
const maxExpected = 2_000_000;

function createParts(hasValues: boolean, expected: number): (hash: number) => HashIndex {
  // Some parts get a few more than their share.
  const slots = Math.ceil((1.05 * Math.min(expected, maxExpected)) / partCount / maxLoad);
  const parts = Array.from({ length: partCount }, () => createHashTable(hasValues, Math.max(32, slots)));
  return (hash) => parts[Math.floor(hash / partWidth)] as HashIndex;
}

/** With more of its slots in use, a search passes many of them. */
const maxLoad = 0.8;
const growth = 1.25;

/** An open-addressing hash table with linear probing, for the hashes of one part. */
function createHashTable(hasValues: boolean, slots: number): HashIndex {
  let lows = new Uint32Array(slots);
  // The high bits plus 1; 0 is a free slot.
  let highs = new Uint16Array(slots);
  let values = new Int32Array(hasValues ? slots : 0);
  let size = 0;
  const slotOf = (low: number, high: number) => {
    let slot = low % lows.length;
    while (highs[slot] !== 0 && (lows[slot] !== low || highs[slot] !== high)) {
      slot = slot + 1 === lows.length ? 0 : slot + 1;
    }
    return slot;
  };
  const valueAt = (slot: number) => (highs[slot] === 0 ? undefined : hasValues ? values[slot] : 0);
  const highOf = (hash: number) => 1 + Math.floor((hash % partWidth) / lowWidth);
  const put = (low: number, high: number, value: number) => {
    const slot = slotOf(low, high);
    const before = valueAt(slot);
    if (before === undefined) size += 1;
    lows[slot] = low;
    highs[slot] = high;
    if (hasValues) values[slot] = value;
    return before;
  };
  const grow = () => {
    const [oldLows, oldHighs, oldValues] = [lows, highs, values];
    const length = Math.ceil(growth * oldLows.length);
    lows = new Uint32Array(length);
    highs = new Uint16Array(length);
    values = new Int32Array(hasValues ? length : 0);
    size = 0;
    oldHighs.forEach((high, slot) => {
      if (high !== 0) put(oldLows[slot] as number, high, oldValues[slot] ?? 0);
    });
  };
  return {
    put: (hash, value) => {
      if (size >= maxLoad * lows.length) grow();
      return put(hash >>> 0, highOf(hash), value);
    },
  };
}

export interface NumberList {
  readonly length: number;
  push(value: number): void;
  at(index: number): number | undefined;
}

export function createNumberList(): NumberList {
  let values = new Float64Array(64);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push: (value) => {
      if (length === values.length) {
        const larger = new Float64Array(Math.ceil(1.5 * length));
        larger.set(values);
        values = larger;
      }
      values[length] = value;
      length += 1;
    },
    at: (index) => (index < length ? values[index] : undefined),
  };
}

/** 53 bits, the most that a number holds exactly. Different texts may share a hash, so callers compare them as well. */
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
