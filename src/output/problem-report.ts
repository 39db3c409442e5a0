import { joinPieces, type Piece, piecesOf, type Text } from '../advice/advice.ts';
import type { UserShell } from '../advice/command-line.ts';
import { cleanCell, shorten } from '../clean-text.ts';
import type { FoldedProblem, ReportedProblem } from '../import/problem.ts';
import { countOthers } from './error-text.ts';
import { wrapAroundCommands, wrapText } from './wrapped-text.ts';

const maxShown = 20;
const maxValueLength = 80;
const fixName = '  fix      ';

/** Lines are wrapped only if there is a width. */
export function formatProblems(
  causes: readonly FoldedProblem<ReportedProblem>[],
  shell: UserShell,
  width?: number,
): string {
  const shown = causes.slice(0, maxShown).map((cause) => formatCause(cause, shell, width));
  const rest = causes.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [`and ${rest} more ${rest === 1 ? 'kind of problem' : 'kinds of problems'}`] : []),
  ].join('\n\n');
}

function formatCause(
  { first, others, otherRows }: FoldedProblem<ReportedProblem>,
  shell: UserShell,
  width: number | undefined,
): string {
  const { value, problem, fix } = first;
  const lines: [name: string, text: Text | undefined][] = [
    ['', headline(first)],
    ['  value    ', value === undefined ? undefined : shorten(value, maxValueLength)],
    ['  problem  ', problem],
    [fixName, fix === '' ? undefined : fix],
    ['           ', others === 0 ? undefined : `same in ${countOthers(others, otherRows)}`],
  ];
  return lines
    .flatMap(([name, text]) => (text === undefined ? [] : wrapBeside(name, cleanPieces(text, shell), width)))
    .join('\n');
}

function cleanPieces(text: Text, shell: UserShell): Piece[] {
  return piecesOf(text, shell).map((piece) => ({ ...piece, text: cleanCell(piece.text) }));
}

/** Further lines are indented below the first one. */
function wrapBeside(name: string, pieces: readonly Piece[], width: number | undefined): string[] {
  const text = joinPieces(pieces);
  if (width === undefined) return [`${name}${text}`];
  const indent = Math.max(2, name.length);
  const room = Math.max(20, width - indent);
  const [first = '', ...rest] = name === fixName ? wrapAroundCommands(pieces, room) : wrapText(text, room);
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
  externalOrderId,
}: ReportedProblem): string {
  const place = about === 'header' ? 'header' : row === undefined ? 'file' : `row ${row}`;
  const where = line !== undefined && line !== row ? `${place} (line ${line})` : place;
  const field =
    header !== undefined && header !== path && path !== undefined ? `${header} → ${path}` : (path ?? header);
  const shownField = field === undefined ? undefined : shorten(field, 2 * maxValueLength);
  const parts = [
    severity === 'warning' ? `warning: ${where}` : where,
    externalOrderId ? `order ${shorten(externalOrderId, maxValueLength)}` : undefined,
    column === undefined ? shownField : `column ${column}${shownField ? ` ${shownField}` : ''}`,
    code,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join('  ');
}
