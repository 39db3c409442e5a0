import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { Plan } from '../../import/orders/plan-import.ts';
import type { Problem } from '../../import/problem.ts';
import { formatCommandLine } from '../../output/error-text.ts';
import { formatProblems } from '../../output/problem-report.ts';
import type { ImportJob } from './read.ts';

/** A problem of the file or its header ends it: what the orders are is not known then. */
export function stopForFile({ print, system }: Context, file: string, plan: Plan): void {
  if (!plan.isBroken) return;
  const about = plan.problems.filter(({ first }) => first.about !== 'order');
  print.note(formatProblems(about));
  print.note('');
  throw new CliError('file_invalid', `${file} cannot be imported as it is. Nothing was sent.`, {
    hint: `Mend it and run: ${formatCommandLine(system.args)}`,
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

/** The error of a file with orders that need mending. */
export function invalidOrders({ file, plan }: ImportJob, hint: string): CliError {
  const { selected, invalid } = plan.survey;
  const orders = selected === 1 ? '1 order' : `${selected} orders`;
  const sentence = `${file}: ${orders}, ${invalid} ${invalid === 1 ? 'needs' : 'need'} mending. Nothing was sent.`;
  const issues = plan.errors.map(toIssue);
  return new CliError('order_invalid', sentence, { hint, issues, hasShownIssues: true, outcome: 'not_sent' });
}

function toIssue({ row, path, header, code, problem, fix, value }: Problem) {
  const place = row === undefined ? '' : `row ${row}: `;
  return {
    path: path ?? header ?? '',
    code,
    message: `${place}${problem}; ${fix}`,
    ...(value === undefined ? {} : { value }),
  };
}
