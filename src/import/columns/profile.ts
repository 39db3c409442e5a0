import { type DateOrder, dateOrders } from '../choices.ts';
import { type CountedValue, ownCopy } from '../problem.ts';
import { isDay } from '../words/dates.ts';
import { kindsOf, type TextKind, textKinds } from './cell-kinds.ts';
import { createColumnRelations, numberOf } from './relations.ts';

interface ProfiledValue extends CountedValue {
  /** In how many orders it stands; in rows of one that follow each other it counts once. */
  orders: number;
}

/** What the cells of a column are, over the whole file. */
export interface ColumnProfile {
  /** Cells with text. */
  filled: number;
  /** Orders of the table. */
  orders: number;
  /** Orders in which no row has text in this column. */
  blankOrders: number;
  /** Exact up to some hundreds, beyond that an estimate. */
  different: number;
  /** The first three different texts, cut to 60 characters. */
  samples: readonly string[];
  /** The first 200 values that are no longer than 200 characters, in file order. */
  counted: readonly ProfiledValue[];
  /** The same, when these are all. */
  values?: readonly ProfiledValue[];
  /** Up to 200 different texts, and of packed lines some for each form that occurs anywhere in the file. */
  examples: readonly string[];
  /** How many of the cells with text are of each kind, as a share from 0 to 1. */
  shares: Readonly<Record<TextKind, number>>;
  /** The share of values that do not come again after a row with another one: 1 for the ID of an order. */
  uniqueShare: number;
  /** The numbers 1, 2, 3 and so on. */
  isRowNumber: boolean;
  /** The same in every order. */
  isLineNumber: boolean;
  /** The largest of the cells that are amounts or counts. */
  largest: number;
  /** The sums of its amounts: of all rows, and of the first with an amount in each order. */
  sums: Readonly<Record<'rows' | 'orders', number>>;
  /** The earlier column that has the same text in every row. */
  equalTo?: number;
  /** The first column that is blank in the same rows; itself when there is no earlier one. */
  filledWith: number;
  /** Quantity × price, which are other columns, in every row. */
  isProduct: boolean;
  /** The sum of two other columns in every row. */
  isSum: boolean;
  /** The columns of that quantity and that price. */
  productOf?: readonly [quantity: number, price: number];
  /** The columns of counts that are at least as large in every row, as ordered pieces beside cancelled ones. */
  atMost: readonly number[];
  /** The orders of day and month that read every cell as a date, when the year comes last. */
  dateOrders: readonly DateOrder[];
}

interface TableProfile {
  /** Returns whether an order begins with the row. */
  addRow(cells: readonly string[]): boolean;
  columns(): ColumnProfile[];
}

/** Its size depends on the number of columns, not on rows or the length of cells. */
export function createTableProfile(width: number, idColumn?: number): TableProfile {
  const count = Math.min(width, maxColumns);
  const columns = Array.from({ length: count }, () => createColumnProfile(sampleSize(count)));
  const relations = createColumnRelations(count);
  let id = '';
  let isFirst = true;
  let orders = 0;
  const endOrder = () => {
    orders += 1;
    for (const column of columns) column.endOrder();
  };
  return {
    addRow: (cells) => {
      const text = idColumn === undefined ? '' : (cells[idColumn] ?? '');
      const continues = idColumn !== undefined && (text === '' || text === id);
      if (!isFirst && !continues) endOrder();
      isFirst = false;
      if (!continues) id = text;
      for (let index = 0; index < count; index += 1) {
        const cell = cells[index] ?? '';
        if (cell !== '') columns[index]?.add(cell);
      }
      relations.addRow(cells);
      return !continues;
    },
    columns: () => {
      if (!isFirst) endOrder();
      isFirst = true;
      return columns.map((column, index): ColumnProfile => {
        const profile = column.value();
        const equalTo = profile.filled === 0 ? undefined : relations.equalTo(index);
        const productOf = relations.productOf(index);
        return {
          ...profile,
          orders,
          atMost: profile.shares.count > 0 ? relations.atMost(index) : [],
          ...(equalTo === undefined ? {} : { equalTo }),
          filledWith: relations.filledWith(index),
          isProduct: productOf !== undefined,
          isSum: relations.isSum(index),
          ...(productOf === undefined ? {} : { productOf }),
        };
      });
    },
  };
}

