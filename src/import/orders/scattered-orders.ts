import { CliError } from '../../errors.ts';
import type { Spill } from '../../system/temporary-file.ts';
import type { Problem } from '../problem.ts';
import type { Row } from '../read/read-table.ts';

/** Consecutive rows of one order. The ID is blank when the rows have none. */
export interface RowGroup {
  externalOrderId: string;
  rows: Row[];
  problems?: readonly Problem[];
}

interface ScatteredOrders {
  readonly isEmpty: boolean;
  /** Keeps a group whose hash came before, or seems to. First pass, file order. Error: `file_not_writable`. */
  add(group: RowGroup): void;
  createJoiner(): Joiner;
}

export interface Joiner {
  /** The order that begins with a group, whole; undefined when its order began before. */
  join(group: RowGroup): RowGroup | undefined;
  /** A number that orders share whose IDs have the same hash; undefined when no group with it is kept. */
  lookalikesOf(externalOrderId: string): number | undefined;
}

/** An order is planned as a whole. In a sheet with ten columns these are 25,000 rows. */
export const maxCellsOfOrder = 250_000;

/** Error: `file_invalid`, when the rows of an order have more cells. */
export function checkOrderSize(rows: readonly Row[], cells: number): void {
  if (cells <= maxCellsOfOrder) return;
  const [first] = rows;
  const sentence = `${rows.length.toLocaleString('en')} rows or more belong to the order that begins in row ${first?.row}.`;
  throw new CliError('file_invalid', sentence, {
    hint: "If they are several orders, name the column of their IDs: --map-column 'Header=externalOrderId'. Nothing was sent.",
    outcome: 'not_sent',
  });
}

/** For a file in which each group is an order, and none has an ID like another. */
export const joinNothing: Joiner = { join: (group) => group, lookalikesOf: () => undefined };

const nothingKept = -1;

/** `hashOf` is equal for similar IDs. Of an order with a unique hash, little more than the hash is kept. */
export function createScatteredOrders(
  openSpill: () => Spill,
  hashOf: (externalOrderId: string) => number,
  expectedGroups = 0,
): ScatteredOrders {
  const known = createHashSet(expectedGroups);
  // Hash → the last kept group; each is linked to the one before.
  const lastKept = new Map<number, number>();
  const previousKept = createNumberList();
  const positions = createNumberList();
  // The numbers of the kept groups, among all of the file.
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
      // For each kept group: whether it is linked, begins an order, and where the order continues.
      const isLinked = new Uint8Array(positions.length);
      const begins = new Uint8Array(positions.length);
      const nextOfOrder = new Int32Array(positions.length).fill(nothingKept);
      const joinFrom = (group: RowGroup, next: number): RowGroup => {
        if (next === nothingKept) return group;
        const rows = [...group.rows];
        let cells = 0;
        for (let kept = next; kept !== nothingKept; kept = nextOfOrder[kept] as number) {
          for (const row of keptGroup(kept).rows) {
            rows.push(row);
            cells += row.cells.length;
          }
          checkOrderSize(rows, cells);
        }
        return { externalOrderId: group.externalOrderId, rows };
      };
      /** Links the groups of each ID with this hash; returns the first one of this ID. */
      const linkFrom = (id: string, last: number): number => {
        let first = nothingKept;
        const lastOfId = new Map<string, number>();
        for (const kept of keptInFileOrder(last)) {
          const { externalOrderId } = keptGroup(kept);
          isLinked[kept] = 1;
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
            // No earlier group has this hash: the set mistook another one for it.
            if (isLinked[kept] === 0) linkFrom('', lastKept.get(hashOf(group.externalOrderId)) as number);
            return begins[kept] === 1 ? joinFrom(group, nextOfOrder[kept] as number) : undefined;
          }
          if (group.externalOrderId === '') return group;
          const last = lastKept.get(hashOf(group.externalOrderId));
          return last === undefined ? group : joinFrom(group, linkFrom(group.externalOrderId, last));
        },
        lookalikesOf: (externalOrderId) =>
          lastKept.size === 0 ? undefined : lastKept.get(hashOf(externalOrderId)),
      };
    },
  };
}

/** An entry has 27 bits of a hash, and above them its distance from its home slot, from 1. */
const oneSlot = 2 ** 27;
const limit = 2 ** 32;
/** With fewer free slots, a search passes many entries. */
const maxLoad = 0.9;
/** A file may be expected to have any number of rows. */
const homeCounts = { from: 2 ** 14, to: 2 ** 24 };

/**
 * A set of hashes in some 4.5 bytes each, if as many come as expected. It is approximate: with ten million hashes,
 * one set in thirty takes one for another.
 */
export function createHashSet(expected = 0) {
  let homes = Math.min(Math.max(homeCounts.from, Math.ceil((1.05 * expected) / maxLoad)), homeCounts.to);
  let last = createHashTable(homes);
  const full: ReturnType<typeof createHashTable>[] = [];
  let free = maxLoad * homes;
  return {
    /** Returns whether it is new. */
    add: (hash: number): boolean => {
      if (full.some(({ has }) => has(hash)) || !last.add(hash)) return false;
      free -= 1;
      if (free <= 0) {
        full.push(last);
        // Half of what there is, so that nothing moves, and few slots stay free.
        const more = Math.ceil(homes / 2);
        homes += more;
        last = createHashTable(more);
        free = maxLoad * more;
      }
      return true;
    },
  };
}

/**
 * Robin Hood hashing: entries are in the order of their homes, those of one home in falling order, so that a search
 * ends at the first lower entry. Entries too far from home are in a set of their own.
 */
function createHashTable(homes: number) {
  const slots = new Uint32Array(homes + limit / oneSlot + 1);
  const scale = homes / 2 ** 53;
  const distant = new Set<number>();
  /** Returns whether it is new. */
  const put = (hash: number, isAdded: boolean): boolean => {
    let slot = Math.floor(hash * scale);
    let entry = oneSlot + (hash & (oneSlot - 1));
    while ((slots[slot] as number) > entry) {
      slot += 1;
      entry += oneSlot;
    }
    if (slots[slot] === entry) return false;
    // This number is the same at any distance.
    if (entry >= limit && distant.has(slot * oneSlot - entry)) return false;
    if (!isAdded) return true;
    for (; entry < limit; slot += 1, entry += oneSlot) {
      const next = slots[slot] as number;
      slots[slot] = entry;
      if (next === 0) return true;
      entry = next;
    }
    distant.add(slot * oneSlot - entry);
    return true;
  };
  return { add: (hash: number) => put(hash, true), has: (hash: number) => !put(hash, false) };
}

interface NumberList {
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
