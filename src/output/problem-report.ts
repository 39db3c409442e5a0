import { cleanCell } from './clean-text.ts';

/** A problem of a file as it is shown; where, what, and what to do. */
export interface ReportedProblem {
  about: 'file' | 'header' | 'order';
  severity: 'error' | 'warning';
  code: string;
  problem: string;
  fix: string;
  row?: number;
  line?: number;
  column?: string;
  header?: string;
  path?: string;
  value?: string;
  externalOrderId?: string;
}

const mostShown = 20;
const mostRowsNamed = 6;
const longestValue = 80;
const ranks = { file: 0, header: 1, order: 2 };

/**
 * Problems for a person: those of the file first, then of the header, then of the orders by row; the same cause
 * is told once, with the other rows it concerns.
 */
export function formatProblems(problems: readonly ReportedProblem[]): string {
  const folded = fold(
    [...problems].sort((left, right) => ranks[left.about] - ranks[right.about] || byRow(left, right)),
  );
  const shown = folded.slice(0, mostShown).map(formatProblem);
  const rest = folded.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [`and ${rest} more ${rest === 1 ? 'kind of problem' : 'kinds of problems'}`] : []),
  ].join('\n\n');
}

interface Folded {
  first: ReportedProblem;
  otherRows: number[];
}

function fold(problems: readonly ReportedProblem[]): Folded[] {
  const byCause = new Map<string, Folded>();
  for (const problem of problems) {
    const cause = [
      problem.about,
      problem.severity,
      problem.code,
      problem.about === 'header' ? problem.column : undefined,
      problem.path?.replace(/\[\d+\]/g, '[]'),
      problem.problem,
    ].join('\n');
    const folded = byCause.get(cause);
    if (folded === undefined) byCause.set(cause, { first: problem, otherRows: [] });
    else if (problem.row !== undefined) folded.otherRows.push(problem.row);
  }
  return [...byCause.values()];
}

function formatProblem({ first, otherRows }: Folded): string {
  const { value, problem, fix } = first;
  return [
    headline(first),
    ...(value === undefined ? [] : [`  value    ${shorten(value)}`]),
    `  problem  ${problem}`,
    `  fix      ${fix}`,
    ...(otherRows.length === 0 ? [] : [`           same in ${countRows(otherRows)}`]),
  ]
    .map(cleanCell)
    .join('\n');
}

function shorten(value: string): string {
  const characters = [...value.slice(0, 2 * longestValue)];
  return characters.length > longestValue ? `${characters.slice(0, longestValue).join('')}…` : value;
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

function countRows(rows: readonly number[]): string {
  const named = rows.slice(0, mostRowsNamed).join(', ');
  const more = rows.length > mostRowsNamed ? ', ...' : '';
  return `${rows.length} more ${rows.length === 1 ? 'place: row' : 'places: rows'} ${named}${more}`;
}

function byRow(left: ReportedProblem, right: ReportedProblem): number {
  return (left.row ?? 0) - (right.row ?? 0);
}
