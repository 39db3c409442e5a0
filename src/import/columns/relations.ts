import { readMoney } from '../words/money.ts';

/** What the columns of a table have in common in every row. Memory depends on the number of columns only. */
export function createColumnRelations(width: number) {
  const equal = createEqualColumns(width);
  const filled = createEqualColumns(width, (text) => text !== '');
  const equations = createEquations(width);
  const limits = createLimits(width);
  return {
    addRow: (cells: readonly string[]): void => {
      equal.addRow(cells);
      filled.addRow(cells);
      equations.addRow(cells);
      limits.addRow(cells);
    },
    /** The first of the columns with the same text in every row. */
    equalTo: equal.find,
    /** The first of the columns that are blank in the same rows, which may be the column itself. */
    filledWith: (index: number): number => filled.find(index) ?? index,
    /** The columns of the quantity and the price whose product a column is. */
    productOf: equations.productOf,
    /** Whether a column is the sum of two others. */
    isSum: equations.isSum,
    /** The columns of counts that are at least as large in every row. */
    atMost: limits.find,
  };
}

/** Groups of columns that are equal so far, by their texts or a key of these. The first row that differs splits a group. */
function createEqualColumns(width: number, keyOf: (text: string) => unknown = (text) => text) {
  let groups: number[][] = width > 1 ? [Array.from({ length: width }, (_, index) => index)] : [];
  const splitOf = (group: readonly number[], cells: readonly string[]): number[][] => {
    const byKey = new Map<unknown, number[]>();
    for (const index of group) {
      const key = keyOf(cells[index] ?? '');
      const same = byKey.get(key);
      if (same === undefined) byKey.set(key, [index]);
      else same.push(index);
    }
    return [...byKey.values()].filter(({ length }) => length > 1);
  };
  return {
    addRow: (cells: readonly string[]): void => {
      const isWhole = (group: readonly number[]) => {
        const key = keyOf(cells[group[0] ?? 0] ?? '');
        return group.every((index) => keyOf(cells[index] ?? '') === key);
      };
      if (groups.every(isWhole)) return;
      groups = groups.flatMap((group) => (isWhole(group) ? [group] : splitOf(group, cells)));
    },
    find: (index: number): number | undefined => {
      const first = groups.find((group) => group.includes(index))?.[0];
      return first === index ? undefined : first;
    },
  };
}

type Operation = 'product' | 'sum';

interface Equation {
  operation: Operation;
  result: number;
  left: number;
  right: number;
  /** Whether a row was seen that no other equation explains: with a quantity above 1, or with two parts of a sum. */
  isShown: boolean;
}

/** Rows from which the columns of numbers are chosen. */
const rowsOfChoice = 20;
const maxNumberColumns = 30;

/** Columns that are quantity × price, or the sum of two others, in every row. */
export function createEquations(width: number, operations: readonly Operation[] = ['product', 'sum']) {
  let first: number[][] | undefined = [];
  let all: Equation[] = [];
  const choose = () => {
    const rows = first ?? [];
    first = undefined;
    const isNumbers = (index: number) =>
      rows.some((row) => (row[index] ?? blank) > 0) && rows.every((row) => row[index] !== other);
    const indexes = Array.from({ length: width }, (_, index) => index)
      .filter(isNumbers)
      .slice(0, maxNumberColumns);
    const isCount = (index: number) =>
      rows.every((row) => {
        const number = row[index] ?? blank;
        return number === blank || (Number.isInteger(number) && number < 1000);
      });
    for (const left of indexes) {
      const isQuantity = isCount(left);
      for (const right of indexes) {
        const possible = operations.filter((each) => (each === 'sum' ? left < right : isQuantity));
        for (const result of indexes) {
          if (left === right || result === left || result === right) continue;
          for (const operation of possible) {
            const found = { operation, result, left, right, isShown: false };
            if (rows.every((row) => holds(found, row))) all.push(found);
          }
        }
      }
    }
  };
  const find = (index: number, wanted: Operation) => {
    if (first !== undefined) choose();
    return all.find(({ operation, result, isShown }) => operation === wanted && result === index && isShown);
  };
  return {
    addRow: (cells: readonly string[]): void => {
      if (first !== undefined) {
        first.push(Array.from({ length: width }, (_, index) => numberOf(cells[index] ?? '')));
        if (first.length === rowsOfChoice) choose();
      } else if (all.length > 0) {
        const numbers: number[] = [];
        for (const { result, left, right } of all) {
          for (const index of [result, left, right]) numbers[index] ??= numberOf(cells[index] ?? '');
        }
        all = all.filter((equation) => holds(equation, numbers));
      }
    },
    productOf: (index: number): readonly [quantity: number, price: number] | undefined => {
      const found = find(index, 'product');
      return found === undefined ? undefined : [found.left, found.right];
    },
    isSum: (index: number): boolean => find(index, 'sum') !== undefined,
  };
}

