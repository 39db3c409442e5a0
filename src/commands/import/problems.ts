import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { Plan } from '../../import/orders/plan-import.ts';
import type { Problem } from '../../import/problem.ts';
import { formatCommandLine } from '../../output/error-text.ts';
import { formatProblems } from '../../output/problem-report.ts';
import type { ImportJob } from './read.ts';

/** Shows the problems of the file and its header. Error: `file_invalid` when there are any. */
export function stopForFile({ print, system }: Context, file: string, plan: Plan): void {
  if (!plan.isBroken) return;
  const about = plan.problems.filter(({ first }) => first.about !== 'order');
  print.note(formatProblems(about));
  print.note('');
  throw new CliError('file_invalid', `${file} cannot be imported as it is. Nothing was sent.`, {
    hint: `Fix it and run: ${formatCommandLine(system.args)}`,
    issues: about.map(({ first }) => toIssue(first)),
    hasShownIssues: true,
    outcome: 'not_sent',
  });
}

export function showProblems({ print }: Context, { problems }: Plan): void {
  if (problems.length === 0) return;
  print.note(formatProblems(problems));
  print.note('');
}

/** The error for a file with invalid orders. */
export function invalidOrders({ file, plan }: ImportJob, hint: string): CliError {
  const { selected, invalid } = plan.counts;
  const orders = selected === 1 ? '1 order' : `${selected} orders`;
  const sentence = `${file}: ${orders}, ${invalid} ${invalid === 1 ? 'needs' : 'need'} fixing. Nothing was sent.`;
  const issues = plan.errors.map(toIssue);
  return new CliError('order_invalid', sentence, { hint, issues, hasShownIssues: true, outcome: 'not_sent' });
}

function toIssue({ row, path, header, code, problem, fix, value }: Problem) {
  const location = row === undefined ? '' : `row ${row}: `;
  return {
    path: path ?? header ?? '',
    code,
    message: `${location}${problem}; ${fix}`,
    ...(value === undefined ? {} : { value }),
  };
}
