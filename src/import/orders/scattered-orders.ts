import type { Spill } from '../../system/spill.ts';
import type { Row } from '../table/table.ts';
import type { Run } from './row-runs.ts';

/** Orders whose rows lie in several places of the file, put aside until the last of them has been seen. */
export interface ScatteredOrders {
  readonly size: number;
  /** The place of the id with this hash among them, or -1 when it is none of them. */
  find(hash: number): number;
  /** Adds a run of one of them, by its place. */
  add(place: number, run: Run): void;
  /** The whole orders at a place: one, but for ids that share a hash. */
  take(place: number): Run[];
}

/** `hashes` are those of the ids, sorted; each run is one text in the spill, linked to the run before it. */
export function createScatteredOrders(hashes: Float64Array, spill: Spill): ScatteredOrders {
  const places = createNumberList();
  const before = createNumberList();
  const last = new Int32Array(hashes.length).fill(-1);
  return {
    size: hashes.length,
    find: (hash) => find(hashes, hash),
    add: (place, run) => {
      places.push(spill.write(JSON.stringify(run)));
      before.push(last[place] as number);
      last[place] = places.length - 1;
    },
    take: (place) => {
      const orders = new Map<string, Row[]>();
      for (const { externalOrderId, rows } of runsAt(last[place] as number).reverse()) {
        const known = orders.get(externalOrderId);
        if (known === undefined) orders.set(externalOrderId, rows);
        else for (const row of rows) known.push(row);
      }
      return Array.from(orders, ([externalOrderId, rows]) => ({ externalOrderId, rows }));
    },
  };

  function runsAt(index: number): Run[] {
    const runs: Run[] = [];
    for (let at = index; at >= 0; at = before.at(at) as number) {
      runs.push(JSON.parse(spill.read(places.at(at) as number)) as Run);
    }
    return runs;
  }
}

/** Where a value is in a sorted list, or -1. */
function find(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = sorted[middle] as number;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Numbers in few bytes each: a list that grows, for millions of them. */
export interface NumberList {
  readonly length: number;
  push(value: number): void;
  at(index: number): number | undefined;
  /** Puts them in order, from the smallest to the largest; the list itself, since a copy would need as much again. */
  sort(): Float64Array;
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
    sort: () => values.subarray(0, length).sort(),
  };
}
