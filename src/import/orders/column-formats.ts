import { formatFieldPath } from '../../orders/field-path.ts';
import { kindOfPhone } from '../../orders/phone.ts';
import { dateOrders } from '../choices.ts';
import { dateOrderMissing, plusMissing, severalPhones, yearMissing } from '../file-texts.ts';
import {
  type CellFormat,
  type Column,
  createCellReader,
  fieldText,
  kindOfCells,
  locationOf,
} from '../mapping/column.ts';
import type { Problem } from '../problem.ts';
import type { Row } from '../read/read-table.ts';
import { isDay, partsOfDay } from '../words/dates.ts';
import { createDecimalsCheck } from '../words/money.ts';
import type { Check } from './plan.ts';

/** How the amounts, dates and phone numbers of the columns are written. */
export interface ColumnFormats extends Check {
  /** For each column whose cells are sent in another format: the first of them and their number. */
  reformatted(): Reformatted[];
  /** The problem with a better fix, when the other cells of its column or a mapping can say more. */
  withFlag(problem: Problem): Problem;
}

export interface Reformatted {
  from: string;
  to: string;
  count: number;
}

/** Sets of flags that can each read every cell of a column. */
type Cures = NonNullable<Problem['cures']>;

type Observe = (observer: (text: string) => void) => void;

interface CellWatch {
  column: Column;
  add(text: string): void;
}

/** The cells with text of orders that are not left out. */
export function watchCells(watched: readonly CellWatch[]): NonNullable<Check['rows']> {
  return (_, rows, use) => {
    if (use === 'left_out') return;
    for (const { cells } of rows) {
      for (const { column, add } of watched) {
        const text = fieldText(column, cells);
        if (text !== '') add(text);
      }
    }
  };
}

export function createColumnFormats(columns: readonly Column[], cellFormat: CellFormat): ColumnFormats {
  const observers: CellWatch[] = [];
  const cures = new Map<string, () => Cures>();
  const lackPlus = new Map<string, () => boolean>();
  const reformatted: (() => Reformatted | undefined)[] = [];
  for (const column of columns) {
    const path = formatFieldPath(column.path);
    const kind = kindOfCells(column);
    const observe: Observe = (add) => observers.push({ column, add });
    if (path === 'customer.phone') lackPlus.set(path, findMissingPlus(observe));
    if (kind === 'date') cures.set(path, findDateCures(observe));
    if (kind !== undefined) reformatted.push(findReformatted(observe, createCellReader(column, cellFormat)));
  }
  return {
    rows: watchCells(observers),
    reformatted: () => reformatted.flatMap((found) => found() ?? []),
    withFlag: (problem) => {
      const { code, path, column, value = '' } = problem;
      // Without a column the value comes from --set, not from a cell.
      if (path === undefined || column === undefined) return problem;
      switch (code) {
        case 'date_invalid': {
          if (isFarDay(value, cellFormat)) return { ...problem, ...yearMissing };
          const orders = cures.get(path)?.() ?? [];
          return orders.length === 0 ? problem : { ...problem, ...dateOrderMissing(orders) };
        }
        case 'phone_invalid':
          if (lackPlus.get(path)?.()) return { ...problem, ...plusMissing(problem.fix) };
          return kindOfPhone(value) === 'several' ? { ...problem, ...severalPhones(problem.fix) } : problem;
        default:
          return problem;
      }
    },
  };
}

/** Whether no cell of a column is a phone as it is, and each is one of another country with a + before it. */
function findMissingPlus(observe: Observe): () => boolean {
  let areAll = true;
  observe((text) => {
    areAll &&=
      /^\d/.test(text) && kindOfPhone(text) === 'impossible' && kindOfPhone(`+${text}`) === 'possible';
  });
  return () => areAll;
}

/** The orders of day and month that read every cell of a column that has no other reading. */
function findDateCures(observe: Observe): () => Cures {
  let orders = dateOrders.filter((order) => order !== 'ymd');
  observe((text) => {
    if (orders.length > 0 && !isDay(text, 'ymd')) orders = orders.filter((order) => isDay(text, order));
  });
  return () => orders.map((order) => ['--date-order', order]);
}

function findReformatted(observe: Observe, read: (text: string) => string) {
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

/** A day without a year of which the nearest is not near. */
function isFarDay(text: string, { dateOrder = 'ymd' }: CellFormat): boolean {
  return isDay(text, dateOrder) && partsOfDay(text, dateOrder)?.year === undefined;
}

/** Amounts of a column that can be read in two ways. */
export function createUnclearAmounts(columns: readonly Column[], { decimal }: CellFormat): Check | undefined {
  if (decimal !== undefined || columns.length === 0) return undefined;
  const decimals = createDecimalsCheck<number, Row>();
  return {
    rows: (_, rows, use) => {
      for (const row of rows) {
        for (const column of columns)
          decimals.add(column.index, fieldText(column, row.cells), use === 'sent' ? row : undefined);
      }
    },
    end: () =>
      decimals.unclear().map(({ column: index, place: row, ...found }) => ({
        about: 'file',
        severity: 'error',
        code: 'decimal_ambiguous',
        cause: `${index}`,
        ...found,
        ...locationOf(
          row,
          columns.find((column) => column.index === index),
        ),
      })),
  };
}
