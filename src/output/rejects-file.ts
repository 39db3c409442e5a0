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
const byteOrderMark = '\uFEFF';

/**
 * The whole rejects file: the columns of the original and, after them, what is wrong. Import reads it with the
 * flags of the original and leaves the added columns out, also when they come from an earlier rejects file.
 */
export function formatRejects(
  header: readonly string[],
  rows: readonly RejectedRow[],
  delimiter: string,
): string {
  const kept = [...header.keys()].filter((index) => !ownColumns.includes(header[index] ?? ''));
  const pick = (cells: readonly string[]) => kept.map((index) => cells[index] ?? '');
  const lines = [...rows]
    .sort((left, right) => left.row - right.row)
    .map(({ row, cells, code, error, fix }) =>
      [...pick(cells), String(row), code, error, fix].map(protectCell),
    );
  return (
    byteOrderMark +
    [[...pick(header), ...ownColumns], ...lines].map((cells) => `${csvRow(cells, delimiter)}\n`).join('')
  );
}
