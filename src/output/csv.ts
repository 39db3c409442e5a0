const formulaStart = /^\s*[=+\-@\t\r＝＋－＠]/;
const needsQuotes = /["\r\n]/;
const damagedNumber = /^(?:0\d+|\d{12,}|\d+(?:[.,]\d+)?[eE][+-]?\d+)$/;
const looksProtected = /^'[\d=+\-@\t']/;
const removableFormulaStart = /^[=+\-@\t]/;

/** One row as RFC 4180 has it, without the line break. */
export function csvRow(cells: string[], delimiter = ','): string {
  // A lone empty cell would read as no row at all.
  if (cells.length === 1 && cells[0] === '') return '""';
  const quote = (cell: string) => {
    return needsQuotes.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  return cells.map(quote).join(delimiter);
}

/** A cell that a spreadsheet shows instead of running it. */
export function neutralise(cell: string): string {
  return formulaStart.test(cell) ? `'${cell}` : cell;
}

/**
 * A cell that a spreadsheet neither runs nor damages and that an import reads back as it was:
 * the reader takes one leading `'` off before a digit, `= + - @`, a TAB or another `'`, so nothing else gets one.
 */
export function protectCell(cell: string): string {
  const isAtRisk = removableFormulaStart.test(cell) || damagedNumber.test(cell) || looksProtected.test(cell);
  return isAtRisk ? `'${cell}` : cell;
}
