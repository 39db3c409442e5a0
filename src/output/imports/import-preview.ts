import { cleanCell } from '../../clean-text.ts';
import { measureColumns } from '../table.ts';
import { wrapText } from '../wrapped-text.ts';
import { foldSections, type Section } from './folded-list.ts';
import { type ImportPreview, sectionsOf } from './preview-sections.ts';

export interface PreviewLook {
  width: number;
  /** Shows all of it, on as many lines as it takes. */
  isDetailed: boolean;
  /** What is asked below the preview, on the same screen. */
  question?: string;
}

const screenLines = 24;
const nameWidth = 15;
/** How much is shown of a text and of the rows of a warning. */
const limited = { length: 60, rows: 3 };
const unlimited = { length: Number.POSITIVE_INFINITY, rows: 20, lines: Number.POSITIVE_INFINITY };

/** One screen, the most important last; what does not fit is counted. */
export function formatImportPreview(
  preview: ImportPreview,
  { width, isDetailed, question }: PreviewLook,
): string {
  const file = cleanCell(preview.file);
  if (isDetailed) {
    const sections = sectionsOf(preview, unlimited).flatMap(({ maxLines: _, ...section }) =>
      section.name === 'first order' ? oneByOne(section) : [section],
    );
    return [file, ...foldSections(sections, nameWidth, width, unlimited.lines).lines].join('\n');
  }
  // A blank line stands between the two.
  const below = question === undefined ? 0 : 1 + wrapQuestion(question, width).length;
  const sections = sectionsOf(preview, limited);
  const { lines, isFolded } = foldSections(sections, nameWidth, width, screenLines - 1 - below);
  return [formatTitle(file, isFolded, width), ...lines].join('\n');
}

const promptWidth = '? '.length + ' (y/N) '.length;

/** A question on lines of its own, with room for what the prompt adds. */
export function wrapQuestion(question: string, width: number): string[] {
  return wrapText(question, Math.max(20, width - promptWidth));
}

const detailsHint = '   (--details shows everything)';
const shortDetailsHint = '   (more: --details)';
const minFileWidth = 20;

/** The end of a path says which file it is. */
function formatTitle(file: string, isFolded: boolean, width: number): string {
  const isNarrow = width < detailsHint.length + minFileWidth;
  const hint = !isFolded ? '' : isNarrow ? shortDetailsHint : detailsHint;
  const letters = [...file];
  const [fileWidth = 0] = measureColumns([[file]]);
  const columns = Math.max(10, width - hint.length);
  const room = fileWidth > letters.length ? Math.floor(columns / 2) : columns;
  return `${letters.length > room ? `…${letters.slice(1 - room).join('')}` : file}${hint}`;
}

/** Each text on a line of its own. */
function oneByOne({ name, texts, separator }: Section): Section[] {
  return texts.map((text, index) => ({ name: index === 0 ? name : '', texts: [text], separator }));
}
