import CliTable from 'cli-table3';

type Row = string[];

export const gap = 2;

const noBorders = {
  chars: {
    ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
    ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
    ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
    middle: ' '.repeat(gap),
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
};

// cli-table3 takes time that grows with the square of the rows it is given at once.
const rowsAtOnce = 50;

/** How wide each column must be, as a terminal shows text (Cyrillic 1, Chinese and emoji 2). */
export function measureColumns(rows: Row[]): number[] {
  const widths: number[] = [];
  for (const part of inParts(rows)) {
    const table = new CliTable(noBorders);
    table.push(...part);
    // Only drawing fills in the widths.
    table.toString();
    for (const [index, width] of table.options.colWidths.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, width ?? 0);
    }
  }
  return widths;
}

/** One line per row, cells cut with `…` to the widths and padded to them. */
export function drawRows(rows: Row[], widths: number[], alignments: ('left' | 'right')[] = []): string[] {
  return inParts(rows).flatMap((part) => {
    const table = new CliTable({ ...noBorders, colWidths: [...widths], colAligns: alignments });
    table.push(...part);
    // A pair of code units that was cut in half is one column of nothing.
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
