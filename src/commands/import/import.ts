import { type Command, InvalidArgumentError, Option } from 'commander';
import { maxConcurrency } from '../../api/pacing/limiter.ts';
import type { OpenContext } from '../../context.ts';
import {
  collect,
  delimiterOption,
  encodingOption,
  explain,
  parseCount,
  parseFileName,
  parseSeconds,
} from '../../flags.ts';
import {
  dateOrders,
  decimalMarks,
  hiddenRowsChoices,
  type LeaveOutFlag,
  type LeftOutReason,
  leftOutReasons,
  type MappedFlag,
  parseErrorLimit,
  parseRowList,
  parseShard,
  presetNames,
  unpaidChoices,
} from '../../import/choices.ts';
import { type Assignment, parseAssignment } from '../../orders/assignment.ts';
import { FieldPathError } from '../../orders/field-path.ts';
import { languageCodes } from '../../settings.ts';
import type { ImportFlags } from './flags.ts';

const commonExamples = `
Examples:
  $ merchant-orders import --template > orders.csv
  $ merchant-orders import orders.csv --dry-run
  $ merchant-orders import orders.csv --sandbox`;

const examples = `${commonExamples}
  $ merchant-orders import orders.xlsx --sheet Orders --dry-run
  $ merchant-orders import orders_export.csv --preset shopify --dry-run
  $ merchant-orders import orders.csv --leave-out 'Status=cancelled'
  $ merchant-orders import orders.csv --set collectionMode=NONE --yes --json

Name each column after the field that it holds: externalOrderId, customer.phone, items[].sku, collectionMode,
collectionAmount, total, requestedDeliveryDate. Any other dotted name is sent unchanged. Values are text unless
the name ends in :number, :boolean or :json. Rows with the same externalOrderId are the lines of one order.
Common names of these fields are recognized; map any others with --map-column, --map or --preset.

The whole file is checked before anything is sent. Running the same command again is always safe.`;

/** What the short help shows. */
const commonFlags = new Set([
  ...['--dry-run', '--map-column', '--ignore-rest', '--leave-out', '--on-invalid', '--template'],
]);

export function registerImport(command: Command, open: OpenContext, isWhole: boolean): void {
  explain(command, isWhole ? examples : `${commonExamples}\n\nAll flags: merchant-orders import --help all`)
    .argument('[file]', isWhole ? 'CSV file or Excel workbook (.xlsx), or - for standard input' : '')

    .optionsGroup('Columns:')
    .option(
      '--map <file>',
      'JSON file that maps columns to fields; none uses no remembered mapping',
      parseFileName,
    )
    .option('--map-column <column>', "map one column: 'Header=path' (repeatable)", collectMapped)
    .option('--set <field>', 'set a field of every order (repeatable)', collectField)
    .addOption(
      new Option('--preset <shop>', 'read the file as an export of this shop; none uses no preset').choices([
        ...presetNames,
        'none',
      ]),
    )
    .option('--list-presets', 'list the shops whose exports can be read')
    .option('--ignore-column <header>', 'do not read this column (repeatable)', collect)
    .option('--ignore-rest', 'do not read the columns that nothing reads yet')
    .option(
      '--allow-without-address <id>',
      'send the order with this ID without an address (repeatable)',
      collect,
    )
    .option(
      '--id-prefix <text>',
      'put this before order IDs that only count the rows; none if they are the shop’s own',
      parseIdPrefix,
    )
    .option('--write-map <file>', 'write a draft of a mapping file and stop; - prints it', parseFileName)

    .optionsGroup('Which orders:')
    .option('--leave-out <rule>', "leave out orders by value: 'Header=value' (repeatable)", collectLeaveOut)
    .addOption(
      new Option('--include <reason>', 'send orders that would be left out for this reason (repeatable)')
        .choices(includedReasons)
        .argParser(collectReason),
    )
    .addOption(
      new Option(
        '--unpaid <what>',
        'what to do with orders that are neither paid nor paid on delivery',
      ).choices(unpaidChoices),
    )
    .option('--rows <list>', 'import only the orders in these rows, such as 14,20-31', parseRows)
    .option('--limit <n>', 'import only the first n orders', parseCount)
    .option('--recreate-cancelled', 'create cancelled orders again')

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
    .option('--ends-here', 'the file is complete, although its last row looks cut off')

    .optionsGroup('Sending:')
    .addOption(
      new Option('--on-invalid <what>', 'what to do when orders in the file are invalid')
        .choices(['stop', 'skip'])
        .default('stop'),
    )
    .option(
      '--max-errors <n>',
      'stop when the service rejects more orders, such as 50 or 5% (default: 20 or 10%, whichever is more)',
      parseMaxErrors,
    )

    .optionsGroup('Files:')
    .option('--results <file>', 'where to write the outcome of each order', parseFileName)
    .option('--rejects <file>', 'where to write the rows to fix', parseFileName)
    .addOption(
      new Option('--lang <language>', 'language of what is wrong in the rows to fix').choices(languageCodes),
    )
    .option('--template', 'print an example file that can be imported')
    .option('--details', 'show the whole preview, on as many lines as it takes')
    .option('-n, --dry-run', 'check and preview without sending or writing anything but your answers')

    .optionsGroup('Advanced:')
    .option('--no-checks', 'skip the checks of values; money and dates must still be text')
    .option('--shard <k/n>', 'import only part k of n; the order ID decides the part', parseShardFlag)
    .option(
      '--concurrency <n>',
      'maximum number of concurrent requests; auto adapts to the service',
      parseConcurrency,
      'auto',
    )
    .option('--rate <n>', 'maximum number of requests per second', parseRate)
    .option('--max-wait <seconds>', 'longest wait that the service may ask for (default: 300)', parseSeconds)
    .option('--max-outage <seconds>', 'longest outage to wait for (default: 900)', parseSeconds)
    .action(async (file: string | undefined, flags: ImportFlags) =>
      (await import('./run.ts')).runImport(await open(command), file, flags),
    );
  if (isWhole) return;
  for (const option of command.options) {
    option.helpGroup('Options:');
    if (!commonFlags.has(option.long ?? '')) option.hideHelp();
  }
}

