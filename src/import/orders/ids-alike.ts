import { foldExternalId, toLatin } from '../../orders/order-reference.ts';
import { phoneToE164 } from '../../orders/phone.ts';
import { alternativesOf, type Column, fieldText, fills, locationOf } from '../mapping/column.ts';
import type { Problem } from '../problem.ts';
import type { Row } from '../read/read-table.ts';
import { createCellReader } from './cells/cell-reader.ts';
import { hashText, type Joiner, type RowGroup } from './scattered-orders.ts';

const maxIdBytes = 255;
/** The most orders with similar IDs that are compared with the next one. */
const maxCompared = 100;

/** Called with the orders in file order; finds those whose ID looks like an earlier one. */
export function createLookalikeFinder(
  columns: readonly Column[],
  lookalikesOf: Joiner['lookalikesOf'],
): (order: RowGroup) => readonly Problem[] {
  const idColumn = columns.find(fills('externalOrderId'));
  const customerOf = createCustomerReader(columns);
  const lastAlike: number[] = [];
  const orders = createRecords();
  return ({ externalOrderId: id, rows }) => {
    const [row] = rows;
    if (row === undefined || id === '' || isLong(id)) return noProblems;
    const key = lookalikesOf(id);
    if (key === undefined) return noProblems;
    const folded = foldExternalId(id);
    const { phone, customerId } = customerOf(rows);
    const previous = lastAlike[key] ?? none;
    lastAlike[key] = orders.nextPosition();
    const order: OrderRecord = { id, row: row.row, previous, phone, customerId };
    orders.push(order);
    if (previous === none) return noProblems;
    const alike = orders.from(order.previous).filter((known) => foldExternalId(known.id) === folded);
    const twin = alike.find((known) => isSameCustomer(known, order));
    const known = twin ?? alike[0];
    if (known === undefined) return [];
    const cell = locationOf(
      rows.find(({ cells }) => idColumn && fieldText(idColumn, cells) !== '') ?? row,
      idColumn,
    );
    return [
      {
        ...describe(order, known, twin !== undefined),
        externalOrderId: id,
        path: 'externalOrderId',
        ...cell,
      },
    ];
  };
}

const isLong = (id: string) => id.length > maxIdBytes / 3 && Buffer.byteLength(id) > maxIdBytes;

/** Equal for IDs that look alike. Very long ones are not compared. */
export function hashAlike(externalOrderId: string): number {
  return hashText(isLong(externalOrderId) ? externalOrderId : foldExternalId(externalOrderId));
}

function describe({ id }: OrderRecord, known: OrderRecord, isSame: boolean): Problem {
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
  /** Hashes of 32 bits; 0 when the order has none. */
  phone: number;
  customerId: number;
}

function isSameCustomer(left: Customer, right: Customer): boolean {
  return (
    (left.phone !== 0 && left.phone === right.phone) ||
    (left.customerId !== 0 && left.customerId === right.customerId)
  );
}

function createCustomerReader(columns: readonly Column[]): (rows: readonly Row[]) => Customer {
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
  const phoneOf = createTextReader('customer.phone');
  const customerIdOf = createTextReader('customer.externalCustomerId');
  return (rows) => {
    const phone = phoneOf(rows);
    return { phone: hash32(phoneToE164(phone) ?? phone), customerId: hash32(customerIdOf(rows)) };
  };
}

function hash32(text: string): number {
  return text === '' ? 0 : hashText(text) % 2 ** 32 || 1;
}

interface OrderRecord extends Customer {
  id: string;
  row: number;
  /** The position of the order before with the same key. */
  previous: number;
}

const none = -1;
const noProblems: readonly Problem[] = [];
const headLength = 17;

const chunkLength = 2 ** 18;

/** Orders in a few dozen bytes each, read again by their position. A chunk that is full is never copied. */
function createRecords() {
  const chunks: Buffer[] = [];
  let length = 0;
  const chunkOf = (position: number) => chunks[Math.floor(position / chunkLength)] as Buffer;
  const at = (position: number): OrderRecord => {
    const record = chunkOf(position).subarray(position % chunkLength);
    return {
      row: record.readInt32LE(0),
      previous: record.readInt32LE(4),
      phone: record.readUInt32LE(8),
      customerId: record.readUInt32LE(12),
      id: record.toString('utf8', headLength, headLength + record.readUInt8(16)),
    };
  };
  return {
    nextPosition: (): number => {
      const isFull = (length % chunkLength) + headLength + maxIdBytes >= chunkLength;
      if (isFull || length === 0) {
        length = chunks.length * chunkLength;
        chunks.push(Buffer.alloc(chunkLength));
      }
      return length;
    },
    push: ({ id, row, previous, phone, customerId }: OrderRecord): void => {
      const [chunk, start] = [chunkOf(length), length % chunkLength];
      chunk.writeInt32LE(row, start);
      chunk.writeInt32LE(previous, start + 4);
      chunk.writeUInt32LE(phone, start + 8);
      chunk.writeUInt32LE(customerId, start + 12);
      const idLength = chunk.write(id, start + headLength);
      chunk.writeUInt8(idLength, start + 16);
      length += headLength + idLength;
    },
    from: (position: number): OrderRecord[] => {
      const found: OrderRecord[] = [];
      for (let next = position; next !== none && found.length < maxCompared; ) {
        const order = at(next);
        found.push(order);
        next = order.previous;
      }
      return found;
    },
  };
}
