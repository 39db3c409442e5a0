import { advice } from '../../../advice/advice.ts';
import type { Assignment } from '../../../orders/assignment.ts';
import { formatFieldPath } from '../../../orders/field-path.ts';
import { kindOfPhone } from '../../../orders/phone.ts';
import type { PlanFlags } from '../../choices.ts';
import {
  type CellFormat,
  type Column,
  createCellReader,
  fieldText,
  isPathAssumed,
  kindOfCells,
} from '../../mapping/column.ts';
import { headerProblem } from '../../mapping/header.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { createCounts } from '../../mapping/meanings.ts';
import type { Problem } from '../../problem.ts';
import { columnLetters, type Row } from '../../read/read-table.ts';
import { readDate } from '../../words/dates.ts';
import {
  createContradictionFinder,
  describeReadings,
  namesOtherCurrency,
  readings,
  readMoney,
} from '../../words/money.ts';
import { isQuantityPath } from './unread-columns.ts';

const idPaths = ['externalOrderId', 'customer.externalCustomerId', 'items[].sku'];

export interface ColumnFacts {
  addRow(cells: readonly string[]): void;
  /** For money and dates: the flags that can each read every cell of the column. */
  curesFor(path: string): Cures;
  /** For each column whose cells are sent in another format: the first of them and their number. */
  reformatted(): Reformatted[];
  problems(header: Row): Problem[];
}

type Cures = NonNullable<Problem['cures']>;

interface Reformatted {
  from: string;
  to: string;
  count: number;
}

type Observe = (observer: (text: string) => void) => void;

export function createColumnFacts(
  columns: readonly Column[],
  { checks, ...cellFormat }: CellFormat & Pick<PlanFlags, 'checks'>,
): ColumnFacts {
  const observers: [Column, (text: string) => void][] = [];
  const cures = new Map<string, () => Cures>();
  const reformatted: (() => Reformatted | undefined)[] = [];
  const rounded: [Column, Rounding, isFound: () => boolean][] = [];
  for (const column of columns) {
    const path = formatFieldPath(column.path);
    const kind = kindOfCells(column);
    const observe: Observe = (observer) => observers.push([column, observer]);
    if (kind === 'money') cures.set(path, findMoneyCures(observe));
    if (kind === 'date') cures.set(path, findDateCures(observe));
    if (kind !== undefined) reformatted.push(findReformatted(observe, createCellReader(column, cellFormat)));
    if (kind === 'phone' && checks) rounded.push([column, phonesRounded, findRoundedPhones(observe)]);
    if (column.type === 'text' && idPaths.includes(path)) {
      rounded.push([column, idsRounded, findRoundedIds(observe)]);
    }
  }
  return {
    addRow: (cells) => {
      for (const [column, observer] of observers) {
        const text = fieldText(column, cells);
        if (text !== '') observer(text);
      }
    },
    curesFor: (path) => cures.get(path)?.() ?? [],
    reformatted: () => reformatted.flatMap((found) => found() ?? []),
    problems: (header) =>
      rounded.flatMap(([column, rounding, isFound]) =>
        isFound() ? roundedColumn(header, column, rounding) : [],
      ),
  };
}

function findMoneyCures(observe: Observe): () => Cures {
  const cures = findStyles(observe, isDigits, [
    [['--decimal', 'dot'], (text) => readMoney(text, 'dot') !== undefined],
    [['--decimal', 'comma'], (text) => readMoney(text, 'comma') !== undefined],
  ]);
  const contradiction = createContradictionFinder();
  observe((text) => {
    if (!isDigits(text)) contradiction.add(text);
  });
  return () => (contradiction.isFound() ? [] : cures());
}

function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

function findDateCures(observe: Observe): () => Cures {
  return findStyles(observe, (text) => readDate(text, 'ymd') !== undefined, [
    [['--date-order', 'dmy'], (text) => readDate(text, 'dmy') !== undefined],
    [['--date-order', 'mdy'], (text) => readDate(text, 'mdy') !== undefined],
  ]);
}

