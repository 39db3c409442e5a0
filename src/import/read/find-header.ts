import type { Row } from '../../csv/read-csv.ts';
import type { Merge } from './workbook/sheet-rows.ts';

type FirstRow = Pick<Row, 'row' | 'cells'>;

export interface FoundHeader {
  /** Its place among the given rows; when two rows name the columns, that of the lower one. */
  index: number;
  /** The names of both rows, `Delivery / Street`, when two rows together name the columns. */
  joined?: string[] | undefined;
}

/** The merged cells of a row of a workbook; undefined where merged cells are not known. */
export type MergesIn = (row: number) => readonly Merge[] | undefined;

const unknownMerges: MergesIn = () => undefined;
/** Rows with text that may stand above the header, and rows below it that are compared with it. */
const maxTitles = 30;
const maxCompared = 50;
const minColumns = 3;
/** The share of the columns of a row that the header names. */
const minWidth = 0.6;
const maxNameLength = 100;
const maxGroupLength = 30;

/**
 * The row that names the columns, when it is certainly not the first one. `rows` begin with the first row with text, and
 * have clean cells.
 */
export function findHeader(
  rows: readonly FirstRow[],
  mergesIn: MergesIn = unknownMerges,
): FoundHeader | undefined {
  const found = firstHeader(rows, mergesIn);
  const [first] = rows;
  if (found === undefined || found.index === 0 || first === undefined) return undefined;
  const names = distinctNames(first.cells);
  const wanted = distinctNames(found.joined ?? rows[found.index]?.cells ?? []);
  const isPart = found.joined !== undefined && found.index === 1;
  return !isPart && 3 * names >= 2 * wanted ? undefined : found;
}

/** Whether the rows are a table with at least three named columns and rows below the names. */
export function isTable(rows: readonly FirstRow[], mergesIn: MergesIn = unknownMerges): boolean {
  return firstHeader(rows, mergesIn) !== undefined;
}

/** Other rows that a person may mean as the header, the nearest to the found one first. */
export function otherHeaders(rows: readonly FirstRow[], { index }: FoundHeader): number[] {
  return [...rows.keys()]
    .slice(1, index + 3)
    .filter((other) => other !== index && filledIn(rows[other]?.cells ?? []).length >= minColumns)
    .sort((left, right) => Math.abs(left - index) - Math.abs(right - index))
    .slice(0, 2);
}

function firstHeader(rows: readonly FirstRow[], mergesIn: MergesIn): FoundHeader | undefined {
  let titles = 0;
  for (const [index, { cells }] of rows.entries()) {
    const filled = filledIn(cells);
    if (filled.length === 0) continue;
    if (titles > maxTitles) return undefined;
    titles += 1;
    const below = rows.slice(index + 1);
    const joined = joinedNames(rows[index - 1], rows[index], mergesIn);
    if (joined !== undefined && namesColumns(joined, below)) return { index, joined };
    const names = filled.filter((column) => isName(cells[column] ?? ''));
    const isNamed = filled.every((column) => isName(cells[column] ?? '') || isShortCode(cells[column] ?? ''));
    if (isNamed && 2 * names.length >= filled.length && namesColumns(cells, below)) return { index };
  }
  return undefined;
}

/** Whether rows below have values in the columns with these names, and no more columns. */
function namesColumns(names: readonly string[], below: readonly FirstRow[]): boolean {
  const distinct = distinctNames(names);
  const named = filledIn(names);
  if (distinct < Math.max(minColumns, 0.8 * named.length)) return false;
  const rows = below
    .map(({ cells }) => ({ cells, filled: filledIn(cells) }))
    .filter(({ filled }) => filled.length > 0)
    .slice(0, maxCompared);
  const widths = rows.map(({ filled }) => filled.length).sort((left, right) => left - right);
  const width = widths[Math.floor(widths.length / 2)] ?? 0;
  if (distinct < minWidth * width || (widths.at(-1) ?? 0) < 2) return false;
  const fitting = rows.filter(({ filled }) => filled.every((column) => (names[column] ?? '') !== ''));
  if (2 * fitting.length < rows.length) return false;
  return named.some((column) => {
    const cells = rows.map((row) => row.cells[column] ?? '').filter((cell) => cell !== '');
    return cells.length > 0 && 2 * cells.filter((cell) => !isName(cell)).length >= cells.length;
  });
}