function collectField(text: string, earlier: Assignment[] | undefined): Assignment[] {
  try {
    const { path, value } = parseAssignment(text);
    if (path[0] !== 'externalOrderId') return [...(earlier ?? []), { path, value }];
    throw new FieldPathError('Every order needs an externalOrderId of its own');
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    throw new InvalidArgumentError(`${error.message}.`);
  }
}

/** Splits at the last "=": a header may contain one, a field does not. */
function collectMapped(text: string, earlier: MappedFlag[] | undefined): MappedFlag[] {
  const equals = text.lastIndexOf('=');
  if (equals < 1 || equals === text.length - 1) throw new InvalidArgumentError("Expected 'Header=path'.");
  return [...(earlier ?? []), { header: text.slice(0, equals), path: text.slice(equals + 1) }];
}

function collectLeaveOut(text: string, earlier: LeaveOutFlag[] | undefined): LeaveOutFlag[] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError("Expected 'Header=value'.");
  return [...(earlier ?? []), { header: text.slice(0, equals), value: text.slice(equals + 1) }];
}

/** `unpaid` is not among them: --unpaid says who pays for such orders. */
const includedReasons = leftOutReasons.filter((reason) => reason !== 'unpaid');

function collectReason(text: string, earlier: LeftOutReason[] | undefined): LeftOutReason[] {
  const reason = leftOutReasons.find((known) => known === text);
  if (reason === 'unpaid') {
    throw new InvalidArgumentError('Choose instead: --unpaid collect or --unpaid prepaid.');
  }
  if (reason === undefined) {
    throw new InvalidArgumentError(`Expected one of ${includedReasons.join(', ')}.`);
  }
  return [...(earlier ?? []), reason];
}

const parseRows = (text: string) =>
  valid(parseRowList(text), 'Expected row numbers and ranges, such as 14,20-31.');
const parseMaxErrors = (text: string) =>
  valid(parseErrorLimit(text), 'Expected a number, or a percentage up to 100%.');
const parseShardFlag = (text: string) =>
  valid(parseShard(text), 'Expected k/n such as 1/4, with at most 1024 parts.');

function valid<Value>(value: Value | undefined, rule: string): Value {
  if (value === undefined) throw new InvalidArgumentError(rule);
  return value;
}

function parseConcurrency(text: string): number | 'auto' {
  if (text === 'auto') return text;
  const count = parseCount(text);
  if (count > maxConcurrency) throw new InvalidArgumentError(`The maximum is ${maxConcurrency}.`);
  return count;
}

function parseIdPrefix(text: string): string {
  if (/^[^\p{C}\s]{1,100}$/u.test(text)) return text;
  throw new InvalidArgumentError('It needs 1 to 100 characters without spaces.');
}

function parseRate(text: string): number {
  if (!/^\d{1,5}(?:\.\d{1,3})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError('Expected a number above 0, such as 20 or 0.5.');
  }
  return Number(text);
}