export function profileRows(width: number, rows: readonly { cells: readonly string[] }[]): ColumnProfile[] {
  const profile = createTableProfile(width);
  for (const { cells } of rows) profile.addRow(cells);
  return profile.columns();
}

/** No shop exports more columns; further ones count as blank. */
const maxColumns = 500;
const maxValues = 200;
/** A cell may have as much as a megabyte. */
const maxValueLength = 200;
const maxSamples = 3;
const maxSampleLength = 60;
const maxRemembered = 1000;
const maxMisses = 5000;
const maxFormLength = 65_536;

function sampleSize(columns: number): number {
  return columns > 50 ? 500 : 4000;
}

/** What is remembered of a text, so that it is looked at once although it occurs often. */
interface KnownText {
  count: number;
  orders: number;
  /** Negative for a text without an amount. */
  amount: number;
  kinds: KindCount;
}

interface KindCount {
  kinds: readonly TextKind[];
  count: number;
}

function createColumnProfile(size: number) {
  const byKinds = new Map<string, KindCount>();
  const values = new Map<string, KnownText>();
  /** Further texts that may come again soon; not kept for a column in which hardly any does. */
  const recent = new Map<string, KnownText>();
  let misses = 0;
  let hits = 0;
  /** Cells of forms that are not among the values, when some cell holds lines. */
  const further = new Map<string, string>();
  let holdsLines = false;
  const samples: string[] = [];
  const distinct = createDistinctSample(size);
  let orders: DateOrder[] = [...dateOrders];
  let hasOtherDate = false;
  let areAllListed = true;
  let filled = 0;
  let isRowNumber = true;
  let isLineNumber = true;
  let inOrder = 0;
  let blankOrders = 0;
  let largest = 0;
  const sums = { rows: 0, orders: 0 };
  let hasAmount = false;
  let last: string | undefined;
  let lastKnown: KnownText | undefined;

  const addDate = (text: string) => {
    if (orders.length === 0) return;
    orders = orders.filter((order) => isDay(text, order));
    hasOtherDate ||= !isDay(text, 'ymd');
  };
  const addForm = (cell: string) => {
    if (further.size === maxValues) return;
    const form = formOf(cell);
    if (!further.has(form)) further.set(form, ownCopy(cell.slice(0, maxFormLength)));
  };
  const addNew = (cell: string, text: string): KnownText => {
    const kinds = kindsOf(cell);
    const key = kinds.join();
    const counted = byKinds.get(key) ?? { kinds, count: 0 };
    byKinds.set(key, counted);
    addDate(text);
    if (kinds.includes('money') || kinds.includes('count')) largest = Math.max(largest, numberOf(text));
    holdsLines ||= kinds.includes('packed') || kinds.includes('json');
    if (holdsLines && (values.size === maxValues || cell.length > maxValueLength)) addForm(cell);
    const isShort = text.length <= maxValueLength;
    const amount = kinds.includes('money') ? numberOf(text) : -1;
    const known: KnownText = { count: 0, orders: 0, amount, kinds: counted };
    if (!isShort) areAllListed = false;
    else if (values.size < maxValues) values.set(ownCopy(text), known);
    else {
      areAllListed = false;
      misses += 1;
      if (recent.size === maxRemembered) recent.clear();
      if (misses < maxMisses || hits > misses / 4) recent.set(text, known);
    }
    if (samples.length < maxSamples) {
      const sample = text.slice(0, maxSampleLength);
      if (!samples.includes(sample)) samples.push(ownCopy(sample));
    }
    return known;
  };
  const find = (text: string): KnownText | undefined => {
    const known = values.get(text);
    if (known !== undefined || recent.size === 0) return known;
    const found = recent.get(text);
    if (found !== undefined) hits += 1;
    return found;
  };
  return {
    add: (cell: string) => {
      filled += 1;
      inOrder += 1;
      const text = cell.length > maxValueLength ? cell.slice(0, maxValueLength + 1) : cell;
      isRowNumber &&= text === String(filled);
      isLineNumber &&= text === String(inOrder);
      const isLong = text.length > maxValueLength;
      let known = text === last && !isLong ? lastKnown : undefined;
      if (text !== last) distinct.add(text);
      known ??= (isLong ? undefined : find(text)) ?? addNew(cell, text);
      known.count += 1;
      if (inOrder === 1 || known !== lastKnown) known.orders += 1;
      known.kinds.count += 1;
      if (known.amount >= 0) {
        sums.rows += known.amount;
        if (!hasAmount) sums.orders += known.amount;
        hasAmount = true;
      }
      last = text;
      lastKnown = known;
    },
    endOrder: () => {
      if (inOrder === 0) blankOrders += 1;
      inOrder = 0;
      hasAmount = false;
    },
    value: (): Omit<
      ColumnProfile,
      'orders' | 'equalTo' | 'filledWith' | 'isProduct' | 'isSum' | 'productOf' | 'atMost'
    > => {
      const shares = Object.fromEntries(textKinds.map((kind) => [kind, 0])) as Record<TextKind, number>;
      for (const { kinds, count } of byKinds.values())
        for (const kind of kinds) shares[kind] += count / filled;
      for (const kind of textKinds) shares[kind] = Math.min(1, roundShare(shares[kind]));
      const listed = [...values].map(([text, { count, orders }]): ProfiledValue => ({ text, count, orders }));
      // A single digit is a quantity, unless all are 0 and 1.
      if (areAllListed && listed.length === 2 && listed.every(({ text }) => text === '0' || text === '1')) {
        shares.tick = 1;
      }
      return {
        filled,
        blankOrders,
        different: distinct.different,
        samples,
        counted: listed,
        ...(areAllListed ? { values: listed } : {}),
        examples: [...values.keys(), ...further.values()],
        shares,
        uniqueShare: distinct.uniqueShare,
        isRowNumber: isRowNumber && filled > 1,
        isLineNumber,
        largest,
        sums,
        dateOrders: hasOtherDate ? orders : [],
      };
    },
  };
}

