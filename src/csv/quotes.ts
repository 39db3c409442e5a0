interface QuoteProblem {
  index: number;
  /** Those below it; otherwise it is split at a delimiter. */
  containsRows: boolean;
}

/**
 * The first cell that quotes cannot be meant to hold: with relaxed quotes `="a,b"` becomes two cells, and a quote before
 * an inch mark or a name may take in the rows below. `width` is that of the header.
 */
export function findQuoteProblem(
  cells: readonly string[],
  delimiter: string,
  width = cells.length,
): QuoteProblem | undefined {
  if (!cells.some((cell) => mayOpenQuote(cell) || hasLineBreak(cell))) return undefined;
  const lastEnd = cells.findLastIndex((cell) => hasOddQuotes(cell) && /"\s*$/.test(cell));
  for (const [index, cell] of cells.entries()) {
    if (index < lastEnd && mayOpenQuote(cell) && hasOddQuotes(cell)) {
      return { index, containsRows: false };
    }
    if (
      hasLineBreak(cell) &&
      containsRows(cell, index, { delimiter, width, isFull: cells.length === width })
    ) {
      return { index, containsRows: true };
    }
  }
  return undefined;
}

export function hasOddQuotes(cell: string): boolean {
  return cell.includes('"') && cell.split('"').length % 2 === 0;
}

export function hasLineBreak(text: string): boolean {
  return text.includes('\n') || text.includes('\r');
}

function mayOpenQuote(cell: string): boolean {
  return /^\s*=?"/.test(cell);
}

interface Place {
  delimiter: string;
  width: number;
  isFull: boolean;
}

/** With two columns, a two-line note has as many delimiters as a row. */
const minWidth = 3;

function containsRows(cell: string, index: number, { delimiter, width, isFull }: Place): boolean {
  // The closing quote is missing or misplaced.
  if (cell.startsWith('"')) return cell.split(delimiter).length >= width;
  if (width < minWidth) return false;
  // A comma followed by a space is prose.
  const counts = cell.split(/\r\n?|\n/).map((line) => {
    const [, ...others] = line.split(delimiter);
    return others.filter((part) => !part.startsWith(' ')).length;
  });
  if (!isFull) return counts.reduce((sum, count) => sum + count, 0) >= width - 1;
  // The rest of its own row, whole rows, and the beginning of the row that the record ends with.
  const expected = counts.map((_, line) =>
    line === 0 ? width - 1 - index : line === counts.length - 1 ? index : width - 1,
  );
  return counts.every((count, line) => count === expected[line]);
}
