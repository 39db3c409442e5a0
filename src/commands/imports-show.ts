import type { Context } from '../context.ts';
import { fileBeside } from '../import/file-beside.ts';
import type { PastRun } from '../ledger/run-history.ts';
import { commandFor, findRun, toRecord } from './imports-record.ts';

export async function runShow(context: Context, reference: string): Promise<void> {
  const past = await context.history();
  try {
    const run = findRun(past, reference);
    const counts = past.count(run);
    context.report.facts(toRecord(run, counts));
    const next = nextStep(context, run, counts);
    if (next !== undefined) context.print.note(next);
  } finally {
    past.close();
  }
}

/** The one thing to do next; undefined when every order is there. */
function nextStep(context: Context, run: PastRun, counts: Record<string, number>): string | undefined {
  const count = (...outcomes: string[]) => outcomes.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  if (run.progress === 'running') return 'It is still running.';
  if (count('unknown') > 0) {
    return `To settle what is unknown: ${commandFor(context, ['imports', 'settle', run.id])}`;
  }
  if (count('not_sent') > 0) {
    const command = commandFor(context, ['import', run.file]);
    return `To send the others, run the same import again, with the flags that it had: ${command}`;
  }
  if (count('rejected', 'invalid', 'conflict') > 0) {
    return `To be mended: ${fileBeside(run.file, 'rejects')}, if it was written where it usually is.`;
  }
  return undefined;
}
