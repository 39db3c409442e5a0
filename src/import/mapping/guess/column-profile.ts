import { isPhoneLike, kindOfPhone } from '../../../orders/phone.ts';
import { type DateOrder, type DecimalMark, dateOrders, decimalMarks } from '../../choices.ts';
import { readDate } from '../../words/dates.ts';
import { createContradictionFinder, readMoney } from '../../words/money.ts';
import { withoutUnit } from '../../words/quantity.ts';
import { type CountedValue, ownCopy } from '../meanings.ts';

export interface ColumnProfile {
  /** Cells with text. */
  filled: number;
  /** Orders in which no row has text in this column. */
  blankOrders: number;
  /** Exact up to 500, of texts that differ in their first 50 characters. */
  different: number;
  /** The first three different texts, cut to 60 characters. */
  samples: readonly string[];
  /** All values, in file order, unless there are more than 50 or one is longer than 200 characters. */
  values?: readonly CountedValue[];
  /** How many of the first thousand cells are of each kind, as a share from 0 to 1. */
  shares: Readonly<Record<TextKind, number>>;
  /** The share of values that do not come again after a row with another one: 1 for the ID of an order. */
  uniqueShare: number;
  /** The numbers 1, 2, 3 and so on. */
  isRowNumber: boolean;
  /** The marks that read every cell as an amount, when some cell is ambiguous without one. */
  decimalMarks: readonly DecimalMark[];
  /** The orders of day and month that read every cell as a date, when the year comes last. */
  dateOrders: readonly DateOrder[];
}

interface TableProfile {
  addRow(cells: readonly string[]): void;
  columns(): ColumnProfile[];
}

/** Its size depends on the number of columns, not on rows or the length of cells. */
export function createTableProfile(width: number, idColumn?: number): TableProfile {
  const columns = Array.from({ length: Math.min(width, maxColumns) }, createColumnProfile);
  let id = '';
  let isFirst = true;
  const endOrder = () => {
    for (const column of columns) column.endOrder();
  };
  return {
    addRow: (cells) => {
      const text = idColumn === undefined ? '' : (cells[idColumn] ?? '');
      const continues = idColumn !== undefined && (text === '' || text === id);
      if (!isFirst && !continues) endOrder();
      isFirst = false;
      if (!continues) id = text;
      for (const [index, column] of columns.entries()) {
        const cell = cells[index] ?? '';
        if (cell !== '') column.add(cell);
      }
    },
    columns: () => {
      if (!isFirst) endOrder();
      isFirst = true;
      return columns.map((column) => column.value());
    },
  };
}

export function profileRows(width: number, rows: readonly { cells: readonly string[] }[]): ColumnProfile[] {
  const profile = createTableProfile(width);
  for (const { cells } of rows) profile.addRow(cells);
  return profile.columns();
}

export const maxClassified = 1000;
const maxRemembered = 500;
const maxRememberedLength = 50;
/** No shop exports more columns; further ones count as blank. */
const maxColumns = 500;
const maxValues = 50;
/** A cell may have as much as a megabyte. */
const maxValueLength = 200;
const maxSamples = 3;
const maxSampleLength = 60;

