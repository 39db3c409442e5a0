import type { Assignment } from '../../orders/assignment.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import { headerProblem } from '../columns/header.ts';
import { namesOtherCurrency } from '../columns/money.ts';
import { createCounts } from '../columns/value-counts.ts';
import type { Column } from '../map/column.ts';
import type { Mapping } from '../map/mapping.ts';
import type { Problem } from '../problem.ts';
import type { Row } from '../table/read-table.ts';
import { kindOfCells } from './cell-reader.ts';
import { isQuantityPath } from './unread-facts.ts';

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
    ...columns.filter((column) => kindOfCells(column) === 'money' && !column.isPathAssumed),
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
