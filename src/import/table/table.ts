import type { Row } from '../../csv/read-csv.ts';

export type { Row };

/** The row of the names. */
export interface HeaderRow extends Row {
  /** Rows that follow it, of any width: the names may be in one of them. */
  below?: readonly Row[];
}

/** A CSV file as it is read. */
export interface Table {
  /** The names of the columns, and where they stand. */
  header: HeaderRow;
  /** The rows above the header. */
  above: string[][];
  delimiter: string;
  /** The name of the encoding, as the platform has it. */
  encoding: string;
  /** Each row of data was one quoted cell. */
  isWrapped: boolean;
  /** The rows with data from the first to the last, some at a time; each call reads the file again. */
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
