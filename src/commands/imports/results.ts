import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { formatResults } from '../../import/results/files.ts';
import { fileBeside, findOverwritten } from '../../import/results/paths.ts';
import type { PastRun, RunHistory } from '../../ledger/run-history.ts';
import { drained } from '../../output/print.ts';
import { findRun } from './show.ts';

export interface ResultsFlags {
  results?: string;
}

export async function runResults(
  context: Context,
  reference: string,
  { results }: ResultsFlags,
): Promise<void> {
  const past = await context.history();
  try {
    const run = findRun(past, reference);
    const counted = countResults(past, run);
    const pieces = formatResults(counted.results());
    if (results === '-') await printPieces(context, pieces);
    else await writePieces(context, run, results ?? (run.results || fileBeside(run.file, 'results')), pieces);
    const missing = run.orders - counted.count();
    if (missing > 0) context.print.note(notIncluded(missing));
  } finally {
    past.close();
  }
}

function countResults(past: RunHistory, run: PastRun) {
  let count = 0;
  return {
    count: () => count,
    results: function* () {
      for (const result of past.results(run)) {
        count += 1;
        yield result;
      }
    },
  };
}

async function printPieces({ print, system, settings }: Context, pieces: Iterator<string>): Promise<void> {
  if (!settings.header) pieces.next();
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    print.data(next.value);
    await drained(system.stdout);
  }
}

async function writePieces(
  { system, print, report }: Context,
  run: PastRun,
  path: string,
  pieces: Iterable<string>,
): Promise<void> {
  const overwritten = await findOverwritten(path, [run.file], system);
  if (overwritten !== undefined) {
    throw new CliError('usage', `The results would overwrite ${overwritten}.`, {
      hint: 'Choose another name with --results.',
    });
  }
  const { backup } = await system.files.writeWhole(path, pieces, {
    isOurs: () => false,
    // The file of the import itself also has the service's messages, which the ledger does not store.
    backupPath: (before) => before.replace(/(\.csv)?$/, `.before-${system.randomUuid().slice(0, 8)}$1`),
    outputs: system,
  });
  report.facts({ run: run.id, results: path });
  if (backup !== undefined) print.note(`The earlier results file is kept as ${cleanCell(backup)}.`);
}

function notIncluded(count: number): string {
  const orders = count === 1 ? '1 order is' : `${count} orders are`;
  return `${orders} missing from the file: the ledger has no entries for orders that were not sent.`;
}
