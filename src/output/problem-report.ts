import type { FoldedProblem, ReportedProblem } from '../import/problem.ts';
import { cleanCell } from './print.ts';

const maxShown = 20;
const maxValueLength = 80;

export function formatProblems(causes: readonly FoldedProblem<ReportedProblem>[]): string {
  const shown = causes.slice(0, maxShown).map(formatCause);
  const rest = causes.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [`and ${rest} more ${rest === 1 ? 'kind of problem' : 'kinds of problems'}`] : []),
  ].join('\n\n');
}

function formatCause({ first, others, otherRows }: FoldedProblem<ReportedProblem>): string {
  const { value, problem, fix } = first;
  return [
    headline(first),
    ...(value === undefined ? [] : [`  value    ${shorten(value)}`]),
    `  problem  ${problem}`,
    ...(fix === '' ? [] : [`  fix      ${fix}`]),
    ...(others === 0 ? [] : [`           same in ${countOthers(others, otherRows)}`]),
  ]
    .map(cleanCell)
    .join('\n');
}

function shorten(value: string): string {
  const characters = [...value.slice(0, 2 * maxValueLength)];
  return characters.length > maxValueLength ? `${characters.slice(0, maxValueLength).join('')}…` : value;
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
  const parts = [
    severity === 'warning' ? `warning: ${where}` : where,
    externalOrderId ? `order ${externalOrderId}` : undefined,
    column === undefined ? field : `column ${column}${field ? ` ${field}` : ''}`,
    code,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join('  ');
}

function countOthers(others: number, rows: readonly number[]): string {
  const more = rows.length < others ? ', ...' : '';
  return `${others} more ${others === 1 ? 'row' : 'rows'}: ${rows.join(', ')}${more}`;
}
