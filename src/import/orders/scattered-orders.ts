import type { Spill } from '../../system/spill.ts';
import type { Row } from '../table/table.ts';
import { createHashIndex, createNumberList, hashText } from './hash-index.ts';
import type { RowGroup } from './row-groups.ts';

/** Orders with rows in several places of the file. */
export interface ScatteredOrders {
  readonly isEmpty: boolean;
  /**
   * For the first pass over the file, which adds every row group in file order. A group whose ID came before is
   * kept in the spill. Error: `file_not_writable`.
   */
  add(group: RowGroup): void;
  /**
   * For each later pass: called with the same groups, it returns the orders that begin with a group, whole, and
   * nothing for a group that belongs to an earlier one. It is several orders only when their IDs share a hash.
   */
  createJoiner(): (group: RowGroup) => RowGroup[];
}

const nothingKept = -1;

export function createScatteredOrders(openSpill: () => Spill, hashOf = hashText): ScatteredOrders {
  // By hash of the ID, the last group that is kept of it; each is linked to the one before.
  const lastKept = createHashIndex();
  const previousKept = createNumberList();
  const positions = createNumberList();
  // Which of all groups of the file are kept.
  const keptNumbers = createNumberList();
  let added = 0;
  let spill: Spill | undefined;

  const keptGroups = (last: number): RowGroup[] => {
    const groups: RowGroup[] = [];
    for (let kept = last; kept !== nothingKept; kept = previousKept.at(kept) as number) {
      groups.push(JSON.parse((spill as Spill).read(positions.at(kept) as number)) as RowGroup);
    }
    return groups.reverse();
  };

  return {
    get isEmpty() {
      return positions.length === 0;
    },
    add: (group) => {
      added += 1;
      if (group.externalOrderId === '') return;
      const hash = hashOf(group.externalOrderId);
      const last = lastKept.get(hash);
      if (last === undefined) {
        lastKept.set(hash, nothingKept);
        return;
      }
      spill ??= openSpill();
      const position = spill.write(JSON.stringify(group));
      lastKept.set(hash, positions.length);
      previousKept.push(last);
      positions.push(position);
      keptNumbers.push(added);
    },
    createJoiner: () => {
      let read = 0;
      let skipped = 0;
      return (group) => {
        read += 1;
        if (keptNumbers.at(skipped) === read) {
          skipped += 1;
          return [];
        }
        if (group.externalOrderId === '') return [group];
        const last = lastKept.get(hashOf(group.externalOrderId)) ?? nothingKept;
        return last === nothingKept ? [group] : joinById([group, ...keptGroups(last)]);
      };
    },
  };
}

function joinById(groups: readonly RowGroup[]): RowGroup[] {
  const rowsById = new Map<string, Row[]>();
  for (const { externalOrderId, rows } of groups) {
    const known = rowsById.get(externalOrderId);
    if (known === undefined) rowsById.set(externalOrderId, [...rows]);
    else for (const row of rows) known.push(row);
  }
  return Array.from(rowsById, ([externalOrderId, rows]) => ({ externalOrderId, rows }));
}
