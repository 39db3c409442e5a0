const zeroWidth = '\u200b\u200c\u200d\u2060';
const formulaText = /^="((?:[^"]|"")*)"$/;
const protection = /^'(?=[\d=+\-@\t'])/;

/**
 * The text a cell stands for: without spaces around it and without what shops and spreadsheets add to protect it
 * (`="0123"`, a trailing TAB, a leading `'`). Nothing is guessed: every cell stays text.
 */
export function cleanCell(cell: string): string {
  if (cell === '' || (isOrdinary(cell.charCodeAt(0)) && isOrdinary(cell.charCodeAt(cell.length - 1)))) {
    return cell;
  }
  const trimmed = trim(cell);
  const formula = formulaText.exec(trimmed)?.[1];
  const text = formula === undefined ? trimmed : trim(formula.replaceAll('""', '"'));
  return text.replace(protection, '');
}

/** Ordinary, no-break and zero-width spaces; a pattern for the end would look at every space inside a cell. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charAt(start))) start += 1;
  while (end > start && isSpace(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isSpace(character: string): boolean {
  return character.trim() === '' || zeroWidth.includes(character);
}

/** No cell that begins and ends with such a character has anything to take off. */
function isOrdinary(code: number): boolean {
  return code > 0x20 && code < 0x1680 && code !== 0x27 && code !== 0x3d && (code < 0x7f || code > 0xa0);
}