function createColumnProfile() {
  const counts = Object.fromEntries(textKinds.map((kind) => [kind, 0])) as Record<TextKind, number>;
  const values = new Map<string, CountedValue>();
  const remembered = new Set<string>();
  const samples: string[] = [];
  const contradiction = createContradictionFinder();
  let marks: DecimalMark[] = [...decimalMarks];
  let orders: DateOrder[] = [...dateOrders];
  let hasOtherMoney = false;
  let hasOtherDate = false;
  let areAllListed = true;
  let filled = 0;
  let classified = 0;
  let repeats = 0;
  let isRowNumber = true;
  let isInOrder = false;
  let blankOrders = 0;
  let last: string | undefined;

  const addRun = (text: string) => {
    const start = text.slice(0, maxRememberedLength);
    if (remembered.has(start)) repeats += 1;
    else if (remembered.size < maxRemembered) {
      remembered.add(ownCopy(start));
      if (samples.length < maxSamples) samples.push(ownCopy(text.slice(0, maxSampleLength)));
    }
  };
  const addStyles = (text: string) => {
    if (marks.length > 0 && !/^\d+$/.test(text)) {
      marks = marks.filter((mark) => readMoney(text, mark) !== undefined);
      contradiction.add(text);
      hasOtherMoney ||= readMoney(text) === undefined;
    }
    if (orders.length > 0) {
      orders = orders.filter((order) => readDate(text, order) !== undefined);
      hasOtherDate ||= readDate(text, 'ymd') === undefined;
    }
  };
  return {
    add: (cell: string) => {
      const text = cell.slice(0, maxValueLength + 1);
      filled += 1;
      isInOrder = true;
      isRowNumber &&= text === String(filled);
      if (text !== last) addRun(text);
      last = text;
      const known = values.get(text);
      if (known !== undefined) known.count += 1;
      else if (values.size < maxValues && text.length <= maxValueLength) {
        const own = ownCopy(text);
        values.set(own, { text: own, count: 1 });
      } else areAllListed = false;
      addStyles(text);
      if (classified === maxClassified) return;
      classified += 1;
      for (const kind of kindsOf(text)) counts[kind] += 1;
    },
    endOrder: () => {
      if (!isInOrder) blankOrders += 1;
      isInOrder = false;
    },
    value: (): ColumnProfile => {
      const share = (kind: TextKind) => (classified === 0 ? 0 : counts[kind] / classified);
      return {
        filled,
        blankOrders,
        different: remembered.size,
        samples,
        ...(areAllListed ? { values: [...values.values()] } : {}),
        shares: Object.fromEntries(textKinds.map((kind) => [kind, share(kind)])) as Record<TextKind, number>,
        uniqueShare: remembered.size === 0 ? 0 : Math.max(0, 1 - repeats / remembered.size),
        isRowNumber: isRowNumber && filled > 1,
        decimalMarks: hasOtherMoney && !contradiction.isFound() ? marks : [],
        dateOrders: hasOtherDate ? orders : [],
      };
    },
  };
}

/** What the text of a cell can be. One text can be several of these. */
const textKinds = [
  'phone',
  /** Certainly a phone: of Mongolia, or with a country code. */
  'certain_phone',
  'id',
  'sku',
  'count',
  'money',
  'date',
  'email',
  'name',
  'words',
] as const;
export type TextKind = (typeof textKinds)[number];

const maxLength = 200;
const emailText = /^[^\s@]{1,64}@[^\s@]{1,190}$/;
const countText = /^(?:[1-9]\d{0,2}|0)(?:[.,]0{1,2})?$/;
const dateText = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:\D|$)/;
const moneyText = /^[^\d-]{0,5}\d[\d.,'’ \u00a0\u202f]{0,20}[^\d]{0,5}$/;
/** `A12`, `Z-7` */
const codeText = /^\p{L}{1,4}-?\d+$/u;
const decimalText = /^\d[\d ,]*[.,]\d{1,2}$/;
const nameText = /^[\p{L}\p{M}][\p{L}\p{M}.'’-]*(?: [\p{L}\p{M}.'’-]+){0,4}$/u;

export function kindsOf(text: string): TextKind[] {
  const kinds: TextKind[] = [];
  if (/\p{L}/u.test(text)) kinds.push('words');
  if (text.length > maxLength) return kinds;
  const isDate = dateText.test(text);
  if (emailText.test(text)) return [...kinds, 'email'];
  if (isDate) return [...kinds, 'date'];
  const isCode = codeText.test(text) && readMoney(text) === undefined;
  if (!isCode && moneyText.test(text)) kinds.push('money');
  if (countText.test(withoutUnit(text))) kinds.push('count');
  if (nameText.test(text)) kinds.push('name');
  const isAmount = decimalText.test(text);
  if (!isAmount && isPhone(text)) {
    kinds.push('phone');
    const kind = kindOfPhone(text);
    const isMarked = /^(?:\+|00)/.test(text) || /\d[ ()-]+\d/.test(text);
    if (kind === 'mongolian' || (kind === 'possible' && isMarked)) kinds.push('certain_phone');
  }
  if (!isAmount && /\d/.test(text) && text.length <= 60 && text.split(' ').length <= 3) kinds.push('id');
  if (!isAmount && isSku(text)) kinds.push('sku');
  return kinds;
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return isPhoneLike(text) && digits >= 8 && digits <= 15 && text.length <= 24;
}

function isSku(text: string): boolean {
  return text.length <= 40 && !/\s{2}|[!?]/.test(text) && text.split(' ').length <= 2;
}
