const needsQuotes = /["\r\n]/;
const formulaStart = /^\s*[=+\-@\t\r＝＋－＠]/;
const removableFormulaStart = /^[=+\-@\t]/;
const looksProtected = /^'[\d=+\-@\t']/;

const plainInteger = /^(?:0|[1-9]\d{0,10})$/;
const time = String.raw`\d{1,4}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]m)?`;
const dayOrMonth = '(?:0?[1-9]|[12]\\d|3[01])';
const year = String.raw`(?:\d{4}|\d{2})`;
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

/** Whole cells that a spreadsheet takes for a number, a date or a time and writes in its own form. */
const rewritten = [
  String.raw`\d+(?:[ .,]\d{3})*(?:[.,]\d*)?(?:e[+-]?0*\d{1,3})? ?%?`,
  String.raw`\d+ \d+/\d+`,
  time,
  `${year}[-/.]${dayOrMonth}(?:[-/.]${dayOrMonth})?(?: ${time})?`,
  `${dayOrMonth}[-/.]${dayOrMonth}(?:[-/.]${year})?(?: ${time})?`,
  `${dayOrMonth}[-/.]${year}`,
  `${dayOrMonth}[-/. ]*${month}(?:[-/., ]*${year})?`,
].map((pattern) => new RegExp(`^${pattern}$`, 'i'));

export function formatCsvRow(cells: string[], delimiter = ','): string {
  // A lone empty cell would read as no row at all.
  if (cells.length === 1 && cells[0] === '') return '""';
  const quote = (cell: string) => {
    return needsQuotes.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  return cells.map(quote).join(delimiter);
}

export function escapeFormula(cell: string): string {
  return formulaStart.test(cell) ? `'${cell}` : cell;
}

/** The cell with a `'` before it, which cleanCell removes, when a spreadsheet would run it or change the whole of it. */
export function protectCell(cell: string): string {
  const isAtRisk = isRewritten(cell) || removableFormulaStart.test(cell) || looksProtected.test(cell);
  return isAtRisk ? `'${cell}` : cell;
}

function isRewritten(cell: string): boolean {
  return !plainInteger.test(cell) && rewritten.some((pattern) => pattern.test(cell));
}
