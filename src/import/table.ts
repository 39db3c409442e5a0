/** One record of a CSV file. */
export interface Row {
  /** The number that a spreadsheet shows: the header is 1. */
  row: number;
  /** The line of the file on which the record begins; differs after a quoted newline. */
  line: number;
  /** Cell text, cleaned; as many as the header has. */
  cells: string[];
}

/** A CSV file as it is read: the header, then the rows, once. */
export interface Table {
  header: string[];
  rows: AsyncIterable<Row>;
}

/** The letters that a spreadsheet puts above a column: 0 → A, 27 → AB. */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}
