import { headerProblem } from '../columns/header.ts';
import type { Problem } from '../problem.ts';
import { columnLetters, type Row } from '../table/read-table.ts';
import { parseTarget } from './candidate.ts';
import type { Column } from './column.ts';
import type { Lookup } from './conditions.ts';
import type { LineReader } from './lines.ts';

const maxNumber = 999;

/** Lines in columns of their own, as `SKU #1` and `SKU #2`. */
export function readWide(lookup: Lookup, wide: Record<string, string>): LineReader | undefined {
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

/** The columns whose header is the pattern with a number for `{n}`, by that number; undefined after a problem. */
export function numberedColumns(
  { header, problems }: Lookup,
  pattern: string,
): Map<number, number> | undefined {
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
      problems.push(headerProblem(header, index, 'header_invalid', problem, 'number the lines from 1'));
      return undefined;
    }
    if (found.has(number)) {
      const other = columnLetters(found.get(number) ?? 0);
      const problem = `has the same line number as column ${other}`;
      const fix = 'rename one of them, so that each line has a number of its own';
      problems.push(headerProblem(header, index, 'header_duplicate', problem, fix));
      return undefined;
    }
    found.set(number, index);
  }
  return found;
}

export function lineColumn(target: string, index: number, header: string, shownIndex: number): Column {
  const { path, type, isExtra } = parseTarget(target);
  return { index, header, path, type, isLine: true, isExtra, shownIndex };
}

export function toRows({ row, line, cells }: Row, width: number, lines: readonly string[][]): Row[] {
  const own = cells.length > width ? cells.slice(0, width) : cells;
  return lines.map((texts) => ({ row, line, cells: [...own, ...texts] }));
}

export function noColumns(patterns: readonly string[], option: string): Problem {
  return {
    about: 'header',
    severity: 'error',
    code: 'column_unknown',
    problem: `${option} names columns that the file does not have: ${patterns.join(', ')}`,
    fix: 'use the names of its columns, with {n} in place of the number',
  };
}
