import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { explain, parseCount, parseFileName } from '../../flags.ts';
import type { ResultsFlags } from './results.ts';

const examples = `
Examples:
  $ merchant-orders imports
  $ merchant-orders imports show 3f9c21aa
  $ merchant-orders imports results 3f9c --results results.csv

Only imports from this machine are listed, with the outcomes of their orders as they are known now.
Messages of the service and deliveries are not stored, so a results file that is written again lacks them.
RUN is the id of an import, or enough of its beginning to tell it from the others.`;

const run = ['<run>', 'the ID of an import, or its first characters'] as const;

export function registerImports(command: Command, open: OpenContext): void {
  explain(command, examples)
    .option('-L, --limit <n>', 'at most this many imports', parseCount, 20)
    .action(async ({ limit }: { limit: number }) =>
      (await import('./show.ts')).runImports(await open(command), limit),
    );
  command
    .command('show')
    .description('show one import, and what to do next')
    .argument(...run)
    .action(async (reference: string, _flags: unknown, self: Command) =>
      (await import('./show.ts')).runShow(await open(self), reference),
    );
  command
    .command('results')
    .description('write its results file again, with the current outcomes')
    .argument(...run)
    .option('--results <file>', 'where to write it, - for stdout (default: beside the CSV)', parseFileName)
    .action(async (reference: string, flags: ResultsFlags, self: Command) =>
      (await import('./results.ts')).runResults(await open(self), reference, flags),
    );
}
