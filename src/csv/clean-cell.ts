const zeroWidth = '\u200b\u200c\u200d\u2060';
const formulaText = /^="((?:[^"]|"")*)"$/;
const protection = /^'(?=[\d=+\-@\t'])/;

/** A cell without spaces around it and without what protects it: `="0123"`, a trailing TAB, the `'` of protectCell. */
export function cleanCell(cell: string): string {
  if (cell === '' || (isPlain(cell.charCodeAt(0)) && isPlain(cell.charCodeAt(cell.length - 1)))) return cell;
  const trimmed = trim(cell);
  const formula = formulaText.exec(trimmed)?.[1];
  const text = formula === undefined ? trimmed : trim(formula.replaceAll('""', '"'));
  return text.replace(protection, '');
}

/** In linear time; a pattern for the end would look at every space inside the cell. */
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

function isPlain(code: number): boolean {
  return code > 0x20 && code < 0x1680 && code !== 0x27 && code !== 0x3d && (code < 0x7f || code > 0xa0);
}
