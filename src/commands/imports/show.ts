import { advice, command, commandFor, type Text } from '../../advice/advice.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { fileBeside, formatResults, type ResultRow } from '../../import/results/files.ts';
import {
  cureOfTwice,
  describeCopies,
  noOutcomes,
  notesOnCopies,
  sameIdOf,
  twice,
} from '../../import/results/order-outcome.ts';
import type { PastRun, RunHistory } from '../../ledger/run-history.ts';
import type { RunResult } from '../../ledger/run-log.ts';
import { drained } from '../../output/print.ts';
import type { PastImport } from '../../output/reporter.ts';

export async function runImports({ history, report, print, clock }: Context, limit: number): Promise<void> {
  const past = await history();
  try {
    const runs = past.list(limit + 1);
    const shown = runs.slice(0, limit).map((found) => toRecord(found, past.count(found)));
    report.imports(shown, clock.now());
    if (runs.length === 0) print.note('No imports.');
    if (runs.length > limit) print.note(`There are more: add --limit ${limit * 5}.`);
  } finally {
    past.close();
  }
}

export async function runShow(context: Context, reference: string): Promise<void> {
  const past = await context.history();
  try {
    const run = findRun(past, reference);
    if (context.report.showsResults) return await printResults(context, past, run);
    const counts = past.count(run);
    context.report.facts(toRecord(run, counts));
    const several = past.several(run).flatMap((order) => sameIdOf(order) ?? []);
    for (const note of notesOnCopies(several)) context.print.note(note);
    if (several.length > 0) context.print.note(cureOfTwice(several));
    const next = nextStep(context, run, counts);
    if (next !== undefined) context.print.note(next);
  } finally {
    past.close();
  }
}

async function printResults(
  { print, system, settings }: Context,
  past: RunHistory,
  run: PastRun,
): Promise<void> {
  if (settings.columns !== undefined) {
    throw new CliError('usage', 'A results file has all its columns.', {
      hint: 'Remove --columns, or use another format.',
    });
  }
  let lines = 0;
  for (const line of formatResults(toRows(past.results(run)))) {
    if (lines > 0 || settings.header) print.data(line);
    lines += 1;
    await drained(system.stdout);
  }
  const missing = run.orders - (lines - 1);
  if (missing > 0) print.note(notIncluded(missing));
}

/** As in the results file, so far as the ledger has it. */
function* toRows(results: Iterable<RunResult>): Generator<ResultRow> {
  for (const { copies = null, ...result } of results) {
    const { externalOrderId, orderId = null, orderNumber = null } = result;
    const sameId = sameIdOf({ externalOrderId, copies, orderId, orderNumber });
    yield sameId === undefined ? result : { ...result, code: twice, message: describeCopies(sameId) };
  }
}

function notIncluded(count: number): string {
  const orders = count === 1 ? '1 order is' : `${count} orders are`;
  return `${orders} missing from the results: the ledger has no entries for orders that were not sent.`;
}

function nextStep(context: Context, run: PastRun, counts: Record<string, number>): Text | undefined {
  const count = (...outcomes: string[]) => outcomes.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  if (run.progress === 'running') return 'It is still running.';
  if (count('unknown') > 0) {
    return advice`To settle the unknown outcomes, run:\n  ${commandFor(context, ['settle', run.id])}`;
  }
  if (count('not_sent') > 0) {
    const command = commandFor(context, ['import', run.file]);
    return advice`To send the others, run the same import again, with the same flags:\n  ${command}`;
  }
  if (count('rejected', 'invalid', 'conflict') > 0) {
    return `To fix: ${fileBeside(run.file, 'rejects')}, if the rejects file was written to its default path.`;
  }
  return undefined;
}

const endingOfExitCode: Record<number, string> = {
  [exitCodes.done]: 'done',
  [exitCodes.keyRefused]: 'key rejected',
  [exitCodes.partly]: 'some must be fixed',
  [exitCodes.unreachable]: 'stopped, not all sent',
  [exitCodes.outcomeUnknown]: 'outcomes unknown',
  [exitCodes.interrupted]: 'stopped by Ctrl-C',
  [exitCodes.terminated]: 'terminated',
};

/** Accepts an ID or its prefix. Error: `usage` unless exactly one run matches. */
function findRun(history: RunHistory, reference: string): PastRun {
  const [run, ...others] = history.find(reference);
  if (run === undefined) {
    throw new CliError('usage', `There is no import with the ID ${reference} on this machine.`, {
      hint: advice`To list the imports, run: ${command('imports')}`,
    });
  }
  if (others.length === 0) return run;
  const ids = [run, ...others].map(({ id }) => id).join(', ');
  throw new CliError('usage', `${reference} matches several imports: ${ids}.`, {
    hint: 'Use more characters of the ID.',
  });
}

function toRecord(run: PastRun, counts: Record<string, number>): PastImport {
  const { id, file, service, startedAt, endedAt, exitCode, orders } = run;
  return {
    run: id,
    file,
    service,
    sandbox: isOfSandbox(run),
    startedAt: new Date(startedAt).toISOString(),
    endedAt: endedAt === undefined ? null : new Date(endedAt).toISOString(),
    ended: endingOf(run, counts),
    exitCode: exitCode ?? null,
    orders: { total: orders, ...noOutcomes(), ...counts },
  };
}

function isOfSandbox({ service }: PastRun): boolean {
  return service.startsWith('sandbox ');
}

function endingOf({ progress, exitCode }: PastRun, counts: Record<string, number>): string {
  if (progress !== 'ended') return progress;
  if (exitCode === exitCodes.unreachable && !counts.not_sent) return 'all sent, not all written';
  return endingOfExitCode[exitCode ?? -1] ?? `exit code ${exitCode}`;
}
