const formulaStart = /^\s*[=+\-@\t\r＝＋－＠]/;
const needsQuotes = /["\r\n]/;
/** Digits that a spreadsheet takes for a number, a date or a time, and writes back in its own way. */
const respelled = /^\d(?:[\d.,:/%eE+\- ]*|[\d.]*[-/ ]?[A-Za-z]{3,9}(?:[-/ ]\d+)?)$/;
const plainInteger = /^(?:0|[1-9]\d{0,10})$/;
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
  const isRespelled = respelled.test(cell) && !plainInteger.test(cell);
  const isAtRisk = isRespelled || removableFormulaStart.test(cell) || looksProtected.test(cell);
  return isAtRisk ? `'${cell}` : cell;
}
