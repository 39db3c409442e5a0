import { csvRow, protectCell } from './csv.ts';

/** A row that must be mended: its cells as they were read, and why. */
export interface RejectedRow {
  row: number;
  cells: readonly string[];
  code: string;
  error: string;
  fix: string;
}

const ownColumns = ['_row', '_code', '_error', '_fix'];
const usualDelimiters = [',', ';', '\t', '|'];
const byteOrderMark = '\uFEFF';

/** The file that the rejects come from. */
export interface RejectedTable {
  header: readonly string[];
  /** The rows above the header, which the flags of the original count. */
  above: readonly (readonly string[])[];
  delimiter: string;
}

/**
 * The rejects file in pieces: the columns of the original and, after them, what is wrong. Import reads it with the
 * flags of the original and leaves the added columns out, also when they come from an earlier rejects file.
 */
export function createRejectsFormat({ header, above, delimiter }: RejectedTable) {
  const kept = [...header.keys()].filter((index) => !ownColumns.includes(header[index] ?? ''));
  // An import finds the usual delimiters out; any other has to be told.
  const separatorLine = usualDelimiters.includes(delimiter) ? '' : `sep=${delimiter}\n`;
  const pick = (cells: readonly string[]) => kept.map((index) => cells[index] ?? '');
  const line = (cells: string[]) => `${csvRow(cells.map(protectCell), delimiter)}\n`;
  return {
    head: (): string => {
      const titles = above.map((cells) => line([...cells]));
      return `${byteOrderMark}${separatorLine}${titles.join('')}${line([...pick(header), ...ownColumns])}`;
    },
    row: ({ row, cells, code, error, fix }: RejectedRow): string =>
      line([...pick(cells), String(row), code, error, fix]),
  };
}
