import { cleanCell, shorten } from '../../clean-text.ts';
import { measureColumns } from '../table.ts';
import { maxTextLength, packLines, toPieces } from '../wrapped-text.ts';

/** A name with texts beside it. */
export interface Section {
  name: string;
  texts: readonly string[];
  /** Between two texts on a line. */
  separator: string;
  /** The most lines, even where there is room for more; a section without it is never folded. */
  maxLines?: number;
}

interface FoldedTexts {
  lines: string[];
  isFolded: boolean;
}

/**
 * Lays out sections on at most so many lines of this width: the longest are folded first, so that they end with
 * "and 9 more". Each keeps one line at least.
 */
export function foldSections(
  sections: readonly Section[],
  nameWidth: number,
  width: number,
  maxLines: number,
): FoldedTexts {
  // The last column is left free for the comma at the end of a line.
  const textWidth = Math.max(10, width - nameWidth - 1);
  const limits = sections.map((section) => section.maxLines);
  const fold = (section: Section, limit?: number) => foldTexts(section, textWidth, limit);
  const folded = sections.map((section) => fold(section, section.maxLines));
  for (;;) {
    const excess = folded.reduce((sum, { lines }) => sum + lines.length, 0) - maxLines;
    const lengths = folded.map(({ lines }, index) => (limits[index] === undefined ? 1 : lines.length));
    const longest = Math.max(1, ...lengths);
    if (excess <= 0 || longest === 1) break;
    const place = lengths.indexOf(longest);
    limits[place] = longest - 1;
    folded[place] = fold(sections[place] as Section, longest - 1);
  }
  return {
    isFolded: folded.some(({ isFolded }) => isFolded),
    lines: folded.flatMap(({ lines }, index) =>
      lines.map((line, row) => `${(row === 0 ? sections[index]?.name : '')?.padEnd(nameWidth)}${line}`),
    ),
  };
}

function foldTexts(
  { texts, separator }: Pick<Section, 'texts' | 'separator'>,
  width: number,
  maxLines = Number.POSITIVE_INFINITY,
): FoldedTexts {
  // No more can fit: each takes one column at least.
  const cleaned = texts
    .slice(0, Math.min(texts.length, maxLines * width))
    .map((text) => shorten(cleanCell(text), maxTextLength));
  const widths = cleaned.length === 0 ? [] : measureColumns([cleaned]);
  const pieces = cleaned.map((text, index) =>
    toPieces({ text, width: widths[index] ?? 0, separator }, width),
  );
  for (let shown = cleaned.length; shown > 0; shown -= 1) {
    const rest = texts.length - shown;
    const more = `and ${rest} more`;
    const end = rest === 0 ? [] : [{ text: more, width: more.length, separator: ' ' }];
    const lines = packLines([...pieces.slice(0, shown).flat(), ...end], width);
    if (lines.length <= maxLines) return { lines, isFolded: rest > 0 };
  }
  const more = texts.length === 1 ? '' : ` and ${texts.length - 1} more`;
  const lines = packLines(pieces[0] ?? [], width).slice(0, maxLines);
  const last = lines.at(-1) ?? '';
  lines[lines.length - 1] = `${last.slice(0, Math.max(0, width - more.length - 1))}…${more}`;
  return { lines, isFolded: true };
}
