import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import type { Plan, PlannedOrder } from '../import/plan.ts';
import { formatCommandLine } from '../output/command-line.ts';
import { formatProblems } from '../output/problem-report.ts';
import type { ImportJob } from './import-job.ts';

/** A problem of the file or its header ends it: what the orders are is not known then. */
export function stopForFile({ print, system }: Context, file: string, { problems }: Plan): void {
  if (problems.length === 0) return;
  print.note(formatProblems(problems));
  print.note('');
  throw new CliError('file_invalid', `${file} cannot be imported as it is. Nothing was sent.`, {
    hint: `Mend it and run: ${formatCommandLine(system.args)}`,
    issues: problems.map(toIssue),
    hasShownIssues: true,
    outcome: 'not_sent',
  });
}

export function showProblems({ print }: Context, selected: PlannedOrder[]): void {
  const problems = selected.flatMap((order) => order.problems);
  if (problems.length === 0) return;
  print.note(formatProblems(problems));
  print.note('');
}

/** The error of a file with orders that need mending. */
export function invalidOrders({ file, selected }: ImportJob, invalid: number, hint: string): CliError {
  const orders = selected.length === 1 ? '1 order' : `${selected.length} orders`;
  const sentence = `${file}: ${orders}, ${invalid} ${invalid === 1 ? 'needs' : 'need'} mending. Nothing was sent.`;
  const errors = selected.flatMap((order) => order.problems.filter(({ severity }) => severity === 'error'));
  const issues = errors.map(toIssue);
  return new CliError('order_invalid', sentence, { hint, issues, hasShownIssues: true, outcome: 'not_sent' });
}

function toIssue({ row, path, header, code, problem, fix, value }: Plan['problems'][number]) {
  const place = row === undefined ? '' : `row ${row}: `;
  return {
    path: path ?? header ?? '',
    code,
    message: `${place}${problem}; ${fix}`,
    ...(value === undefined ? {} : { value }),
  };
}
