const needsQuotes = /["\r\n]/;
const formulaStart = /^\s*[=+\-@\t\r＝＋－＠]/;
const removableFormulaStart = /^[=+\-@\t]/;
const looksProtected = /^'[\d=+\-@\t']/;

/** A spreadsheet keeps these digits as they are. */
const plainInteger = /^(?:0|[1-9]\d{0,10})$/;
const time = String.raw`\d{1,4}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]m)?`;
/** A day or a month. */
const day = '(?:0?[1-9]|[12]\\d|3[01])';
const year = String.raw`(?:\d{4}|\d{2})`;
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

/** Whole cells that a spreadsheet reads as a number, a date or a time and writes back in its own form. */
const rewritten = [
  String.raw`\d+(?:[ .,]\d{3})*(?:[.,]\d*)?(?:e[+-]?0*\d{1,3})? ?%?`,
  String.raw`\d+ \d+/\d+`,
  time,
  `${year}[-/.]${day}(?:[-/.]${day})?(?: ${time})?`,
  `${day}[-/.]${day}(?:[-/.]${year})?(?: ${time})?`,
  `${day}[-/.]${year}`,
  `${day}[-/. ]*${month}(?:[-/., ]*${year})?`,
].map((pattern) => new RegExp(`^${pattern}$`, 'i'));

/** One row as in RFC 4180, without the line break. */
export function formatCsvRow(cells: string[], delimiter = ','): string {
  // A lone empty cell would read as no row at all.
  if (cells.length === 1 && cells[0] === '') return '""';
  const quote = (cell: string) => {
    return needsQuotes.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  return cells.map(quote).join(delimiter);
}

/** The cell with a `'` before it when a spreadsheet would run it as a formula. */
export function escapeFormula(cell: string): string {
  return formulaStart.test(cell) ? `'${cell}` : cell;
}

/**
 * The cell with a `'` before it when a spreadsheet would run it or write the whole of it differently. cleanCell
 * takes that `'` off again: it does so before a digit, `= + - @`, a TAB or another `'`, so no other cell gets one.
 */
export function protectCell(cell: string): string {
  const isAtRisk = isRewritten(cell) || removableFormulaStart.test(cell) || looksProtected.test(cell);
  return isAtRisk ? `'${cell}` : cell;
}

function isRewritten(cell: string): boolean {
  return !plainInteger.test(cell) && rewritten.some((pattern) => pattern.test(cell));
}
