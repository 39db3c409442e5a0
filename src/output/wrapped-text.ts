import { joinPieces, type Piece, type Say, t } from '../advice/advice.ts';
import { cleanCell, shorten } from '../clean-text.ts';
import { padTo, widthOf } from '../text-width.ts';

const maxTextLength = 1000;

/** Wrapped between words; a word that is longer than a line is cut. */
export function wrapText(text: string, width: number): string[] {
  const shown = shorten(cleanCell(text), maxTextLength);
  return packLines(toPieces(measured(shown), width), width);
}

/** As `wrapAroundCommands`, with the indentation of the line. */
export function wrapLine(line: readonly Piece[], width: number): string[] {
  const [first = { text: '', isCommand: false }, ...others] = line;
  const text = first.text.trimStart();
  const indent = first.text.slice(0, first.text.length - text.length);
  return wrapAroundCommands([{ ...first, text }, ...others], width - indent.length).map(
    (part) => indent + part,
  );
}

/** Wrapped between words, but a command, with what follows it, stays whole for pasting, and so does a long word. */
export function wrapAroundCommands(pieces: readonly Piece[], width: number): string[] {
  const text = joinPieces(pieces);
  if (text.length > maxTextLength || widthOf(text) <= width) return [text];
  const first = pieces.findIndex(({ isCommand }) => isCommand);
  const start = joinPieces(first < 0 ? pieces : pieces.slice(0, first)).length;
  const before = text.slice(0, start).trimEnd();
  const lines = packLines(toPieces(measured(before), width, 'whole'), width);
  if (first < 0) return lines;
  const separator = text.slice(before.length, start);
  const command = text.slice(start);
  const last = lines.pop() ?? '';
  const joined = last + separator + command;
  return [...lines, ...(last === '' || widthOf(joined) <= width ? [joined] : [last, command])];
}

interface MeasuredText {
  text: string;
  width: number;
  /** Written before it unless it is first on its line. */
  separator: string;
}

function measured(text: string): MeasuredText {
  return { text, width: widthOf(text), separator: '' };
}

/** The whole text if it fits on a line, else its words; a word that does not fit is cut into parts. */
function toPieces(whole: MeasuredText, width: number, longWords: 'cut' | 'whole' = 'cut'): MeasuredText[] {
  if (whole.width <= width) return [whole];
  const { text, separator } = whole;
  const words = text.split(' ');
  return words.flatMap((word, index) => {
    const before = index === 0 ? separator : ' ';
    const wordWidth = widthOf(word);
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

function packLines(pieces: readonly MeasuredText[], width: number): string[] {
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

export interface Section {
  name: string;
  texts: readonly string[];
  separator: string;
  /** A section without it is never folded. */
  maxLines?: number;
}

/** One column stays free for a comma at the end of the line. */
export function widthBeside(nameWidth: number, width: number): number {
  return Math.max(10, width - nameWidth - 1);
}

/** The longest sections are folded first, to end with "and 9 more"; each keeps at least one line. */
export function foldSections(
  sections: readonly Section[],
  nameWidth: number,
  width: number,
  { maxLines, say }: { maxLines: number; say: Say },
): string[] {
  const textWidth = widthBeside(nameWidth, width);
  const limits = sections.map((section) => section.maxLines);
  const fold = (section: Section, limit?: number) =>
    foldTexts(section, { width: textWidth, maxLines: limit, say });
  const folded = sections.map((section) => fold(section, section.maxLines));
  for (;;) {
    const excess = folded.reduce((sum, lines) => sum + lines.length, 0) - maxLines;
    const lengths = folded.map((lines, index) => (limits[index] === undefined ? 1 : lines.length));
    const longest = Math.max(1, ...lengths);
    if (excess <= 0 || longest === 1) break;
    const place = lengths.indexOf(longest);
    limits[place] = longest - 1;
    folded[place] = fold(sections[place] as Section, longest - 1);
  }
  return folded.flatMap((lines, index) =>
    lines.map((line, row) => `${padTo(row === 0 ? (sections[index]?.name ?? '') : '', nameWidth)}${line}`),
  );
}

function foldTexts(
  { texts, separator }: Pick<Section, 'texts' | 'separator'>,
  {
    width,
    maxLines = Number.POSITIVE_INFINITY,
    say,
  }: { width: number; maxLines?: number | undefined; say: Say },
): string[] {
  const cleaned = texts
    .slice(0, Math.min(texts.length, maxLines * width))
    .map((text) => shorten(cleanCell(text), maxTextLength));
  const pieces = cleaned.map((text) => toPieces({ ...measured(text), separator }, width));
  for (let shown = cleaned.length; shown > 0; shown -= 1) {
    const rest = texts.length - shown;
    const more = say(t`and ${rest} more`);
    const end = rest === 0 ? [] : [{ text: more, width: more.length, separator: ' ' }];
    const lines = packLines([...pieces.slice(0, shown).flat(), ...end], width);
    if (lines.length <= maxLines) return lines;
  }
  const more = texts.length === 1 ? '' : ` ${say(t`and ${texts.length - 1} more`)}`;
  const lines = packLines(pieces[0] ?? [], width).slice(0, maxLines);
  const last = lines.at(-1) ?? '';
  lines[lines.length - 1] = `${last.slice(0, Math.max(0, width - more.length - 1))}…${more}`;
  return lines;
}