/**
 * The names of two rows, of which the upper one has names of several columns: merged cells, or texts that blank cells
 * follow. Undefined when they are not such rows.
 */
export function joinedNames(
  upper: FirstRow | undefined,
  lower: FirstRow | undefined,
  mergesIn: MergesIn = unknownMerges,
): string[] | undefined {
  if (upper === undefined || lower === undefined || lower.row !== upper.row + 1) return undefined;
  const tops = filledIn(upper.cells);
  const topAt = (column: number) => upper.cells[column] ?? '';
  const nameAt = (column: number) => lower.cells[column] ?? '';
  if (new Set(tops.map(topAt)).size < 2 || !tops.every((column) => isGroupName(topAt(column))))
    return undefined;
  const isPart = (name: string) => isName(name) || isShortCode(name) || /^\d{1,2}$/.test(name);
  if (!filledIn(lower.cells).every((column) => isPart(nameAt(column)))) return undefined;
  const width = Math.max(upper.cells.length, lower.cells.length);
  const merges =
    mergesIn(upper.row)?.filter(({ top, left, right }) => top === upper.row && right > left) ?? [];
  const names = Array.from({ length: width }, (_, column) => nameAt(column));
  let groups = 0;
  let single = 0;
  for (const [place, column] of tops.entries()) {
    const top = topAt(column);
    const merge = merges.find(({ left }) => left === column);
    const next = (tops[place + 1] ?? width) - 1;
    const right = Math.min(merges.length === 0 ? next : (merge?.right ?? column), width - 1);
    const own = nameAt(column);
    const columns = Array.from({ length: right - column + 1 }, (_, offset) => column + offset);
    const isGroup = own !== '' && own !== top && columns.filter((each) => nameAt(each) !== '').length > 1;
    if (isGroup) groups += 1;
    else if (own === '' || own === top) single += 1;
    for (const each of isGroup ? columns : [column]) {
      const name = nameAt(each);
      if (name === '') names[each] = merge !== undefined || each === column ? top : '';
      else names[each] = name === top ? name : `${top} / ${name}`;
    }
  }
  return groups > 1 || (groups === 1 && single > 0) ? names : undefined;
}

function filledIn(cells: readonly string[]): number[] {
  const filled: number[] = [];
  for (const [column, cell] of cells.entries()) if (cell !== '') filled.push(column);
  return filled;
}

function distinctNames(cells: readonly string[]): number {
  const names = cells.filter((cell) => isName(cell) || isShortCode(cell));
  return new Set(names.map((cell) => cell.toLowerCase())).size;
}

/** A header such as `c2` or `k-11`. Rows of orders have numbers without a letter as well. */
function isShortCode(cell: string): boolean {
  return /^[\p{L}_-]{1,4}\d{1,2}$/u.test(cell);
}

/** A text that is no number, date, phone, code, address of the web or long text. */
function isName(cell: string): boolean {
  if (cell === '' || cell.length > maxNameLength || /@|:\/\//.test(cell)) return false;
  const digits = cell.match(/\d/g)?.length ?? 0;
  if (digits === 0) return true;
  return digits < (cell.match(/\p{L}/gu)?.length ?? 0);
}

/** A title says `Courier: Dorj` or is long; the name of several columns is short. */
function isGroupName(cell: string): boolean {
  return (isName(cell) || isShortCode(cell)) && cell.length <= maxGroupLength && !cell.includes(':');
}
