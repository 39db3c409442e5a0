import type { Row } from '../table.ts';

const mostNamed = 6;
const fix =
  'Look there for a delimiter too many or too few, or a cell that needs quotes; if every row looks wrong, name the --delimiter.';

/** Takes the rows that are as wide as the header, and remembers where the others are. */
export function createWidthCheck(width: number) {
  let first: Row | undefined;
  const others: number[] = [];
  let wrong = 0;
  return {
    /** The row as wide as the header, or undefined; empty cells beyond the last column are padding. */
    fit: (row: Row): Row | undefined => {
      const { cells } = row;
      if (cells.length === width) return row;
      if (cells.length > width && cells.slice(width).every((cell) => cell === '')) {
        return { ...row, cells: cells.slice(0, width) };
      }
      wrong += 1;
      if (first === undefined) first = row;
      else if (others.length < mostNamed) others.push(row.row);
      return undefined;
    },
    problem: (): { text: string; fix: string } | undefined => {
      if (first === undefined) return undefined;
      const { row, line, cells } = first;
      const count = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`;
      const text = `has ${count} in row ${row} (line ${line}), but the header has ${width}`;
      const more = wrong - 1;
      if (more === 0) return { text, fix };
      const named = `${others.join(', ')}${more > others.length ? ', ...' : ''}`;
      return {
        text: `${text}; other widths too in ${more} more ${more === 1 ? 'row' : 'rows'}: ${named}`,
        fix,
      };
    },
  };
}