/** `Black tea x 2` → `a x 0`: a text without its words and numbers. */
function formOf(cell: string): string {
  return cell
    .slice(0, maxFormLength)
    .replace(/\d+/g, '0')
    .replace(/(?<!0 ?)\p{L}+(?: \p{L}+)*/gu, 'a');
}

/** The sum of many shares is 1 but for the last digits. */
function roundShare(share: number): number {
  return share > 1 - 1e-9 ? 1 : share;
}

/**
 * How many different texts there are and how many come again, over any number of texts: exact up to `size`, beyond
 * that from the texts whose hash falls into a range that is halved whenever more than `size` of them are known.
 */
function createDistinctSample(size: number) {
  /** Hash → how often it came again. */
  const known = new Map<number, number>();
  let repeats = 0;
  /** All bits of a hash under the mask are zero. */
  let mask = 0;
  const halve = () => {
    mask = mask * 2 + 1;
    for (const [hash, count] of known) {
      if ((hash & mask) === 0) continue;
      known.delete(hash);
      repeats -= count;
    }
  };
  return {
    add: (text: string): void => {
      const hash = hashOf(text);
      if ((hash & mask) !== 0) return;
      const count = known.get(hash);
      if (count !== undefined) repeats += 1;
      known.set(hash, count === undefined ? 0 : count + 1);
      while (known.size > size) halve();
    },
    get different(): number {
      return known.size * (mask + 1);
    },
    /** From 0 to 1: 1 when no text came twice. */
    get uniqueShare(): number {
      return known.size === 0 ? 0 : Math.max(0, 1 - repeats / known.size);
    },
  };
}

/** FNV-1a, then mixed, because its low bits alone are uneven. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
