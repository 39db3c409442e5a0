import { foldExternalId, toHyphens, toLatin } from '../../../orders/order-reference.ts';
import { phoneKey } from '../../../orders/phone.ts';
import type { Spill } from '../../../system/temporary-file.ts';
import { createHashSet, hashText } from '../../hash-set.ts';
import {
  alternativesOf,
  type Column,
  createCellReader,
  fieldText,
  fills,
  locationOf,
} from '../../mapping/column.ts';
import { type IdDifference, idsAlike } from '../../order-texts.ts';
import { ownCopy, type Problem } from '../../problem.ts';
import type { Row } from '../../read/read-table.ts';
import type { RowGroup } from '../plan.ts';
import { checkOrderSize, type Joiner } from './group-rows.ts';

/** For a file in which each group is an order, and none has an ID like another. */
export const joinNothing: Joiner = { join: (group) => group, problemsOf: () => [] };

/**
 * The groups whose ID, or one like it, came before: the rest of an order, or an order with a similar ID. In memory that
 * grows with the number of orders, not with their rows.
 */
export function createRepeatedIds(openSpill: () => Spill) {
  const known = createHashSet();
  /** The hashes, equal for similar IDs, that came more than once. */
  const repeated = new Set<number>();
  /** The hash of an ID → the position of its last group. */
  const lastGroups = new Map<number, number>();
  /** The hash, equal for similar IDs → the position of the last group. */
  const lastAlike = new Map<number, number>();
  let spill: Spill | undefined;
  let lookalikes: Spill | undefined;
  const isRepeated = (id: string) => id !== '' && repeated.has(hashAlike(id));
  /** The later rows of an order, in file order. Error: `file_invalid`. */
  const restOf = ({ externalOrderId, rows: ownRows }: RowGroup): Row[] => {
    const rows: Row[] = [];
    let cells = ownRows.reduce((sum, row) => sum + row.cells.length, 0);
    for (let next = lastGroups.get(hashText(externalOrderId)); next !== undefined; ) {
      const { previous, ...group }: RowGroup & { previous?: number } = JSON.parse(
        (spill as Spill).read(next),
      );
      next = previous;
      const isRest = (group.rows[0]?.row ?? 0) > (ownRows[0]?.row ?? 0);
      if (!isRest || group.externalOrderId !== externalOrderId) continue;
      for (const row of group.rows.reverse()) {
        rows.push(row);
        cells += row.cells.length;
      }
      checkOrderSize(ownRows, { rows: ownRows.length + rows.length, cells });
    }
    return rows.reverse();
  };

  /** The problem of an order whose ID looks like a later one of the same customer: neither is sent. */
  const laterTwin = (order: RowGroup, customerOf: CustomerReader): Problem | undefined => {
    const { externalOrderId: id, rows } = order;
    const { location, ...customer } = customerOf(rows);
    let left = maxCompared;
    for (let next = lastAlike.get(hashAlike(id)); next !== undefined && left > 0; left -= 1) {
      const { previousAlike, ...group }: RowGroup & { previousAlike?: number } = JSON.parse(
        (spill as Spill).read(next),
      );
      next = previousAlike;
      const { externalOrderId: other, rows: others } = group;
      const row = others[0]?.row ?? 0;
      if (other === id || foldExternalId(other) !== foldExternalId(id) || row < (rows[0]?.row ?? 0)) continue;
      if (!isSameCustomer(customerOf(others), customer)) continue;
      return alikeProblem(id, { id: other, row }, true, location);
    }
    return undefined;
  };

  return {
    get isEmpty(): boolean {
      return repeated.size === 0;
    },
    /** Called with each group of a first reading, in file order. Error: `file_not_writable`. */
    add: (group: RowGroup): void => {
      const { externalOrderId: id } = group;
      if (id === '') return;
      const alike = hashAlike(id);
      if (known.add(alike)) return;
      repeated.add(alike);
      spill ??= openSpill();
      const [previous, previousAlike] = [lastGroups.get(hashText(id)), lastAlike.get(alike)];
      const position = spill.write(JSON.stringify({ ...group, previous, previousAlike }));
      lastGroups.set(hashText(id), position);
      lastAlike.set(alike, position);
    },
    /** For another reading. */
    createJoiner: (customerOf: CustomerReader): Joiner => {
      const begun = new Set<string>();
      lookalikes?.remove();
      lookalikes = openSpill();
      const findLookalikes = createLookalikeFinder(customerOf, lookalikes);
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
        problemsOf: (order) => {
          if (!isRepeated(order.externalOrderId)) return [];
          const problems = findLookalikes(order);
          const twin = problems.length > 0 ? undefined : laterTwin(order, customerOf);
          return twin === undefined ? problems : [twin];
        },
      };
    },
    /** Frees their disk space. */
    remove: (): void => {
      spill?.remove();
      lookalikes?.remove();
    },
  };
}

