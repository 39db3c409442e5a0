import type { Context } from '../context.ts';
import type { Plan } from '../import/import-plan.ts';
import { isSendable } from '../import/plan.ts';
import { invalidOutcome, type Reject, rejectsOf } from '../import/rejects.ts';
import { countSurvey } from '../import/summary.ts';
import { formatCommandLine } from '../output/command-line.ts';
import { mendedCommand, reportImport, writeRejects } from './import-end.ts';
import type { ImportJob } from './import-job.ts';
import { invalidOrders } from './import-problems.ts';

/** Ends an import whose orders need mending, with the file to mend them in. Error: `order_invalid`. */
export async function stopForOrders(context: Context, job: ImportJob): Promise<void> {
  const { files, plan } = job;
  const { selected, invalid } = plan.survey;
  const good = selected - invalid;
  const rejects = (await writeRejects(context, job, () => invalidRows(plan))) ?? files.rejects;
  const skip = formatCommandLine([...context.system.args, '--on-invalid', 'skip']);
  const hint = [
    `Mend them in ${rejects} and run:  ${mendedCommand(context, job, rejects)}`,
    ...(good > 0 ? [`or send the ${good === 1 ? 'good one' : `${good} good ones`} now:  ${skip}`] : []),
  ].join('\n');
  const error = invalidOrders(job, hint);
  reportImport(context, job, countSurvey(plan.survey), { error, rejects });
  throw error;
}

async function* invalidRows(plan: Plan): AsyncGenerator<Reject[]> {
  for await (const batch of plan.orders()) {
    for (const { planned, isSelected } of batch) {
      if (isSelected && !isSendable(planned)) yield rejectsOf(planned, invalidOutcome(planned));
    }
  }
}
