import { isDecimal } from '../../orders/decimal.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import { moneyFields } from '../../orders/order.ts';
import { type Column, fieldText } from '../map/column.ts';
import type { Problem, ProblemCode } from '../problem.ts';
import { columnLetters, type Row } from '../table/table.ts';
import { createCellReader, readDate, readMoney, type Spelling } from './cell-reader.ts';

const idPaths = ['externalOrderId', 'customer.externalCustomerId', 'items[].sku'];

/** What all cells of a column have in common, found while its rows go by. */
export interface ColumnFacts {
  see(cells: readonly string[]): void;
  /** The flag that reads every cell of a column of money or dates, in words; undefined when none does. */
  adviceFor(path: string): string | undefined;
  /** The first cell of each column that is sent in another spelling, and how many there are. */
  respelled(): Respelled[];
  /** Columns of ids most of which a spreadsheet has rounded. */
  problems(header: Row): Problem[];
}

export interface Respelled {
  from: string;
  to: string;
  count: number;
}

type Watch = (text: string) => void;

export function createColumnFacts(columns: readonly Column[], spelling: Spelling): ColumnFacts {
  const watched: [Column, Watch][] = [];
  const advice = new Map<string, () => string | undefined>();
  const rounded: (() => Column | undefined)[] = [];
  const respelled: (() => Respelled | undefined)[] = [];
  for (const column of columns) {
    if (column.type !== 'text') continue;
    const path = formatFieldPath(column.path);
    const watch = (see: Watch) => watched.push([column, see]);
    if (moneyFields.some((field) => field === path)) {
      const styles = watchStyles(watch, (text) => /^\d+$/.test(text), {
        '--decimal dot': (text) => isDecimal(text) || readMoney(text, 'dot') !== undefined,
        '--decimal comma': (text) => readMoney(text, 'comma') !== undefined,
      });
      advice.set(path, styles);
    }
    if (path === 'requestedDeliveryDate') {
      const orders = watchStyles(watch, (text) => readDate(text, 'ymd') !== undefined, {
        '--date-order dmy': (text) => readDate(text, 'dmy') !== undefined,
        '--date-order mdy': (text) => readDate(text, 'mdy') !== undefined,
      });
      advice.set(path, orders);
    }
    if (advice.has(path)) respelled.push(watchSpelling(watch, createCellReader(column, spelling)));
    if (idPaths.includes(path)) {
      const isRounded = watchRounding(watch);
      rounded.push(() => (isRounded() ? column : undefined));
    }
  }
  return {
    see: (cells) => {
      for (const [column, see] of watched) {
        const text = fieldText(column, cells);
        if (text !== '') see(text);
      }
    },
    adviceFor: (path) => advice.get(path)?.(),
    respelled: () => respelled.flatMap((found) => found() ?? []),
    problems: (header) =>
      rounded.flatMap((found) => found() ?? []).map((column) => idsRounded(header, column)),
  };
}

/** Which of the flags would read every cell; a plain cell is read by all. */
function watchStyles(
  watch: (see: Watch) => void,
  isPlain: (text: string) => boolean,
  styles: Record<string, (text: string) => boolean>,
): () => string | undefined {
  let left = Object.entries(styles);
  watch((text) => {
    if (left.length > 0 && !isPlain(text)) left = left.filter(([, reads]) => reads(text));
  });
  return () => (left.length === 0 ? undefined : left.map(([flag]) => flag).join(' or '));
}

function watchSpelling(watch: (see: Watch) => void, read: (text: string) => string) {
  let first: Omit<Respelled, 'count'> | undefined;
  let count = 0;
  watch((text) => {
    const sent = read(text);
    if (sent === text) return;
    first ??= { from: text, to: sent };
    count += 1;
  });
  return () => first && { ...first, count };
}

const fewestRounded = 3;

/** Whether most of the long numbers of a column end as numbers do when a spreadsheet keeps six or fifteen digits. */
function watchRounding(watch: (see: Watch) => void): () => boolean {
  let long = 0;
  let rounded = 0;
  watch((text) => {
    if (text.length < 12 || /\D/.test(text)) return;
    long += 1;
    const lost = text.length > 15 ? '0'.repeat(text.length - 15) : '00000';
    if (text.endsWith('00000') || text.endsWith(lost)) rounded += 1;
  });
  return () => rounded >= fewestRounded && rounded * 2 > long;
}

function idsRounded({ row, line }: Row, { index, header, path }: Column): Problem {
  return {
    ...{ about: 'header', severity: 'error', code: 'ids_rounded', row, line },
    ...{ column: columnLetters(index), header, path: formatFieldPath(path) },
    problem:
      'most of its numbers end in zeros: a spreadsheet has rounded them, and different ids may have become one',
    fix: 'take the column from the original export, or import it into the spreadsheet as text',
  };
}

const ofSpelling: ReadonlySet<ProblemCode> = new Set(['decimal_invalid', 'date_invalid']);

/** A problem of spelling with the flag that mends it, when that flag reads every cell of the column. */
export function adviseProblem(problem: Problem, facts: ColumnFacts): Problem {
  // A value that no cell has, such as one of --set, is spelled by whoever gave it.
  if (!ofSpelling.has(problem.code) || problem.path === undefined || problem.column === undefined)
    return problem;
  const flag = facts.adviceFor(problem.path);
  if (flag === undefined) return problem;
  const isSure = !flag.includes(' or ');
  return {
    ...problem,
    fix: isSure ? `add ${flag}: it reads every cell of the column` : `add ${flag}, whichever they mean`,
  };
}
