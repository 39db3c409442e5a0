import { type Command, Option } from 'commander';
import type { OpenContext } from '../../context.ts';
import { collect, delimiterOption, encodingOption, explain, parseCount, parseFileName } from '../../flags.ts';
import { dateOrders, decimalMarks, hiddenRowsChoices, presetNames } from '../../import/choices.ts';
import type { StatusFlags } from './read.ts';

const examples = `
Examples:
  $ merchant-orders status orders.csv
  $ merchant-orders status orders.results.csv --json
  $ merchant-orders status list.csv --id-column 'Order'
  $ merchant-orders status orders.csv --cash monday.csv --cash tuesday.xlsx

Writes orders.status.csv: the rows of the file, each with the number, status, delivery and amounts of its order, and what
differs. The file is read as import reads it, with the same mapping; of any other file a column must name the orders.
Nothing is sent, so a key that may only read is enough. The exit code is 6 when an order is missing at the service,
cancelled there, there twice, or other than in the file, or when the cash is.

A list of --cash has a column with order numbers, order IDs or phones, and one with the amounts that were collected, perhaps
also the fee and what is paid out. Headers such as order, phone, amount, fee and net, and the values, say which columns these are; at a terminal it is asked where they do not.`;

export function registerStatus(command: Command, open: OpenContext): void {
  explain(command, examples)
    .argument('<file>', 'CSV file or Excel workbook (.xlsx), or - for standard input')
    .option('-o, --output <file>', 'where to write the rows with their states', parseFileName)

    .optionsGroup('Cash:')
    .option(
      '--cash <file>',
      'a list of what couriers collected, to compare with the orders (repeatable)',
      collect,
    )

    .optionsGroup('Columns:')
    .option('--id-column <header>', 'the column with order IDs or order numbers')
    .option(
      '--map <file>',
      'JSON file that maps columns to fields; none uses no remembered mapping',
      parseFileName,
    )
    .addOption(
      new Option('--preset <shop>', 'read the file as an export of this shop; none uses no preset').choices([
        ...presetNames,
        'none',
      ]),
    )
    .option('--id-prefix <text>', 'what was put before the order IDs when they were imported')

    .optionsGroup('Reading:')
    .addOption(encodingOption())
    .addOption(delimiterOption())
    .option('--header-row <n>', 'row number of the header, if there are rows above it', parseCount)
    .option('--sheet <name>', 'sheet of a workbook')
    .addOption(
      new Option('--hidden-rows <what>', 'what to do with hidden rows of a workbook').choices(
        hiddenRowsChoices,
      ),
    )
    .addOption(
      new Option('--decimal <mark>', 'decimal mark, where 45.000 may be 45,000 or 45').choices(decimalMarks),
    )
    .addOption(
      new Option('--date-order <order>', 'order of day and month in dates that end with the year').choices(
        dateOrders,
      ),
    )
    .action(async (file: string, flags: StatusFlags) =>
      (await import('./run.ts')).runStatus(await open(command), file, flags),
    );
}