function findStyles(
  observe: Observe,
  isPlain: (text: string) => boolean,
  styles: readonly [cure: Cures[number], reads: (text: string) => boolean][],
): () => Cures {
  let left = styles;
  observe((text) => {
    if (left.length > 0 && !isPlain(text)) left = left.filter(([, reads]) => reads(text));
  });
  return () => left.map(([cure]) => cure);
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

const minRoundedIds = 3;

/** Whether most long numbers end in the zeros of a spreadsheet that keeps six or fifteen digits. */
function findRoundedIds(observe: Observe): () => boolean {
  let long = 0;
  let rounded = 0;
  observe((text) => {
    if (text.length < 12 || !isDigits(text)) return;
    long += 1;
    const lost = text.length > 15 ? '0'.repeat(text.length - 15) : '00000';
    if (text.endsWith('00000') || text.endsWith(lost)) rounded += 1;
  });
  return () => rounded >= minRoundedIds && rounded * 2 > long;
}

const minPhones = 5;
const maxRememberedPhones = 1000;

/** Whether most distinct numbers end in zeros. A number is forgotten once many others have come. */
function findRoundedPhones(observe: Observe): () => boolean {
  const remembered = new Set<string>();
  let different = 0;
  let rounded = 0;
  observe((text) => {
    if (remembered.has(text)) return;
    if (remembered.size === maxRememberedPhones) remembered.clear();
    remembered.add(text);
    different += 1;
    if (/[1-9]$/.test(text)) return;
    const digits = text.replace(/\D/g, '');
    if (digits.endsWith(digits.length === 8 ? '00' : '0000')) rounded += 1;
  });
  return () => different >= minPhones && rounded * 2 > different;
}

type Rounding = Pick<Problem, 'code' | 'problem' | 'fix'>;

const fromExport = 'take the column from the original export, or import it into the spreadsheet as text';
const idsRounded: Rounding = {
  code: 'ids_rounded',
  problem:
    'most of its numbers end in zeros: a spreadsheet has rounded them, and different IDs may have become the same',
  fix: fromExport,
};
const phonesRounded: Rounding = {
  code: 'phones_rounded',
  problem:
    'most of its phone numbers end in zeros: a spreadsheet has rounded them, and their last digits are lost',
  fix: fromExport,
};

function roundedColumn({ row, line }: Row, { index, header, path }: Column, rounding: Rounding): Problem {
  return {
    about: 'header',
    severity: 'error',
    ...rounding,
    row,
    line,
    column: columnLetters(index),
    header,
    path: formatFieldPath(path),
  };
}

/** The problem with a better fix, when the other cells of the column or a mapping can say more. */
export function suggestFlag(problem: Problem, facts: ColumnFacts): Problem {
  const { code, path, column, value = '' } = problem;
  // Without a column the value comes from --set, not from a cell.
  if (path === undefined || column === undefined) return problem;
  switch (code) {
    case 'decimal_invalid':
    case 'decimal_ambiguous':
    case 'date_invalid':
      return { ...problem, ...readByFlag(problem, value, facts.curesFor(path)) };
    case 'phone_invalid': {
      if (kindOfPhone(value) !== 'several' || !/[;,/|\n]/.test(value)) return problem;
      const pick = 'or have a mapping file take the first of each cell: "pick": "first"';
      return { ...problem, fix: advice`${problem.fix}, ${pick}` };
    }
    default:
      return problem;
  }
}

function readByFlag({ code, fix }: Problem, value: string, cures: Cures): Pick<Problem, 'fix' | 'cures'> {
  const isAmbiguous = code === 'decimal_ambiguous';
  if (cures.length === 0)
    return { fix: isAmbiguous ? `write what is meant: ${readings(value).join(' or ')}` : fix };
  const flags = cures.map((words) => words.join(' ')).join(' or ');
  const add = `add ${flags}, ${cures.length === 1 ? 'which reads every cell of the column' : 'whichever is meant'}`;
  return { fix: isAmbiguous ? `${add}: ${describeReadings(value)}` : add, cures };
}

/** Finds sent columns that mean more than is sent: several lines in a name, amounts in another currency. */
interface MisreadColumns {
  add(order: { rows: readonly Row[] }): void;
  problems(header: Row): Problem[];
}

/** `2 x Tea`, and `Tea x2` at the end of a line of the cell. */
const before = /^\d{1,3}\s?[x×х*]\s?\p{L}/u;
const after = /\s(?=[x×х*]\s?\d{1,2}(?:$|[,;\n]))(?<=\p{L}\S*\s)/u;

const amountSigns = [
  ['before', before],
  ['after', after],
] as const;
const marks = [';', ',', '+'] as const;
/** Where the quantity stands, and what may separate the lines of a cell. */
type Sign = (typeof amountSigns)[number][0] | (typeof marks)[number];

export function createMisreadColumns(
  { columns, lines, rules }: Mapping,
  constants: readonly Pick<Assignment, 'path'>[],
): MisreadColumns {
  const isItem = ({ path, type, rule }: Column) =>
    type === 'text' && rule === undefined && /^items\[\d*\]\.(?:sku|name)$/.test(formatFieldPath(path));
  const hasQuantity = [...columns, ...constants].some(({ path }) => isQuantityPath(formatFieldPath(path)));
  const items = hasQuantity || lines !== undefined ? [] : columns.filter(isItem);
  const packed = items.map((column) => ({ column, counts: createCounts(), signs: new Set<Sign>() }));
  const amounts = [
    ...columns.filter((column) => kindOfCells(column) === 'money' && !isPathAssumed(column)),
    ...(rules.payment?.due ?? []),
  ];
  return {
    add: ({ rows }) => {
      for (const { column, counts, signs } of packed) {
        for (const { cells } of rows) {
          const text = cells[column.index] ?? '';
          const found = amountSigns.filter(([, pattern]) => pattern.test(text));
          if (found.length === 0) continue;
          counts.add(text);
          for (const [sign] of found) signs.add(sign);
          for (const mark of marks) if (text.includes(mark)) signs.add(mark);
        }
      }
    },
    problems: (header) => [
      ...packed.flatMap(({ column, counts, signs }) =>
        counts.isEmpty ? [] : [packedLines(header, column, signs, counts.format())],
      ),
      ...amounts.flatMap(({ index, header: name }) =>
        namesOtherCurrency(name, 'header') ? [otherCurrency(header, index)] : [],
      ),
    ],
  };
}

function packedLines(header: Row, column: Column, signs: ReadonlySet<Sign>, shown: string): Problem {
  const path = formatFieldPath(column.path);
  const forms = [
    ...(signs.has('before') ? [`{items[].quantity:number} x {${path}}`] : []),
    ...(signs.has('after') ? [`{${path}} x {items[].quantity:number}`] : []),
  ];
  const between = marks.find((mark) => signs.has(mark));
  const form = forms.length === 1 ? forms[0] : forms;
  const lines = { from: column.header, ...(between === undefined ? {} : { between }), form };
  const plain = { from: column.header, form: `{${path}}` };
  const problem = `says how many pieces, and each cell is sent as the name of one: ${shown}`;
  const fix = `save ${JSON.stringify({ lines })} as map.json, and add --map map.json instead of its mapping; if no quantity is meant: ${JSON.stringify({ lines: plain })}`;
  return headerProblem(header, column.index, { code: 'quantity_unread', problem, fix });
}

function otherCurrency(header: Row, index: number): Problem {
  const problem = 'names another currency, and the service takes every amount as ₮';
  const fix = 'give the amounts in ₮, and take the other currency out of the name of the column';
  return headerProblem(header, index, { code: 'currency_not_mnt', problem, fix });
}
