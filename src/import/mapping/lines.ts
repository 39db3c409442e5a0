import { formatFieldPath } from '../../orders/field-path.ts';
import type { Problem } from '../problem.ts';
import { columnLetters, type Row } from '../read/read-table.ts';
import { parseTarget } from './candidates.ts';
import type { Column } from './column.ts';
import { findColumn, type Lookup } from './conditions.ts';
import { headerProblem } from './header.ts';
import type { LinesMapping } from './language.ts';
import type { LineReader } from './mapping.ts';
import { createLineParser, type PackedLines } from './packed-lines.ts';

export function createLineReader(lookup: Lookup, mapping: LinesMapping): LineReader | undefined {
  return 'wide' in mapping ? readWide(lookup, mapping.wide) : readPacked(lookup, mapping);
}

function readPacked(lookup: Lookup, mapping: PackedLines): LineReader | undefined {
  const { header, isPreset, problems } = lookup;
  const isNumbered = mapping.from.includes('{n}');
  const numbered = isNumbered ? numberedColumns(lookup, mapping.from) : new Map<number, number>();
  if (numbered === undefined) return undefined;
  const found = isNumbered
    ? [...numbered].sort(([left], [right]) => left - right).map(([, index]) => index)
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

const maxNumber = 999;

/** Lines in columns of their own, as `SKU #1` and `SKU #2`. */
function readWide(lookup: Lookup, wide: Record<string, string>): LineReader | undefined {
  const { header, isPreset, problems } = lookup;
  const all: { target: string; byNumber: Map<number, number>; pattern: string }[] = [];
  for (const [pattern, target] of Object.entries(wide)) {
    const byNumber = numberedColumns(lookup, pattern);
    if (byNumber === undefined) return undefined;
    all.push({ target, byNumber, pattern });
  }
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

/** Number for `{n}` → the column whose header is the pattern with it; undefined after a problem. */
function numberedColumns({ header, problems }: Lookup, pattern: string): Map<number, number> | undefined {
  const [before = '', after = ''] = pattern.toLowerCase().split('{n}');
  const found = new Map<number, number>();
  for (const [index, name] of header.cells.entries()) {
    const folded = name.trim().toLowerCase();
    if (!folded.startsWith(before) || !folded.endsWith(after)) continue;
    const text = folded.slice(before.length, folded.length - after.length);
    if (!/^\d+$/.test(text)) continue;
    const number = Number(text);
    if (number > maxNumber) {
      const problem = `its line number is too large; the largest is ${maxNumber}`;
      problems.push(
        headerProblem(header, index, { code: 'header_invalid', problem, fix: 'number the lines from 1' }),
      );
      return undefined;
    }
    if (found.has(number)) {
      const other = columnLetters(found.get(number) ?? 0);
      const problem = `has the same line number as column ${other}`;
      const fix = 'rename one of them, so that each line has a number of its own';
      problems.push(headerProblem(header, index, { code: 'header_duplicate', problem, fix }));
      return undefined;
    }
    found.set(number, index);
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