const maxCountColumns = 40;
const maxCount = 1000;

/** Pieces that were cancelled are never more than those that were ordered. */
function createLimits(width: number) {
  let first: (readonly string[])[] | undefined = [];
  let pairs: { smaller: number; larger: number }[] = [];
  const countAt = (cells: readonly string[], index: number): number => {
    const text = cells[index] ?? '';
    return text === '' ? 0 : /^\d{1,3}(?:[.,]0{1,2})?$/.test(text) ? Number.parseInt(text, 10) : maxCount;
  };
  const choose = () => {
    const rows = first ?? [];
    first = undefined;
    const indexes = Array.from({ length: width }, (_, index) => index)
      .filter((index) => rows.every((cells) => countAt(cells, index) < maxCount))
      .slice(0, maxCountColumns);
    const limits = indexes.filter((index) => rows.some((cells) => countAt(cells, index) > 0));
    pairs = limits
      .flatMap((larger) => indexes.map((smaller) => ({ smaller, larger })))
      .filter(({ smaller, larger }) => smaller !== larger && rows.every(isHeld(smaller, larger)));
  };
  const isHeld = (smaller: number, larger: number) => (cells: readonly string[]) => {
    const limit = countAt(cells, larger);
    return limit < maxCount && countAt(cells, smaller) <= limit;
  };
  return {
    addRow: (cells: readonly string[]): void => {
      if (first === undefined) {
        if (pairs.length === 0) return;
        const isBroken = ({ smaller, larger }: (typeof pairs)[number]) => !isHeld(smaller, larger)(cells);
        if (pairs.some(isBroken)) pairs = pairs.filter((pair) => !isBroken(pair));
        return;
      }
      first.push(cells);
      if (first.length === rowsOfChoice) choose();
    },
    find: (index: number): number[] => {
      if (first !== undefined) choose();
      return pairs.filter(({ smaller }) => smaller === index).map(({ larger }) => larger);
    },
  };
}

function holds(equation: Equation, numbers: readonly number[]): boolean {
  const [result = blank, left = blank, right = blank] = [equation.result, equation.left, equation.right].map(
    (index) => numbers[index],
  );
  if (equation.operation === 'sum') {
    if (result === blank) return left <= 0 && right <= 0;
    if (left > 0 && right > 0) equation.isShown = true;
    return Math.abs(result - Math.max(left, 0) - Math.max(right, 0)) <= 0.005;
  }
  if (result === blank && right === blank) return true;
  if (result < 0 || left < 0 || right < 0) return false;
  if (Math.abs(result - left * right) > 0.005 * Math.max(1, left)) return false;
  if (left > 1 && right > 1) equation.isShown = true;
  return true;
}

const blank = -1;
const other = -2;

/** Negative for a text without a number. */
export function numberOf(text: string): number {
  if (text === '') return blank;
  if (text.length > 20) return other;
  return Number(/^\d+$/.test(text) ? text : (readMoney(text) ?? other));
}
