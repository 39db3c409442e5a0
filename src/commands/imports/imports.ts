import type { Command } from 'commander';
import type { OpenContext } from '../../context.ts';
import { explain, parseCount } from '../../flags.ts';

const examples = `
Examples:
  $ merchant-orders imports
  $ merchant-orders imports show 3f9c21aa
  $ merchant-orders imports show 3f9c --format csv > results.csv

Only imports from this machine are listed, with the outcomes of their orders as they are known now.
With --format csv, show prints the results file of an import again, with the current outcomes. Messages of the
service and deliveries are not stored, so it lacks them.
RUN is the id of an import, or enough of its beginning to tell it from the others.`;

export function registerImports(command: Command, open: OpenContext): void {
  explain(command, examples)
    .option('-L, --limit <n>', 'at most this many imports', parseCount, 20)
    .action(async ({ limit }: { limit: number }) =>
      (await import('./show.ts')).runImports(await open(command), limit),
    );
  command
    .command('show')
    .description('show one import, and what to do next; with --format csv, print its results file')
    .argument('<run>', 'the ID of an import, or its first characters')
    .action(async (reference: string, _flags: unknown, self: Command) =>
      (await import('./show.ts')).runShow(await open(self), reference),
    );
}
