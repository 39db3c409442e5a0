import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context.ts';
import { explain, parseCount } from '../../flags.ts';
import { fileBeside } from '../../import/results/paths.ts';
import type { PastRun } from '../../ledger/run-history.ts';
import { commandFor } from '../../output/error-text.ts';
import { findRun, toRecord } from './record.ts';
import { type ResultsFlags, runResults } from './results.ts';
import { runSettle } from './settle.ts';

interface ListFlags {
  limit: number;
}

const examples = `
Examples:
  $ merchant-orders imports
  $ merchant-orders imports show 3f9c21aa
  $ merchant-orders imports results 3f9c --results results.csv
  $ merchant-orders imports settle 3f9c

Only imports from this machine are listed, with the outcomes of their orders as they are known now.
Messages of the service and deliveries are not stored, so a results file that is written again lacks them.
RUN is the id of an import, or enough of its beginning to tell it from the others.`;

const run = ['<run>', 'the ID of an import, or its first characters'] as const;

export function registerImports(command: Command, open: OpenContext): void {
  explain(command, examples)
    .option('-L, --limit <n>', 'at most this many imports', parseCount, 20)
    .action(async (flags: ListFlags) => runImports(await open(command), flags));
  command
    .command('show')
    .description('show one import, and what to do next')
    .argument(...run)
    .action(async (reference: string, _flags: unknown, self: Command) =>
      runShow(await open(self), reference),
    );
  command
    .command('results')
    .description('write its results file again, with the current outcomes')
    .argument(...run)
    .option('--results <file>', 'where to write it, - for stdout (default: beside the CSV)')
    .action(async (reference: string, flags: ResultsFlags, self: Command) =>
      runResults(await open(self), reference, flags),
    );
  command
    .command('settle')
    .description('look up the orders whose outcome is unknown; nothing is sent')
    .argument(...run)
    .action(async (reference: string, _flags: unknown, self: Command) =>
      runSettle(await open(self), reference),
    );
}

async function runImports({ history, report, print, clock }: Context, { limit }: ListFlags): Promise<void> {
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

async function runShow(context: Context, reference: string): Promise<void> {
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

/** The next step for the user; undefined when every order exists. */
function nextStep(context: Context, run: PastRun, counts: Record<string, number>): string | undefined {
  const count = (...outcomes: string[]) => outcomes.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  if (run.progress === 'running') return 'It is still running.';
  if (count('unknown') > 0) {
    return `To settle the unknown outcomes, run: ${commandFor(context, ['imports', 'settle', run.id])}`;
  }
  if (count('not_sent') > 0) {
    const command = commandFor(context, ['import', run.file]);
    return `To send the others, run the same import again, with the same flags: ${command}`;
  }
  if (count('rejected', 'invalid', 'conflict') > 0) {
    return `To fix: ${fileBeside(run.file, 'rejects')}, if the rejects file was written to its default path.`;
  }
  return undefined;
}
