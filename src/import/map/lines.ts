import { formatFieldPath } from '../../orders/field-path.ts';
import type { Problem } from '../problem.ts';
import { columnLetters, type Row } from '../table/read-table.ts';
import { parseTarget } from './candidate.ts';
import type { Column, Header } from './column.ts';
import { findColumn, type Lookup } from './conditions.ts';
import type { LinesMapping } from './mapping-file.ts';
import { createLineParser, type PackedLines } from './packed-lines.ts';

/**
 * Reads lines that stand side by side in one row. Each becomes a row of its own, whose further cells, beyond those of
 * the file, are those of `columns`.
 */
export interface LineReader {
  columns: readonly Column[];
  /** The columns of the file that it reads. */
  indexes: readonly number[];
  /** The lines of a row, and the cells that could not be read as lines. */
  read(row: Row): { rows: Row[]; unread: Pick<Column, 'index' | 'header'>[] };
}

export function createLineReader(lookup: Lookup, mapping: LinesMapping): LineReader | undefined {
  return 'wide' in mapping ? readWide(lookup, mapping.wide) : readPacked(lookup, mapping);
}

function readWide(
  { header, isPreset, problems }: Lookup,
  wide: Record<string, string>,
): LineReader | undefined {
  const all = Object.entries(wide).map(([pattern, target]) => ({
    target,
    byNumber: numberedColumns(header, pattern),
    pattern,
  }));
  const targets = all.filter(({ target, byNumber }) => {
    const first = all.find((other) => other.target === target && other.byNumber.size > 0);
    return byNumber.size > 0 && first?.byNumber === byNumber;
  });
  const numbers = [...new Set(targets.flatMap(({ byNumber }) => [...byNumber.keys()]))].sort((a, b) => a - b);
  if (numbers.length === 0) {
    if (!isPreset) problems.push(noColumns(Object.keys(wide), 'lines.wide'));
    return undefined;
  }
  const width = header.cells.length;
  const columns = targets.map(({ target, byNumber, pattern }, place) =>
    lineColumn(target, width + place, pattern, byNumber.values().next().value ?? 0),
  );
  return {
    columns,
    indexes: targets.flatMap(({ byNumber }) => [...byNumber.values()]),
    read: (row) => {
      const lines = numbers.map((number) =>
        targets.map(({ byNumber }) => row.cells[byNumber.get(number) ?? -1] ?? ''),
      );
      return {
        rows: toRows(
          row,
          width,
          lines.filter((cells) => cells.some((cell) => cell !== '')),
        ),
        unread: [],
      };
    },
  };
}

function readPacked(lookup: Lookup, mapping: PackedLines): LineReader | undefined {
  const { header, isPreset, problems } = lookup;
  const isNumbered = mapping.from.includes('{n}');
  const found = isNumbered
    ? [...numberedColumns(header, mapping.from)]
        .sort(([left], [right]) => left - right)
        .map(([, index]) => index)
    : [findColumn(lookup, mapping.from, 'lines.from')].filter((index) => index !== undefined);
  const [first] = found;
  if (first === undefined) {
    if (isNumbered && !isPreset) problems.push(noColumns([mapping.from], 'lines.from'));
    return undefined;
  }
  const width = header.cells.length;
  const { targets, parse } = createLineParser(mapping);
  const name = header.cells[first] ?? mapping.from;
  return {
    columns: targets.map((target, place) => lineColumn(target, width + place, name, first)),
    indexes: found,
    read: (row) => {
      const rows: Row[] = [];
      const unread: Pick<Column, 'index' | 'header'>[] = [];
      for (const index of found) {
        const cell = row.cells[index] ?? '';
        if (cell === '') continue;
        const lines = parse(cell);
        if (lines === undefined) unread.push({ index, header: header.cells[index] ?? '' });
        else rows.push(...toRows(row, width, lines));
      }
      return { rows, unread };
    },
  };
}

/** The columns whose header is the pattern with a number for `{n}`, by that number. */
function numberedColumns({ cells }: Header, pattern: string): Map<number, number> {
  const [before = '', after = ''] = pattern.toLowerCase().split('{n}');
  const found = new Map<number, number>();
  for (const [index, name] of cells.entries()) {
    const folded = name.trim().toLowerCase();
    if (!folded.startsWith(before) || !folded.endsWith(after)) continue;
    const number = folded.slice(before.length, folded.length - after.length);
    if (/^\d{1,3}$/.test(number) && !found.has(Number(number))) found.set(Number(number), index);
  }
  return found;
}

function lineColumn(target: string, index: number, header: string, shownIndex: number): Column {
  const { path, type, isExtra } = parseTarget(target);
  return { index, header, path, type, isLine: true, isExtra, shownIndex };
}

function toRows({ row, line, cells }: Row, width: number, lines: readonly string[][]): Row[] {
  const own = cells.length > width ? cells.slice(0, width) : cells;
  return lines.map((texts) => ({ row, line, cells: [...own, ...texts] }));
}

function noColumns(patterns: readonly string[], option: string): Problem {
  return {
    about: 'header',
    severity: 'error',
    code: 'column_unknown',
    problem: `${option} names columns that the file does not have: ${patterns.join(', ')}`,
    fix: 'use the names of its columns, with {n} in place of the number',
  };
}

/** The error of a row whose packed lines cannot be read. */
export function linesUnreadable(row: Row, { index, header }: Pick<Column, 'index' | 'header'>): Problem {
  const value = row.cells[index] ?? '';
  return {
    about: 'order',
    severity: 'error',
    code: 'lines_unreadable',
    row: row.row,
    line: row.line,
    column: columnLetters(index),
    header,
    path: formatFieldPath(['items']),
    value,
    problem: 'the lines in this cell are not in the expected form',
    fix: 'fix the cell, or describe its form with "lines" in a mapping file',
  };
}
