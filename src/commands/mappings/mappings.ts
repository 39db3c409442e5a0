import { type Command, Option } from 'commander';
import type { OpenContext } from '../../context.ts';
import { delimiterOption, encodingOption, explain, parseCount } from '../../flags.ts';
import { hiddenRowsChoices } from '../../import/choices.ts';
import type { ReadingFlags } from '../../import/read/read-table.ts';

const examples = `
Examples:
  $ merchant-orders mappings
  $ merchant-orders mappings show orders > orders.map.json
  $ merchant-orders mappings add orders.csv orders.map.json
  $ merchant-orders mappings remove orders

A remembered mapping reads every file that has its columns, in any order, for
the profile that remembers it. It holds for the values that its file had: a new
value in a column about the payment, the state, the currency or the delivery
method, and a new column, are errors until somebody decides about them.`;

const mappingName = ['<name>', 'the name of a remembered mapping'] as const;

export function registerMappings(command: Command, open: OpenContext): void {
  explain(command, examples).action(async (_flags: unknown, self: Command) =>
    (await import('./run.ts')).runMappings(await open(self)),
  );
  command
    .command('show')
    .description('print one as a mapping file, for import --map')
    .argument(...mappingName)
    .action(async (name: string, _flags: unknown, self: Command) =>
      (await import('./run.ts')).runShow(await open(self), name),
    );
  command
    .command('add')
    .description('remember a mapping file for files with the columns of this one')
    .argument('<file>', 'CSV file or workbook that the mapping reads')
    .argument('<mapping>', 'mapping file (JSON)')
    .addOption(delimiterOption())
    .addOption(encodingOption())
    .option('--header-row <n>', 'row number of the header, if there are rows above it', parseCount)
    .option('--sheet <name>', 'sheet of a workbook')
    .addOption(
      new Option('--hidden-rows <what>', 'what to do with hidden rows of a workbook').choices(
        hiddenRowsChoices,
      ),
    )
    .action(async (file: string, mapping: string, flags: ReadingFlags, self: Command) =>
      (await import('./run.ts')).runAdd(await open(self), file, mapping, flags),
    );
  command
    .command('remove')
    .description('forget a mapping')
    .argument('[name]', 'the name of a remembered mapping')
    .option('--all', 'forget the mappings of all profiles')
    .action(async (name: string | undefined, { all = false }: { all?: boolean }, self: Command) =>
      (await import('./run.ts')).runRemove(await open(self), name, all),
    );
}
