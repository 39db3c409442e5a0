import { type Command, InvalidArgumentError, Option } from 'commander';
import { maxConcurrency } from '../../api/pacing/concurrency.ts';
import { delimiterOption, encodingOption, parseCount } from '../../flags.ts';
import {
  type DateOrder,
  type DecimalMark,
  dateOrders,
  decimalMarks,
} from '../../import/cells/cell-reader.ts';
import type { MappedFlag } from '../../import/map/explicit-mapping.ts';
import { knownPath, nearMiss } from '../../import/map/known-paths.ts';
import { parseRowList, parseShard, type Shard } from '../../import/orders/select-orders.ts';
import { type ErrorLimit, parseErrorLimit } from '../../import/send/error-limit.ts';
import { type PresetName, presetNames } from '../../import/shops/preset.ts';
import { type Assignment, parseAssignment } from '../../orders/assignment.ts';
import { FieldPathError, formatFieldPath } from '../../orders/field-path.ts';

export interface ImportFlags {
  set?: Assignment[];
  map?: string;
  mapColumn?: MappedFlag[];
  preset?: PresetName;
  delimiter?: string;
  encoding?: string;
  headerRow?: number;
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
  template?: boolean;
}

export function addImportFlags(command: Command): Command {
  return command
    .option('--set <field>', 'a field that every order gets; repeat it for more', collectAssignment)
    .option('--map-column <column>', "'Header=path' for one column; repeat it for more", collectMapped)
    .option('--map <file>', 'a mapping of columns to fields, as JSON')
    .addOption(new Option('--preset <shop>', 'the export of a shop system').choices(presetNames))
    .addOption(delimiterOption())
    .addOption(encodingOption())
    .option('--header-row <n>', 'the row with the names, when titles stand above it', parseCount)
    .addOption(
      new Option('--decimal <mark>', 'amounts have separators, and this before the fraction').choices(
        decimalMarks,
      ),
    )
    .addOption(
      new Option('--date-order <order>', 'how dates are written that do not begin with the year').choices(
        dateOrders,
      ),
    )
    .option('--one-row-per-order', 'an id that comes again is an error')
    .addOption(
      new Option('--repeated-rows <what>', 'a row equal to an earlier one of its order')
        .choices(['refuse', 'lines'])
        .default('refuse'),
    )
    .addOption(
      new Option('--on-invalid <what>', 'when orders of the file need mending')
        .choices(['stop', 'skip'])
        .default('stop'),
    )
    .option(
      '--max-errors <n>',
      'stop when more orders are refused, such as 50 or 5%; else 20 or 10%, whichever is more',
      parseMaxErrors,
    )
    .option('--rows <list>', 'only the orders in these rows, such as 14,20-31', parseRows)
    .option('--limit <n>', 'only the first orders', parseCount)
    .option('--shard <k/n>', 'only part k of n that the orders fall into by their ids', parseShardFlag)
    .option(
      '--concurrency <n>',
      'requests at a time; auto finds out what the service takes',
      parseConcurrency,
      'auto',
    )
    .option('--rate <n>', 'the most requests in a second', parseRate)
    .option('--results <file>', 'where to write what became of each order')
    .option('--rejects <file>', 'where to write the rows that must be mended')
    .option('--recreate-cancelled', 'create orders again that were cancelled')
    .option('--no-checks', 'send what is in the file; money and dates stay text')
    .option('--template', 'print an example of a file that imports as it is')
    .option('-n, --dry-run', 'check and preview; send nothing, write nothing');
}

function collectAssignment(text: string, earlier: Assignment[] | undefined): Assignment[] {
  try {
    const assignment = parseAssignment(text);
    if (assignment.path[0] === 'externalOrderId') {
      throw new FieldPathError('Every order has an externalOrderId of its own');
    }
    const path = formatFieldPath(assignment.path);
    const near = knownPath(path) === undefined ? nearMiss(path, true) : undefined;
    if (near !== undefined)
      throw new FieldPathError(`${path} is no field of an order; did you mean ${near}?`);
    return [...(earlier ?? []), assignment];
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    throw new InvalidArgumentError(/[.?]$/.test(error.message) ? error.message : `${error.message}.`);
  }
}

/** The last "=": a header may hold one, a field does not. */
function collectMapped(text: string, earlier: MappedFlag[] | undefined): MappedFlag[] {
  const equals = text.lastIndexOf('=');
  if (equals < 1 || equals === text.length - 1) throw new InvalidArgumentError("Write 'Header=path'.");
  return [...(earlier ?? []), { header: text.slice(0, equals), path: text.slice(equals + 1) }];
}

function parseRows(text: string): (row: number) => boolean {
  const rows = parseRowList(text);
  if (rows === undefined) throw new InvalidArgumentError('Write row numbers and ranges, such as 14,20-31.');
  return rows;
}

function parseMaxErrors(text: string): ErrorLimit {
  const limit = parseErrorLimit(text);
  if (limit === undefined) throw new InvalidArgumentError('Write a number, or a percentage up to 100%.');
  return limit;
}

function parseShardFlag(text: string): Shard {
  const shard = parseShard(text);
  if (shard === undefined) throw new InvalidArgumentError('Write 1/4 to 4/4 for four parts, at most 1024.');
  return shard;
}

function parseConcurrency(text: string): number | 'auto' {
  if (text === 'auto') return text;
  const count = parseCount(text);
  if (count > maxConcurrency) throw new InvalidArgumentError(`The most is ${maxConcurrency}.`);
  return count;
}

function parseRate(text: string): number {
  if (!/^\d{1,5}(?:\.\d{1,3})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError('It is a number above 0, such as 20 or 0.5.');
  }
  return Number(text);
}
