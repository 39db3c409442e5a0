import type { Spill } from '../../../system/temporary-file.ts';
import { ownCopy } from '../../mapping/meanings.ts';
import type { Row } from '../../read/read-table.ts';
import { checkOrderSize, type Joiner, type RowGroup } from './group-rows.ts';
import { createHashSet, hashText } from './hash.ts';
import { type CustomerReader, createLookalikes, hashAlike } from './ids-alike.ts';

/** For a file in which each group is an order, and none has an ID like another. */
export const joinNothing: Joiner = { join: (group) => group, problemsOf: () => [] };

/** The groups whose ID, or one like it, came before: the rest of an order, or an order with a similar ID. */
interface RepeatedIds {
  /** Called with each group of a first reading, in file order. Error: `file_not_writable`. */
  add(group: RowGroup): void;
  readonly isEmpty: boolean;
  /** For another reading. */
  createJoiner(customerOf: CustomerReader): Joiner;
}

interface StoredGroup {
  group: RowGroup;
  /** The position of the group before whose ID has the same hash. */
  previous?: number;
}

/** In memory that grows with the number of orders, not with their rows. */
export function createRepeatedIds(openSpill: () => Spill): RepeatedIds {
  const known = createHashSet();
  /** The hashes, equal for similar IDs, that came more than once. */
  const repeated = new Set<number>();
  /** The hash of an ID → the position of its last group. */
  const lastGroups = new Map<number, number>();
  let spill: Spill | undefined;
  const isRepeated = (id: string) => id !== '' && repeated.has(hashAlike(id));
  /** The later rows of an order, in file order. Error: `file_invalid`. */
  const restOf = ({ externalOrderId, rows: [first] }: RowGroup): Row[] => {
    const rows: Row[] = [];
    let cells = 0;
    for (let next = lastGroups.get(hashText(externalOrderId)); next !== undefined; ) {
      const { group, previous }: StoredGroup = JSON.parse((spill as Spill).read(next));
      next = previous;
      const isRest = (group.rows[0]?.row ?? 0) > (first?.row ?? 0);
      if (!isRest || group.externalOrderId !== externalOrderId) continue;
      for (const row of group.rows.reverse()) {
        rows.push(row);
        cells += row.cells.length;
      }
      checkOrderSize(first === undefined ? rows : [first, ...rows], cells);
    }
    return rows.reverse();
  };

  return {
    get isEmpty() {
      return repeated.size === 0;
    },
    add: (group) => {
      const { externalOrderId: id } = group;
      if (id === '') return;
      const alike = hashAlike(id);
      if (known.add(alike)) return;
      repeated.add(alike);
      spill ??= openSpill();
      const stored = { group, previous: lastGroups.get(hashText(id)) };
      lastGroups.set(hashText(id), spill.write(JSON.stringify(stored)));
    },
    createJoiner: (customerOf) => {
      const begun = new Set<string>();
      const lookalikes = createLookalikes(customerOf, openSpill());
      return {
        join: (group) => {
          const { externalOrderId: id } = group;
          if (!isRepeated(id)) return group;
          if (begun.has(id)) return undefined;
          const rest = restOf(group);
          if (rest.length === 0) return group;
          begun.add(ownCopy(id));
          return { externalOrderId: id, rows: [...group.rows, ...rest] };
        },
        problemsOf: (order) => (isRepeated(order.externalOrderId) ? lookalikes.add(order) : []),
      };
    },
  };
}
