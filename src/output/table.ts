import CliTable from 'cli-table3';
import { cleanCell, shorten } from '../clean-text.ts';
import { moneyFields } from '../orders/order.ts';
import { padTo, widthOf } from '../text-width.ts';
import type { Field } from './fields.ts';
import type { Style } from './print.ts';
import { wrapText } from './wrapped-text.ts';

export interface TableLook {
  width: number;
  header: boolean;
  style: Style;
  gap?: number;
  /** In the place of one record per row. */
  cards?: () => string;
}

export interface TableColumn {
  name: string;
  /** Aligned to the right, and cut last. */
  isAmount?: boolean;
  /** Never cut, because two rows would look alike. */
  isIdentifier?: boolean;
  /** Cut at the start, because consecutive order numbers differ at the end. */
  keepsEnd?: boolean;
  /** Wrapped rather than cut, but not at a no-break space, which is shown as a space. */
  isWrapped?: boolean;
  /** Where another column can be cut instead. */
  minWidth?: number;
}

/** The columns of past imports that count orders. */
export const importCounts = ['created', 'already_exists', 'to_fix', 'unknown', 'not_sent'];
const amounts = new Set<string>([...moneyFields, 'orders', ...importCounts]);
const identifiers = new Set(['id', 'orderNumber', 'run']);

function toColumn(column: string | TableColumn): TableColumn {
  if (typeof column !== 'string') return column;
  const keepsEnd = column === 'externalOrderId';
  return { name: column, isAmount: amounts.has(column), isIdentifier: identifiers.has(column), keepsEnd };
}

/**
 * A table that fits the terminal, or one record per row if none does. With the content widths of the part `before` it, a
 * part goes on without a header if its cells fit the same widths. A string is a column named after its field.
 */
export function formatTable(
  shown: readonly (string | TableColumn)[],
  rows: string[][],
  { width, header, style, gap = defaultGap, cards }: TableLook,
  before: number[] = [],
) {
  const columns = shown.map(toColumn);
  const names = columns.map(({ name }) => cleanCell(name));
  const cells = rows.map((row) => row.map(cleanCell));
  // Long cells, which cannot be shown whole anyway, make the layout slow.
  const clipped = cells.map((row) => row.map((cell) => shorten(cell, width)));
  const contentWidths = columnWidths(clipped).map((cellWidth, index) =>
    Math.max(cellWidth, before[index] ?? 0),
  );
  const headerWidths = header ? columnWidths([names.map((name) => shorten(name, width))]) : [];

  const fitTo = (contents: number[]) =>
    fitColumns(columns, headerWidths, contents, width - gap * (columns.length - 1));
  const widths = fitTo(contentWidths);
  const separator = before.length > 0 ? '\n' : '';
  if (!widths && cards !== undefined) return { text: separator + cards(), contentWidths };
  if (!widths) {
    const records = cells.map((row) =>
      formatRecord(
        row.map((text, index) => ({ path: names[index] ?? '', text })),
        style,
      ),
    );
    return { text: separator + records.join('\n\n'), contentWidths };
  }

  const alignments = columns.map(({ isAmount }) => (isAmount ? 'right' : 'left'));
  const draw = (lines: string[][]) =>
    drawRows(lines, widths, { alignments, gap }).map((line) => line.trimEnd());
  const cut = (cell: string, index: number) => {
    if (columns[index]?.isWrapped)
      return wrapText(cell, widths[index] ?? width)
        .join('\n')
        .replaceAll('\u00a0', ' ');
    const start = columns[index]?.keepsEnd ? cell.length - (widths[index] ?? width) : 0;
    return start > 0 ? `…${cell.slice(start + 1)}` : shorten(cell, width);
  };
  const shownCells = cells.map((row) => row.map(cut));
  const body = draw(shownCells).join('\n');
  const isContinued = before.length > 0 && String(fitTo(before)) === String(widths);
  if (!header || isContinued) return { text: body, contentWidths };
  const heads = names.map((name, index) =>
    name.length > (widths[index] ?? 0) ? name.replace(' ', '\n') : name,
  );
  const head = draw([heads]).map(style.bold).join('\n');
  return { text: `${separator}${head}\n${body}`, contentWidths };
}

type Row = string[];

const defaultGap = 2;

const borders =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';
const noBorders = {
  chars: Object.fromEntries([...borders.split(' '), 'middle'].map((name) => [name, ''])),
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
};

// cli-table3 takes quadratic time in the number of rows.
const rowsAtOnce = 50;

interface Drawing {
  alignments: ('left' | 'right')[];
  gap: number;
}

function drawRows(rows: Row[], widths: number[], { alignments, gap }: Drawing): string[] {
  const chars = { ...noBorders.chars, middle: ' '.repeat(gap) };
  return inParts(rows).flatMap((part) => {
    const table = new CliTable({ ...noBorders, chars, colWidths: [...widths], colAligns: alignments });
    table.push(...part);
    // Half of a surrogate pair, which cutting may leave, takes one column.
    return table
      .toString()
      .replace(/\p{Surrogate}/gu, ' ')
      .split('\n');
  });
}

function inParts(rows: Row[]): Row[][] {
  const count = Math.ceil(rows.length / rowsAtOnce);
  return Array.from({ length: count }, (_, index) => {
    return rows.slice(index * rowsAtOnce, (index + 1) * rowsAtOnce);
  });
}

/** Longer names would push all values off the screen. */
const maxNameWidth = 60;

/** Longer values would push other fields off the screen; an address fits. */
export const maxValueLength = 1000;

/** A line for each field, with the values aligned. */
export function formatRecord(fields: Field[], style: Style): string {
  const names = fields.map(({ path }) => shorten(cleanCell(path), maxNameWidth));
  const width = Math.max(0, ...names.map(widthOf));
  return names
    .map((name, index) => {
      const value = shorten(cleanCell(fields[index]?.text ?? ''), maxValueLength);
      return value === '' ? style.bold(name) : `${style.bold(padTo(name, width))}  ${value}`;
    })
    .join('\n');
}

/** The widest text of each column. */
function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, text] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(text));
  }
  return widths;
}

const minColumnWidth = 6;

/** Cuts long headers first, then the widest contents, amounts last. Undefined when nothing fits. */
function fitColumns(
  columns: readonly TableColumn[],
  headerWidths: number[],
  contentWidths: number[],
  space: number,
): number[] | undefined {
  const floors = [
    contentWidths.map((width, index) => Math.max(width, ...wordWidths(columns[index]))),
    contentWidths,
    contentWidths.map((width, index) =>
      columns[index]?.isIdentifier || columns[index]?.isAmount ? width : 0,
    ),
    contentWidths.map((width, index) => (columns[index]?.isIdentifier ? width : 0)),
  ];
  let widths = columns.map((_, index) => Math.max(headerWidths[index] ?? 0, contentWidths[index] ?? 0));
  for (const floor of floors) {
    widths = shrink(
      widths,
      floor.map((width, index) => Math.max(width, columns[index]?.minWidth ?? minColumnWidth)),
      space,
    );
    if (sum(widths) <= space) return widths;
  }
  return undefined;
}

function wordWidths(column: TableColumn | undefined): number[] {
  return column === undefined || !column.name.includes(' ')
    ? []
    : column.name.split(' ').map(({ length }) => length);
}

function shrink(from: number[], floors: number[], space: number): number[] {
  const widths = [...from];
  for (let excess = sum(widths) - space; excess > 0; excess -= 1) {
    const spare = widths.map((width, index) => (width > (floors[index] ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function sum(widths: number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
