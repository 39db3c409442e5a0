import type { Row } from '../../csv/read-csv.ts';

export type { Row };

export interface HeaderRow extends Row {
  /** The rows below it, of any width, since the names may be in one of them. */
  below?: readonly Row[];
}

export interface Table {
  header: HeaderRow;
  above: string[][];
  delimiter: string;
  encoding: string;
  isWrapped: boolean;
  /** The rows below the header that are not blank, all as wide as the header; each call reads the file again. */
  batches(): AsyncIterable<Row[]>;
}

/** The letters that a spreadsheet puts above a column: 0 → A, 27 → AB. */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

/** The reverse: AB → 27. */
export function columnIndex(letters: string): number {
  return [...letters].reduce((index, letter) => 26 * index + letter.charCodeAt(0) - 64, 0) - 1;
}
