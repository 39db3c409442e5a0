import type { Row } from './read-csv.ts';

const maxRowsNamed = 6;

export function createWidthCheck(width: number) {
  let first: Row | undefined;
  let otherRows = 0;
  const named: number[] = [];
  return {
    /** The row as wide as the header, or undefined; blank cells beyond the last column are padding. */
    fit: (row: Row): Row | undefined => {
      const { cells } = row;
      if (cells.length === width) return row;
      if (cells.length > width && cells.slice(width).every((cell) => cell === ''))
        return { ...row, cells: cells.slice(0, width) };
      if (first === undefined) {
        first = row;
        return undefined;
      }
      otherRows += 1;
      if (named.length < maxRowsNamed) named.push(row.row);
      return undefined;
    },
    /** It continues the name of the file: `has 2 cells in row 3 ...`. */
    problem: (): string | undefined => {
      if (first === undefined) return undefined;
      const { row, line, cells } = first;
      const count = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`;
      const text = `has ${count} in row ${row} (line ${line}), but the header has ${width}`;
      if (otherRows === 0) return text;
      const rows = `${named.join(', ')}${otherRows > named.length ? ', ...' : ''}`;
      return `${text}; other widths too in ${otherRows} more ${otherRows === 1 ? 'row' : 'rows'}: ${rows}`;
    },
  };
}
