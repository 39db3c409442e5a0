import { command, commandFor, joinTexts, type Text, t } from '../../advice/advice.ts';
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
import { outcomeText } from '../../output/outcomes.ts';
import { drained } from '../../output/print.ts';
import type { PastImport } from '../../output/reporter.ts';
import { formatLocalTime } from '../../output/times.ts';

export async function runImports({ history, report, print, clock }: Context, limit: number): Promise<void> {
  const past = await history();
  try {
    const runs = past.list(limit + 1);
    const shown = runs.slice(0, limit).map((run) => ({ run, counts: past.count(run) }));
    report.imports(
      shown.map(({ run, counts }) => toRecord(run, counts)),
      { now: clock.now(), endings: shown.map(({ run, counts }) => endingOf(run, counts)) },
    );
    if (runs.length === 0) print.note(t`No imports.`);
    if (runs.length > limit) print.note(t`There are more: add --limit ${limit * 5}.`);
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
    context.report.facts(toRecord(run, counts), factsOf(run, counts));
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
    throw new CliError('usage', t`A results file has all its columns.`, {
      hint: t`Remove --columns, or use another format.`,
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

function notIncluded(count: number): Text {
  return t`${count} {order is|orders are} missing from the results: the ledger has no entries for orders that were not sent.`;
}

function nextStep(context: Context, run: PastRun, counts: Record<string, number>): Text | undefined {
  const count = (...outcomes: string[]) => outcomes.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  if (run.progress === 'running') return t`It is still running.`;
  if (count('unknown') > 0) {
    return t`To settle the unknown outcomes, run:\n  ${commandFor(context, ['settle', run.id])}`;
  }
  if (count('not_sent') > 0) {
    const command = commandFor(context, ['import', run.file]);
    return t`To send the others, run the same import again, with the same flags:\n  ${command}`;
  }
  if (count('rejected', 'invalid', 'conflict') > 0) {
    return t`To fix: ${fileBeside(run.file, 'rejects')}, if the rejects file was written to its default path.`;
  }
  return undefined;
}

const unfinished = { running: t`running`, died: t`died` };

const endingOfExitCode: Record<number, Text> = {
  [exitCodes.done]: t`done`,
  [exitCodes.keyRefused]: t`key rejected`,
  [exitCodes.partly]: t`some to fix`,
  [exitCodes.unreachable]: t`stopped, not all sent`,
  [exitCodes.outcomeUnknown]: t`outcomes unknown`,
  [exitCodes.interrupted]: t`stopped by Ctrl-C`,
  [exitCodes.terminated]: t`terminated`,
};

/** Accepts an ID or its prefix. Error: `usage` unless exactly one run matches. */
function findRun(history: RunHistory, reference: string): PastRun {
  const [run, ...others] = history.find(reference);
  if (run === undefined) {
    throw new CliError('usage', t`There is no import with the ID ${reference} on this machine.`, {
      hint: t`To list the imports, run: ${command('imports')}`,
    });
  }
  if (others.length === 0) return run;
  const ids = [run, ...others].map(({ id }) => id).join(', ');
  throw new CliError('usage', t`${reference} matches several imports: ${ids}.`, {
    hint: t`Use more characters of the ID.`,
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
    ended: String(endingOf(run, counts)),
    exitCode: exitCode ?? null,
    orders: { total: orders, ...noOutcomes(), ...counts },
  };
}

function factsOf(run: PastRun, counts: Record<string, number>): (readonly [name: Text, text: Text])[] {
  const { id, file, service, startedAt, endedAt, orders } = run;
  const local = (time: number) => formatLocalTime(new Date(time).toISOString());
  const occurred = Object.entries(counts).filter(([, count]) => count > 0);
  return [
    [t`run`, id],
    [t`file`, file],
    [t`service`, isOfSandbox(run) ? 'SANDBOX' : service],
    [t`started`, local(startedAt)],
    [t`ended`, joinTexts([...(endedAt === undefined ? [] : [local(endedAt)]), endingOf(run, counts)], ', ')],
    [t`orders`, String(orders)],
    ...occurred.map(([outcome, count]) => [outcomeText(outcome), String(count)] as const),
  ];
}

function isOfSandbox({ service }: PastRun): boolean {
  return service.startsWith('sandbox ');
}

function endingOf({ progress, exitCode }: PastRun, counts: Record<string, number>): Text {
  if (progress !== 'ended') return unfinished[progress];
  if (exitCode === exitCodes.unreachable && !counts.not_sent) return t`all sent, not all written`;
  return endingOfExitCode[exitCode ?? -1] ?? t`exit code ${exitCode ?? ''}`;
}
