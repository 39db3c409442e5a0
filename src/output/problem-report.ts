import { joinPieces, joinTexts, type Piece, type Say, type Text, t } from '../advice/advice.ts';
import { cleanCell, shorten } from '../clean-text.ts';
import type { FoldedProblem, ReportedProblem } from '../import/problem.ts';
import { padTo, widthOf } from '../text-width.ts';
import { describeOthers } from './error-text.ts';
import { wrapAroundCommands, wrapText } from './wrapped-text.ts';

const maxShown = 20;
const maxValueLength = 80;
const names = { value: t`value`, problem: t`problem`, fix: t`fix` };

/** Lines are wrapped only if there is a width. */
export function formatProblems(
  causes: readonly FoldedProblem<ReportedProblem>[],
  say: Say,
  width?: number,
): string {
  const shown = causes.slice(0, maxShown).map((cause) => formatCause(cause, say, width));
  const rest = causes.length - shown.length;
  return [...shown, ...(rest > 0 ? [say(t`and ${rest} more {kind|kinds} of {problem|problems}`)] : [])].join(
    '\n\n',
  );
}

function formatCause(
  { first, others, otherRows }: FoldedProblem<ReportedProblem>,
  say: Say,
  width: number | undefined,
): string {
  const { value, problem, fix } = first;
  const nameWidth = Math.max(...Object.values(names).map((name) => widthOf(say(name))));
  const lines: [name: Text, text: Text | undefined][] = [
    [names.value, value === undefined ? undefined : shorten(value, maxValueLength)],
    [names.problem, problem],
    [names.fix, fix === '' ? undefined : fix],
    ['', others === 0 ? undefined : describeOthers(others, otherRows)],
  ];
  return [
    ...wrapBeside('', cleanPieces(headline(first), say), width),
    ...lines.flatMap(([name, text]) => {
      if (text === undefined) return [];
      const shown = `  ${padTo(say(name), nameWidth)}  `;
      return wrapBeside(shown, cleanPieces(text, say), width, name === names.fix);
    }),
  ].join('\n');
}

function cleanPieces(text: Text, say: Say): Piece[] {
  return say.pieces(text).map((piece) => ({ ...piece, text: cleanCell(piece.text) }));
}

/** Further lines are indented below the first one. */
function wrapBeside(
  name: string,
  pieces: readonly Piece[],
  width: number | undefined,
  hasCommands = false,
): string[] {
  const text = joinPieces(pieces);
  if (width === undefined) return [`${name}${text}`];
  const indent = Math.max(2, widthOf(name));
  const room = Math.max(20, width - indent);
  const [first = '', ...rest] = hasCommands ? wrapAroundCommands(pieces, room) : wrapText(text, room);
  return [`${name}${first}`, ...rest.map((line) => `${' '.repeat(indent)}${line}`)];
}

function headline({
  about,
  severity,
  row,
  line,
  column,
  header,
  path,
  code,
  reason,
  externalOrderId,
}: ReportedProblem): Text {
  const place = about === 'header' ? t`header` : row === undefined ? t`file` : t`row ${row}`;
  const where = line !== undefined && line !== row ? t`${place} (line ${line})` : place;
  const field =
    header !== undefined && header !== path && path !== undefined ? `${header} → ${path}` : (path ?? header);
  const shownField = field === undefined ? '' : shorten(field, 2 * maxValueLength);
  const inColumn = column === undefined ? shownField : columnText(column, shownField);
  const parts = [
    severity === 'warning' ? t`warning: ${where}` : where,
    externalOrderId ? t`order ${shorten(externalOrderId, maxValueLength)}` : '',
    inColumn,
    reason === undefined ? code : `${code} (${reason})`,
  ];
  return joinTexts(
    parts.filter((part) => part !== ''),
    '  ',
  );
}

function columnText(column: string, field: string): Text {
  return field === '' ? t`column ${column}` : t`column ${column} ${field}`;
}
