import { formatFieldPath } from '../../orders/field-path.ts';
import type { Problem } from '../problem.ts';
import { columnLetters, type Row } from '../table/read-table.ts';
import type { Column } from './column.ts';
import { findColumn, type Lookup } from './conditions.ts';
import type { LinesMapping } from './mapping-file.ts';
import { createLineParser, type PackedLines } from './packed-lines.ts';
import { lineColumn, noColumns, numberedColumns, readWide, toRows } from './wide-lines.ts';

/** Reads lines that stand side by side in a row. Each becomes a row of its own: the cells of the file, then those of `columns`. */
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
