import { type Command, InvalidArgumentError, Option } from 'commander';
import { maxConcurrency } from '../../api/pacing/concurrency.ts';
import { delimiterOption, encodingOption, parseCount } from '../../flags.ts';
import { type DateOrder, dateOrders } from '../../import/cells/dates.ts';
import { type DecimalMark, decimalMarks } from '../../import/cells/money.ts';
import type { MappedFlag } from '../../import/map/explicit-mapping.ts';
import { knownPath, nearMiss } from '../../import/map/known-fields.ts';
import type { LeaveOutFlag } from '../../import/map/rules.ts';
import { parseRowList, parseShard, type Shard } from '../../import/orders/check-orders.ts';
import { type UnpaidChoice, unpaidChoices } from '../../import/orders/payment.ts';
import { type ErrorLimit, parseErrorLimit } from '../../import/send/send-orders.ts';
import { type PresetName, presetNames } from '../../import/shops/presets.ts';
import { type LeftOutReason, leftOutReasons } from '../../import/words.ts';
import { type Assignment, parseAssignment } from '../../orders/assignment.ts';
import { FieldPathError, formatFieldPath } from '../../orders/field-path.ts';

export interface ImportFlags {
  set?: Assignment[];
  map?: string;
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
    .option('--map <file>', 'JSON file that maps columns to fields')
    .option(
      '--preset <shop>',
      'read the file as an export of this shop (see --list-presets); none reads it by its header alone',
      parsePreset,
    )
    .option('--list-presets', 'list the shops whose exports can be read')
    .option('--ignore-column <header>', 'do not read this column (repeatable)', collectText)
    .option(
      '--leave-out <rule>',
      "leave out orders with this value: 'Header=value' (repeatable)",
      collectLeaveOut,
    )
    .addOption(
      new Option(
        '--include <reason>',
        'send orders that would be left out for this reason (repeatable)',
      ).argParser(collectReason),
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
    .option('-n, --dry-run', 'check and preview without sending or writing anything');
}

function collectAssignment(text: string, earlier: Assignment[] | undefined): Assignment[] {
  try {
    const assignment = parseAssignment(text);
    if (assignment.path[0] === 'externalOrderId') {
      throw new FieldPathError('Every order needs an externalOrderId of its own');
    }
    const path = formatFieldPath(assignment.path);
    const near = knownPath(path) === undefined ? nearMiss(path, true) : undefined;
    if (near !== undefined) {
      throw new FieldPathError(`${path} is not a field of an order; did you mean ${near}?`);
    }
    return [...(earlier ?? []), assignment];
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    throw new InvalidArgumentError(/[.?]$/.test(error.message) ? error.message : `${error.message}.`);
  }
}

/** Splits at the last "=": a header may contain one, a field does not. */
function collectMapped(text: string, earlier: MappedFlag[] | undefined): MappedFlag[] {
  const equals = text.lastIndexOf('=');
  if (equals < 1 || equals === text.length - 1) throw new InvalidArgumentError("Expected 'Header=path'.");
  return [...(earlier ?? []), { header: text.slice(0, equals), path: text.slice(equals + 1) }];
}

function parsePreset(text: string): PresetName | 'none' {
  const names = [...presetNames, 'none'] as const;
  const name = names.find((known) => known === text);
  if (name === undefined) throw new InvalidArgumentError(`Allowed choices are ${names.join(', ')}.`);
  return name;
}

function collectText(text: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), text];
}

function collectLeaveOut(text: string, earlier: LeaveOutFlag[] | undefined): LeaveOutFlag[] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError("Expected 'Header=value'.");
  return [...(earlier ?? []), { header: text.slice(0, equals), value: text.slice(equals + 1) }];
}

function collectReason(text: string, earlier: LeftOutReason[] | undefined): LeftOutReason[] {
  const reason = leftOutReasons.find((known) => known === text);
  if (reason === undefined) throw new InvalidArgumentError(`Expected one of ${leftOutReasons.join(', ')}.`);
  return [...(earlier ?? []), reason];
}

function parseRows(text: string): (row: number) => boolean {
  const rows = parseRowList(text);
  if (rows === undefined)
    throw new InvalidArgumentError('Expected row numbers and ranges, such as 14,20-31.');
  return rows;
}

function parseMaxErrors(text: string): ErrorLimit {
  const limit = parseErrorLimit(text);
  if (limit === undefined) throw new InvalidArgumentError('Expected a number, or a percentage up to 100%.');
  return limit;
}

function parseShardFlag(text: string): Shard {
  const shard = parseShard(text);
  if (shard === undefined)
    throw new InvalidArgumentError('Expected k/n such as 1/4, with at most 1024 parts.');
  return shard;
}

function parseConcurrency(text: string): number | 'auto' {
  if (text === 'auto') return text;
  const count = parseCount(text);
  if (count > maxConcurrency) throw new InvalidArgumentError(`The maximum is ${maxConcurrency}.`);
  return count;
}

function parseRate(text: string): number {
  if (!/^\d{1,5}(?:\.\d{1,3})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError('Expected a number above 0, such as 20 or 0.5.');
  }
  return Number(text);
}
