import { cleanText, removeEscapes } from '../clean-text.ts';

const needsQuotes = /["\r\n]/;

/** Characters that start a formula in a spreadsheet, escaped for a character class. */
const formulaSigns = '=+\\-@|＝＋－＠';
const formulaStart = new RegExp(`^\\s*[${formulaSigns}\\t\\r]`);
const removableFormulaStart = new RegExp(`^[${formulaSigns}\\t]`);

export const protection = new RegExp(`^'(?=[\\d${formulaSigns}\\t'])`);

const plainInteger = /^(?:0|[1-9]\d{0,10})$/;
const time = String.raw`\d{1,4}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]m)?`;
const dayOrMonth = '(?:0?[1-9]|[12]\\d|3[01])';
const year = String.raw`(?:\d{4}|\d{2})`;
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

/** Cells that a spreadsheet would read as a number, date or time and rewrite. */
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
  // A single empty cell would be read as a blank line.
  if (cells.length === 1 && cells[0] === '') return '""';
  const quote = (cell: string) => {
    return needsQuotes.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  return cells.map(quote).join(delimiter);
}

export function escapeFormula(cell: string): string {
  // Invisible characters may precede the formula.
  return formulaStart.test(cleanText(cell)) ? `'${cell}` : cell;
}

/**
 * The cell without what starts an escape sequence, with a `'` before it, which cleanCell removes, when a spreadsheet
 * would run it or change the whole of it.
 */
export function protectCell(cell: string): string {
  const text = removeEscapes(cell);
  const isAtRisk = isRewritten(text) || removableFormulaStart.test(text) || protection.test(text);
  return isAtRisk ? `'${text}` : text;
}

/** For text from the service: cleaned, and protected even where our own reader would not remove the `'`. */
export function protectForeignCell(cell: string): string {
  // Cleaned first: removing a character afterwards could expose a formula.
  const cleaned = cleanText(cell);
  return formulaStart.test(cleaned) ? escapeFormula(cleaned) : protectCell(cleaned);
}

/** A spreadsheet reads the same number, so that it can be added up; it is no formula, also below zero. */
export function isPlainNumber(cell: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(cell);
}

function isRewritten(cell: string): boolean {
  return !plainInteger.test(cell) && rewritten.some((pattern) => pattern.test(cell));
}
