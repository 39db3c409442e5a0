import { isCalendarDate } from '../../orders/calendar-date.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import { isDecimal } from '../../orders/money.ts';
import { moneyFields } from '../../orders/order.ts';
import { type Column, fieldText } from '../map/column.ts';
import type { Problem, ProblemCode } from '../problem.ts';
import { columnLetters, type Row } from '../table/read-table.ts';

const idPaths = ['externalOrderId', 'customer.externalCustomerId', 'items[].sku'];

/** What the cells of each column have in common, collected row by row. */
export interface ColumnFacts {
  addRow(cells: readonly string[]): void;
  /** The flags, joined by " or ", that can read every cell of a column of money or dates; undefined when none can. */
  flagFor(path: string): string | undefined;
  /** For each column with cells that are sent in another format: the first of them and their number. */
  reformatted(): Reformatted[];
  problems(header: Row): Problem[];
}

interface Reformatted {
  from: string;
  to: string;
  count: number;
}

type Observer = (text: string) => void;

export function createColumnFacts(columns: readonly Column[], spelling: Spelling): ColumnFacts {
  const observers: [Column, Observer][] = [];
  const flags = new Map<string, () => string | undefined>();
  const rounded: (() => Column | undefined)[] = [];
  const reformatted: (() => Reformatted | undefined)[] = [];
  for (const column of columns) {
    if (column.type !== 'text') continue;
    const path = formatFieldPath(column.path);
    const observe = (observer: Observer) => observers.push([column, observer]);
    if (moneyFields.some((field) => field === path)) {
      const styles = findStyles(observe, (text) => /^\d+$/.test(text), {
        '--decimal dot': (text) => isDecimal(text) || readMoney(text, 'dot') !== undefined,
        '--decimal comma': (text) => readMoney(text, 'comma') !== undefined,
      });
      flags.set(path, styles);
    }
    if (path === 'requestedDeliveryDate') {
      const orders = findStyles(observe, (text) => readDate(text, 'ymd') !== undefined, {
        '--date-order dmy': (text) => readDate(text, 'dmy') !== undefined,
        '--date-order mdy': (text) => readDate(text, 'mdy') !== undefined,
      });
      flags.set(path, orders);
    }
    if (flags.has(path)) reformatted.push(findReformatted(observe, createCellReader(column, spelling)));
    if (idPaths.includes(path)) {
      const isRounded = findRounding(observe);
      rounded.push(() => (isRounded() ? column : undefined));
    }
  }
  return {
    addRow: (cells) => {
      for (const [column, observer] of observers) {
        const text = fieldText(column, cells);
        if (text !== '') observer(text);
      }
    },
    flagFor: (path) => flags.get(path)?.(),
    reformatted: () => reformatted.flatMap((found) => found() ?? []),
    problems: (header) =>
      rounded.flatMap((found) => found() ?? []).map((column) => idsRounded(header, column)),
  };
}

function findStyles(
  observe: (observer: Observer) => void,
  isPlain: (text: string) => boolean,
  styles: Record<string, (text: string) => boolean>,
): () => string | undefined {
  let left = Object.entries(styles);
  observe((text) => {
    if (left.length > 0 && !isPlain(text)) left = left.filter(([, reads]) => reads(text));
  });
  return () => (left.length === 0 ? undefined : left.map(([flag]) => flag).join(' or '));
}

function findReformatted(observe: (observer: Observer) => void, read: (text: string) => string) {
  let first: Omit<Reformatted, 'count'> | undefined;
  let count = 0;
  observe((text) => {
    const sent = read(text);
    if (sent === text) return;
    first ??= { from: text, to: sent };
    count += 1;
  });
  return () => first && { ...first, count };
}

const minRounded = 3;

