import { joinPieces, type Piece } from '../advice/advice.ts';
import { cleanCell, shorten } from '../clean-text.ts';
import { measureColumns } from './table.ts';

/** A longer text is cut. */
export const maxTextLength = 1000;

/** The text on lines of this width, wrapped between its words; a word that is longer than a line is cut. */
export function wrapText(text: string, width: number): string[] {
  const shown = shorten(cleanCell(text), maxTextLength);
  return packLines(toPieces(measured(shown), width), width);
}

/** A line, which may be indented, as `wrapAroundCommands` wraps its text. */
export function wrapLine(line: readonly Piece[], width: number): string[] {
  const [first = { text: '', isCommand: false }, ...others] = line;
  const text = first.text.trimStart();
  const indent = first.text.slice(0, first.text.length - text.length);
  return wrapAroundCommands([{ ...first, text }, ...others], width - indent.length).map(
    (part) => indent + part,
  );
}

/** Text with commands to paste, wrapped between its words: a command, with what follows it, and a long word stay whole. */
export function wrapAroundCommands(pieces: readonly Piece[], width: number): string[] {
  const text = joinPieces(pieces);
  if (text.length > maxTextLength || measure(text) <= width) return [text];
  const first = pieces.findIndex(({ isCommand }) => isCommand);
  const start = joinPieces(first < 0 ? pieces : pieces.slice(0, first)).length;
  const before = text.slice(0, start).trimEnd();
  const lines = packLines(toPieces(measured(before), width, 'whole'), width);
  if (first < 0) return lines;
  const separator = text.slice(before.length, start);
  const command = text.slice(start);
  const last = lines.pop() ?? '';
  const joined = last + separator + command;
  return [...lines, ...(last === '' || measure(joined) <= width ? [joined] : [last, command])];
}

function measure(text: string): number {
  return measureColumns([[text]])[0] ?? 0;
}

interface MeasuredText {
  text: string;
  width: number;
  /** Before it, when it is not the first on its line. */
  separator: string;
}

function measured(text: string): MeasuredText {
  return { text, width: measure(text), separator: '' };
}

/** A text that fits on a line, else its words; a word that does not fit in parts, or whole. */
export function toPieces(
  whole: MeasuredText,
  width: number,
  longWords: 'cut' | 'whole' = 'cut',
): MeasuredText[] {
  if (whole.width <= width) return [whole];
  const { text, separator } = whole;
  const words = text.split(' ');
  const widths = measureColumns([words]);
  return words.flatMap((word, index) => {
    const before = index === 0 ? separator : ' ';
    const wordWidth = widths[index] ?? 0;
    if (wordWidth <= width || longWords === 'whole')
      return [{ text: word, width: wordWidth, separator: before }];
    const letters = [...word];
    const size = wordWidth > letters.length ? Math.floor(width / 2) : width;
    return Array.from({ length: Math.ceil(letters.length / size) }, (_, part) => ({
      text: letters.slice(part * size, (part + 1) * size).join(''),
      width,
      separator: part === 0 ? before : '',
    }));
  });
}

export function packLines(pieces: readonly MeasuredText[], width: number): string[] {
  const lines: string[] = [];
  let used = 0;
  for (const piece of pieces) {
    const last = lines.length - 1;
    if (last >= 0 && used + piece.separator.length + piece.width <= width) {
      lines[last] += piece.separator + piece.text;
      used += piece.separator.length + piece.width;
      continue;
    }
    // A comma stays at the end of its line.
    if (last >= 0) lines[last] += piece.separator.trimEnd();
    lines.push(piece.text);
    used = piece.width;
  }
  return lines;
}
