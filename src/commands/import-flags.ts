import { type Command, InvalidArgumentError, Option } from 'commander';
import { mostConcurrency } from '../api/pace.ts';
import { parseCount } from '../flags.ts';
import { type DateOrder, dateOrders } from '../import/damage/date-order.ts';
import { type DecimalMark, decimalMarks } from '../import/damage/money-style.ts';
import { type PresetName, presetNames } from '../import/map/preset.ts';
import type { MappedFlag } from '../import/map/told-claims.ts';
import { encodingName } from '../import/read/encoding.ts';
import { parseRowList } from '../import/select-orders.ts';
import { type Assignment, parseAssignment } from '../orders/assignment.ts';
import { FieldPathError } from '../orders/field-path.ts';

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
  rows?: (row: number) => boolean;
  limit?: number;
  concurrency: number | 'auto';
  rate?: number;
  results?: string;
  rejects?: string;
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
    .option(
      '--delimiter <character>',
      'what stands between cells, tab for a TAB; else it is found out',
      parseDelimiter,
    )
    .option('--encoding <name>', 'such as windows-1251; else it is found out', parseEncoding)
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
    .option('--rows <list>', 'only the orders in these rows, such as 14,20-31', parseRows)
    .option('--limit <n>', 'only the first orders', parseCount)
    .option(
      '--concurrency <n>',
      'requests at a time; auto finds out what the service takes',
      parseConcurrency,
      'auto',
    )
    .option('--rate <n>', 'the most requests in a second', parseRate)
    .option('--results <file>', 'where to write what became of each order')
    .option('--rejects <file>', 'where to write the rows that must be mended')
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
    return [...(earlier ?? []), assignment];
  } catch (error) {
    if (error instanceof FieldPathError) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
}

/** The last "=": a header may hold one, a field does not. */
function collectMapped(text: string, earlier: MappedFlag[] | undefined): MappedFlag[] {
  const equals = text.lastIndexOf('=');
  if (equals < 1 || equals === text.length - 1) throw new InvalidArgumentError("Write 'Header=path'.");
  return [...(earlier ?? []), { header: text.slice(0, equals), path: text.slice(equals + 1) }];
}

function parseEncoding(text: string): string {
  const name = encodingName(text);
  if (name === undefined) throw new InvalidArgumentError('It is no encoding that is known here.');
  return name;
}

function parseDelimiter(text: string): string {
  if (/^(?:tab|\\t)$/i.test(text)) return '\t';
  if (text.length !== 1 || /["\r\n]/.test(text)) {
    throw new InvalidArgumentError('It is one character, or tab.');
  }
  return text;
}

function parseRows(text: string): (row: number) => boolean {
  const rows = parseRowList(text);
  if (rows === undefined) throw new InvalidArgumentError('Write row numbers and ranges, such as 14,20-31.');
  return rows;
}

function parseConcurrency(text: string): number | 'auto' {
  if (text === 'auto') return text;
  const count = parseCount(text);
  if (count > mostConcurrency) throw new InvalidArgumentError(`The most is ${mostConcurrency}.`);
  return count;
}

function parseRate(text: string): number {
  if (!/^\d{1,5}(?:\.\d{1,3})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError('It is a number above 0, such as 20 or 0.5.');
  }
  return Number(text);
}
