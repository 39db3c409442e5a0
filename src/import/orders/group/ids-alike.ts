import { foldExternalId, toLatin } from '../../../orders/order-reference.ts';
import { phoneToE164 } from '../../../orders/phone.ts';
import type { Spill } from '../../../system/temporary-file.ts';
import {
  alternativesOf,
  type Column,
  createCellReader,
  fieldText,
  fills,
  locationOf,
} from '../../mapping/column.ts';
import type { Problem } from '../../problem.ts';
import type { Row } from '../../read/read-table.ts';
import type { RowGroup } from './group-rows.ts';
import { hashText } from './hash.ts';

const maxIdBytes = 255;
/** The most orders with similar IDs that are compared with the next one. */
const maxCompared = 100;

const isLong = (id: string) => id.length > maxIdBytes / 3 && Buffer.byteLength(id) > maxIdBytes;

/** Equal for IDs that look alike. Very long ones are not compared. */
export function hashAlike(externalOrderId: string): number {
  return hashText(isLong(externalOrderId) ? externalOrderId : foldExternalId(externalOrderId));
}

/** Orders by the hash of their ID, in a temporary file, since there may be many. */
export function createLookalikes(customerOf: CustomerReader, spill: Spill) {
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
  return {
    /** Called with the orders in file order; returns the problem of one whose ID looks like an earlier one. */
    add: ({ externalOrderId: id, rows }: RowGroup): Problem[] => {
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
      const problem = describe(id, known, twin !== undefined);
      return [{ ...problem, externalOrderId: id, path: 'externalOrderId', ...location }];
    },
  };
}

function describe(id: string, known: KnownOrder, isSame: boolean): Problem {
  const alike = `"${id}" looks like "${known.id}" in row ${known.row}: ${differenceOf(id, known.id)}`;
  const common = { about: 'order', code: 'ids_alike', cause: 'alike' } as const;
  return isSame
    ? {
        ...common,
        severity: 'error',
        problem: `${alike}. The customer is the same too, so it may be one order twice`,
        fix: 'remove one of them, or give them IDs that differ in more than that',
      }
    : {
        ...common,
        severity: 'warning',
        problem: alike,
        fix: 'check that they are two orders; both are sent',
      };
}

function differenceOf(left: string, right: string): string {
  const differences: [(id: string) => string, string][] = [
    [(id) => id.toUpperCase(), 'only upper and lower case differ'],
    [(id) => id.toUpperCase().normalize('NFKC'), 'one has full-width characters'],
    [(id) => toLatin(id.normalize('NFKC')), 'one has Cyrillic letters where the other has Latin ones'],
  ];
  return (
    differences.find(([fold]) => fold(left) === fold(right))?.[1] ?? 'only zeros or a sign before it differ'
  );
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
export type CustomerReader = (rows: readonly Row[]) => Customer & { location: Partial<Problem> };

export function createCustomerReader(columns: readonly Column[]): CustomerReader {
  const createTextReader = (path: string) => {
    const fields = columns
      .filter(fills(path))
      .flatMap(alternativesOf)
      .map((column) => ({ column, read: createCellReader(column, {}) }));
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
      phone: phoneToE164(phone) ?? phone,
      customerId: customerIdOf(rows),
      location: withId === undefined ? {} : locationOf(withId, idColumn),
    };
  };
}
