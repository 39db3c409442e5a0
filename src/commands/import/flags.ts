import { type Command, Option } from 'commander';
import { delimiterOption, encodingOption, parseCount } from '../../flags.ts';
import {
  type DateOrder,
  type DecimalMark,
  dateOrders,
  decimalMarks,
  type ErrorLimit,
  type HiddenRowsChoice,
  hiddenRowsChoices,
  type LeftOutReason,
  type PresetName,
  presetNames,
  type Shard,
  type UnpaidChoice,
  unpaidChoices,
} from '../../import/choices.ts';
import type { MappedFlag } from '../../import/map/explicit-mapping.ts';
import type { LeaveOutFlag } from '../../import/map/rules.ts';
import type { Assignment } from '../../orders/assignment.ts';
import {
  collectAssignment,
  collectLeaveOut,
  collectMapped,
  collectReason,
  collectText,
  includedReasons,
  parseConcurrency,
  parseMaxErrors,
  parseRate,
  parseRows,
  parseShardFlag,
} from './flag-values.ts';

export interface ImportFlags {
  set?: Assignment[];
  map?: string;
  writeMap?: string;
  mapColumn?: MappedFlag[];
  preset?: PresetName | 'none';
  listPresets?: boolean;
  ignoreColumn?: string[];
  leaveOut?: LeaveOutFlag[];
  include?: LeftOutReason[];
  unpaid?: UnpaidChoice;
  delimiter?: string;
  encoding?: string;
  headerRow?: number;
  quote?: 'none';
  sheet?: string;
  hiddenRows?: HiddenRowsChoice;
  decimal?: DecimalMark;
  dateOrder?: DateOrder;
  oneRowPerOrder?: boolean;
  repeatedRows: 'refuse' | 'lines';
  onInvalid: 'stop' | 'skip';
  maxErrors?: ErrorLimit;
  rows?: (row: number) => boolean;
  limit?: number;
  shard?: Shard;
  concurrency: number | 'auto';
  rate?: number;
  results?: string;
  rejects?: string;
  recreateCancelled?: boolean;
  checks: boolean;
  dryRun?: boolean;
  details?: boolean;
  template?: boolean;
}

export function addImportFlags(command: Command): Command {
  return command
    .option('--set <field>', 'set a field of every order (repeatable)', collectAssignment)
    .option('--map-column <column>', "map one column: 'Header=path' (repeatable)", collectMapped)
    .option('--map <file>', 'JSON file that maps columns to fields; none uses no remembered mapping')
    .option('--write-map <file>', 'write a draft of such a file and stop; - prints it')
    .addOption(
      new Option('--preset <shop>', 'read the file as an export of this shop; none uses no preset').choices([
        ...presetNames,
        'none',
      ]),
    )
    .option('--list-presets', 'list the shops whose exports can be read')
    .option('--ignore-column <header>', 'do not read this column (repeatable)', collectText)
    .option(
      '--leave-out <rule>',
      "leave out orders with this value: 'Header=value' (repeatable)",
      collectLeaveOut,
    )
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
    .addOption(delimiterOption())
    .addOption(encodingOption())
    .option('--header-row <n>', 'row number of the header, if there are rows above it', parseCount)
    .addOption(new Option('--quote <how>', 'read quotes in the file as ordinary text').choices(['none']))
    .option('--sheet <name>', 'sheet of a workbook')
    .addOption(
      new Option('--hidden-rows <what>', 'what to do with hidden rows of a workbook').choices(
        hiddenRowsChoices,
      ),
    )
    .addOption(
      new Option('--decimal <mark>', 'decimal mark of amounts with separators').choices(decimalMarks),
    )
    .addOption(
      new Option('--date-order <order>', 'order of day and month in dates that end with the year').choices(
        dateOrders,
      ),
    )
    .option('--one-row-per-order', 'treat a repeated order ID as an error')
    .addOption(
      new Option('--repeated-rows <what>', 'what to do with a row equal to an earlier row of its order')
        .choices(['refuse', 'lines'])
        .default('refuse'),
    )
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
    .option('--rows <list>', 'import only the orders in these rows, such as 14,20-31', parseRows)
    .option('--limit <n>', 'import only the first n orders', parseCount)
    .option('--shard <k/n>', 'import only part k of n; the order ID decides the part', parseShardFlag)
    .option(
      '--concurrency <n>',
      'maximum number of concurrent requests; auto adapts to the service',
      parseConcurrency,
      'auto',
    )
    .option('--rate <n>', 'maximum number of requests per second', parseRate)
    .option('--results <file>', 'where to write the outcome of each order')
    .option('--rejects <file>', 'where to write the rows to fix')
    .option('--recreate-cancelled', 'create cancelled orders again')
    .option('--no-checks', 'skip the checks of values; money and dates must still be text')
    .option('--details', 'show the whole preview, on as many lines as it takes')
    .option('--template', 'print an example file that can be imported')
    .option('-n, --dry-run', 'check and preview without sending or writing anything but your answers');
}
