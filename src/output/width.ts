import stringWidth from 'fast-string-width';

/** In columns of a terminal: Cyrillic letters take 1, Chinese characters and emoji 2, codes of styles none. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Ends with "…" where it is too wide. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let cut = '';
  let used = 1;
  for (const letter of text) {
    used += widthOf(letter);
    if (used > width) break;
    cut += letter;
  }
  return `${cut}…`;
}

interface ColumnToFit {
  name: string;
  isAmount?: boolean;
  isIdentifier?: boolean;
  minWidth?: number;
}

/** The widest text of each column. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, text] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(text));
  }
  return widths;
}

const minColumnWidth = 6;

/** Cuts long headers first, then the widest contents, amounts last. Undefined when nothing fits. */
export function fitColumns(
  columns: readonly ColumnToFit[],
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

function wordWidths(column: ColumnToFit | undefined): number[] {
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