const maxIdBytes = 255;
/** The most orders with similar IDs that are compared with the next one. */
const maxCompared = 100;

const isLong = (id: string) => id.length > maxIdBytes / 3 && Buffer.byteLength(id) > maxIdBytes;

/** Equal for IDs that look alike. Very long ones are not compared. */
function hashAlike(externalOrderId: string): number {
  return hashText(isLong(externalOrderId) ? externalOrderId : foldExternalId(externalOrderId));
}

/**
 * Called with the orders in file order; finds the problem of one whose ID looks like an earlier one. The orders are kept
 * by the hash of their ID, in a temporary file, since there may be many.
 */
function createLookalikeFinder(customerOf: CustomerReader, spill: Spill) {
  const lastByHash = new Map<number, number>();
  const ordersBefore = (position: number | undefined): KnownOrder[] => {
    const found: KnownOrder[] = [];
    for (let next = position; next !== undefined && found.length < maxCompared; ) {
      const order: KnownOrder = JSON.parse(spill.read(next));
      found.push(order);
      next = order.previous;
    }
    return found;
  };
  return ({ externalOrderId: id, rows }: RowGroup): Problem[] => {
    if (isLong(id)) return [];
    const hash = hashAlike(id);
    const folded = foldExternalId(id);
    const { location, phone, customerId } = customerOf(rows);
    const previous = lastByHash.get(hash);
    const order: KnownOrder = { id, row: rows[0]?.row ?? 0, phone, customerId, previous };
    lastByHash.set(hash, spill.write(JSON.stringify(order)));
    const alike = ordersBefore(previous).filter((known) => foldExternalId(known.id) === folded);
    const twin = alike.find((known) => isSameCustomer(known, order));
    const known = twin ?? alike[0];
    if (known === undefined) return [];
    return [alikeProblem(id, known, twin !== undefined, location)];
  };
}

function alikeProblem(
  id: string,
  known: Pick<KnownOrder, 'id' | 'row'>,
  isSame: boolean,
  location: Partial<Problem>,
): Problem {
  const text = idsAlike(id, known, differenceOf(id, known.id), isSame);
  return {
    about: 'order',
    severity: isSame ? 'error' : 'warning',
    externalOrderId: id,
    path: 'externalOrderId',
    ...text,
    ...location,
  };
}

function differenceOf(left: string, right: string): IdDifference {
  const folds: [IdDifference, (id: string) => string][] = [
    ['case', (id) => id.toUpperCase()],
    ['width', (id) => id.toUpperCase().normalize('NFKC')],
    ['letters', (id) => toLatin(id.normalize('NFKC'))],
    ['dashes', (id) => toHyphens(toLatin(id.normalize('NFKC')))],
  ];
  return folds.find(([, fold]) => fold(left) === fold(right))?.[0] ?? 'zeros';
}

interface Customer {
  /** Blank when the order has none. */
  phone: string;
  customerId: string;
}

interface KnownOrder extends Customer {
  id: string;
  row: number;
  /** The position of the order before with the same hash. */
  previous: number | undefined;
}

function isSameCustomer(left: Customer, right: Customer): boolean {
  return (
    (left.phone !== '' && left.phone === right.phone) ||
    (left.customerId !== '' && left.customerId === right.customerId)
  );
}

/** Who the rows of an order are for, and the cell of its ID. */
type CustomerReader = (rows: readonly Row[]) => Customer & { location: Partial<Problem> };

export function createCustomerReader(columns: readonly Column[]): CustomerReader {
  const createTextReader = (path: string) => {
    const fields = columns
      .filter(fills(path))
      .flatMap(alternativesOf)
      .map((column) => ({ column, read: createCellReader(column, { today: '' }) }));
    return (rows: readonly Row[]) => {
      for (const { column, read } of fields) {
        for (const { cells } of rows) {
          const text = fieldText(column, cells);
          if (text !== '') return read(text);
        }
      }
      return '';
    };
  };
  const idColumn = columns.find(fills('externalOrderId'));
  const phoneOf = createTextReader('customer.phone');
  const customerIdOf = createTextReader('customer.externalCustomerId');
  return (rows) => {
    const withId = rows.find(({ cells }) => idColumn && fieldText(idColumn, cells) !== '') ?? rows[0];
    const phone = phoneOf(rows);
    return {
      phone: phoneKey(phone),
      customerId: customerIdOf(rows),
      location: withId === undefined ? {} : locationOf(withId, idColumn),
    };
  };
}