/** Whether most long numbers of a column end in the zeros of a spreadsheet that keeps six or fifteen digits. */
function findRounding(observe: (observer: Observer) => void): () => boolean {
  let long = 0;
  let rounded = 0;
  observe((text) => {
    if (text.length < 12 || /\D/.test(text)) return;
    long += 1;
    const lost = text.length > 15 ? '0'.repeat(text.length - 15) : '00000';
    if (text.endsWith('00000') || text.endsWith(lost)) rounded += 1;
  });
  return () => rounded >= minRounded && rounded * 2 > long;
}

function idsRounded({ row, line }: Row, { index, header, path }: Column): Problem {
  return {
    about: 'header',
    severity: 'error',
    code: 'ids_rounded',
    row,
    line,
    column: columnLetters(index),
    header,
    path: formatFieldPath(path),
    problem:
      'most of its numbers end in zeros: a spreadsheet has rounded them, and different IDs may have become the same',
    fix: 'take the column from the original export, or import it into the spreadsheet as text',
  };
}

const formatCodes: ReadonlySet<ProblemCode> = new Set(['decimal_invalid', 'date_invalid']);

/** The problem, with the flag to add as its fix when that flag can read every cell of the column. */
export function suggestFlag(problem: Problem, facts: ColumnFacts): Problem {
  // Without a column the value comes from --set, not from a cell.
  if (!formatCodes.has(problem.code) || problem.path === undefined || problem.column === undefined)
    return problem;
  const flag = facts.flagFor(problem.path);
  if (flag === undefined) return problem;
  const isOnlyOne = !flag.includes(' or ');
  return {
    ...problem,
    fix: isOnlyOne ? `add ${flag}, which reads every cell of the column` : `add ${flag}, whichever is meant`,
  };
}

export interface Spelling {
  decimal?: DecimalMark | undefined;
  dateOrder?: DateOrder | undefined;
}

/** Writes amounts and dates in the service's format when they can be read in only one way; other text stays unchanged. */
export function createCellReader(column: Column, { decimal, dateOrder = 'ymd' }: Spelling) {
  const path = formatFieldPath(column.path);
  if (column.type !== 'text') return (text: string) => text;
  if (path === 'requestedDeliveryDate') return (text: string) => readDate(text, dateOrder) ?? text;
  if (decimal !== undefined && moneyFields.some((field) => field === path)) {
    return (text: string) => readMoney(text, decimal) ?? text;
  }
  return (text: string) => text;
}

export const dateOrders = ['ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/;

/** Returns `YYYY-MM-DD`, or undefined when there is no such day; `order` matters only when the year comes last. */
export function readDate(text: string, order: DateOrder): string | undefined {
  if (isCalendarDate(text)) return text;
  const [, year, , month, day] = yearFirst.exec(text) ?? [];
  if (year !== undefined) return calendarDate(year, month, day);
  const [, first, , second, last] = yearLast.exec(text) ?? [];
  if (last === undefined || order === 'ymd') return undefined;
  return order === 'dmy' ? calendarDate(last, second, first) : calendarDate(last, first, second);
}

function calendarDate(year: string, month = '', day = ''): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}

export const decimalMarks = ['dot', 'comma'] as const;
export type DecimalMark = (typeof decimalMarks)[number];

const currency = /^(?:₮|MNT|төг(?:рөг)?\.?)\s*|\s*(?:₮|MNT|төг(?:рөг)?\.?)$/giu;
const shapes: Record<DecimalMark, RegExp> = {
  dot: /^(\d+|\d{1,3}(?:([,'’ \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:\.(\d{1,2}))?$/,
  comma: /^(\d+|\d{1,3}(?:([.'’ \u00a0\u202f])\d{3})(?:\2\d{3})*)(?:,(\d{1,2}))?$/,
};

/** Returns a decimal string, or undefined when the text is not written in this style. No digit is guessed. */
export function readMoney(text: string, mark: DecimalMark): string | undefined {
  const [, whole, , fraction] = shapes[mark].exec(text.replace(currency, '')) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replace(/\D/g, '');
  const amount = fraction === undefined ? digits : `${digits}.${fraction.padEnd(2, '0')}`;
  return isDecimal(amount) ? amount : undefined;
}
