import { advice, completeCommand, type Text } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { type CashField, cashFields, type DecimalMark } from '../../import/choices.ts';
import { foldHeader } from '../../import/mapping/known-fields.ts';
import {
  type ReadingFlags,
  ReadingQuestion,
  type Row,
  readTable,
  type Source,
  type Table,
  withSource,
} from '../../import/read/read-table.ts';
import {
  type CashColumns,
  type CashList,
  decimalMarksOf,
  readCashList,
} from '../../import/status/cash-list.ts';
import type { FileOrder } from '../../import/status/file-orders.ts';
import { describeReadings } from '../../import/words/money.ts';
import { readAsking } from '../../mappings/choose-mapping.ts';
import { findListMappings } from '../../mappings/remembered-mappings.ts';
import type { JsonObject } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { readingsOf } from '../../orders/order-reference.ts';
import {
  columnChoices,
  filledColumns,
  firstRows,
  namesOfColumns,
  rememberList,
  shortName,
} from './columns.ts';

/** `--cash-column 'Header=amount'`. */
export interface CashColumnFlag {
  header: string;
  field: CashField;
}

interface CashFlags {
  cash?: readonly string[];
  cashColumn?: readonly CashColumnFlag[];
  decimal?: DecimalMark | undefined;
}

const maxLists = 100;

/**
 * The couriers' lists. At a terminal, asks for their columns, once. `orders` are those of the file. Errors: those
 * of reading; `usage`, `file_invalid`.
 */
export async function readCashLists(
  context: Context,
  flags: CashFlags,
  orders: ReadonlyMap<string, FileOrder>,
): Promise<CashList[]> {
  const { system } = context;
  const { cash: files = [], cashColumn = [] } = flags;
  const found = new Set<string>();
  const lists: CashList[] = [];
  if (files.length > maxLists) {
    throw new CliError('usage', `At most ${maxLists} lists are compared at once.`, {
      hint: 'Put several lists into one file.',
      outcome: 'not_sent',
    });
  }
  for (const [index, file] of files.entries()) {
    for (const earlier of files.slice(0, index)) {
      if (file !== earlier && !(await system.files.isSameFile(file, earlier))) continue;
      throw new CliError('usage', `The list ${file} is named twice.`, {
        hint: 'Name each list once: what is in it twice would be counted twice.',
        outcome: 'not_sent',
      });
    }
    const list = await withSource(file, system, async (source) => {
      const table = await readListTable(context, source, flags);
      for (const { header } of cashColumn)
        if (indexesOf(table.header.cells, header).length > 0) found.add(header);
      const { columns, decimal } = await chooseColumns(context, source, table, { flags, orders, file });
      const read = await readCashList(table, source.name, columns, decimal);
      await source.checkUnchanged();
      return read;
    });
    lists.push(list);
  }
  for (const { header } of cashColumn) {
    if (found.has(header)) continue;
    throw new CliError('usage', `No list has the column ${shortName(header)}.`, {
      hint: 'Write the header in --cash-column as the list has it.',
      outcome: 'not_sent',
    });
  }
  return lists;
}

async function readListTable(context: Context, source: Source, flags: CashFlags): Promise<Table> {
  const { stopping } = context.system.interruption;
  const isKnown = async ({ cells }: Row) => (await knownColumns(context, cells, flags)) !== undefined;
  const read = (given: ReadingFlags) => readTable(source, given, { forOrders: true, stopping, isKnown });
  try {
    return await readAsking(context, async (answers) => {
      const table = await read(answers);
      if (await isKnown(table.header)) return table;
      // A header of two columns below a title is not looked for elsewhere.
      for (const row of table.header.below ?? [])
        if (await isKnown(row)) return await read({ ...answers, headerRow: row.row });
      return table;
    });
  } catch (error) {
    throw error instanceof ReadingQuestion ? unclearList(error) : error;
  }
}

/** The flags about reading are those of the file with the orders. */
function unclearList({ code, message }: ReadingQuestion): CliError {
  return new CliError(code, message, {
    hint: 'Run it at a terminal, where it is asked, or save the list alone as "CSV UTF-8", with its header in the first row.',
    outcome: 'not_sent',
  });
}

interface ListReading {
  columns: CashColumns;
  decimal: DecimalMark | undefined;
}

interface ListContext {
  flags: CashFlags;
  orders: ReadonlyMap<string, FileOrder>;
  file: string;
}

async function chooseColumns(
  context: Context,
  source: Source,
  table: Table,
  { flags, orders, file }: ListContext,
): Promise<ListReading> {
  const { prompts, settings, print } = context;
  const { cells } = table.header;
  const known = await knownColumns(context, cells, flags);
  if (known !== undefined) {
    checkColumns(cells, source.name, known.columns, flags.cashColumn);
    if (known.name !== undefined) print.note(cleanCell(`Read with the remembered columns ${known.name}.`));
    const decimal = await decimalOfList(context, table, known.columns, {
      given: flags.decimal ?? known.decimal,
      orders,
    });
    return { columns: known.columns, decimal };
  }
  const isTooNarrow = cells.filter((cell) => cell !== '').length < 2;
  const isNamed = (flags.cashColumn ?? []).some(({ header }) => indexesOf(cells, header).length > 0);
  if (prompts === undefined || settings.yes || isTooNarrow || isNamed)
    throw unclearColumns(context, table, source.name);
  const columns = await askColumns(prompts, table, { name: source.name, orders });
  checkColumns(cells, source.name, columns);
  const decimal = await decimalOfList(context, table, columns, { given: flags.decimal, orders });
  const cash = { ...columns, ...(decimal === undefined ? {} : { decimal }) };
  await rememberList(context, { file, header: table.header, mapping: { cash } }, 'Your answers are');
  return { columns, decimal };
}

interface KnownColumns {
  columns: CashColumns;
  decimal?: DecimalMark | undefined;
  /** What they are remembered as. */
  name?: string;
}

/** With the names of the flag for what no flag says; without flags about its columns, remembered ones come first. */
async function knownColumns(
  context: Context,
  cells: readonly string[],
  { cashColumn = [] }: CashFlags,
): Promise<KnownColumns | undefined> {
  const named = cashColumn.filter(({ header }) => indexesOf(cells, header).length > 0);
  const ownNames = Object.fromEntries(cashFields.map((field) => [field, field]));
  const ofFlags = Object.fromEntries(named.map(({ header, field }) => [field, header]));
  const own = withColumns(cells, { ...ownNames, ...ofFlags });
  if (named.length > 0) return own && { columns: own };
  for (const { name, columns: cash } of await findListMappings(context, 'cash')) {
    const columns = withColumns(
      cells,
      Object.fromEntries(cashFields.map((field) => [field, textField(cash, field)])),
    );
    if (columns === undefined || Object.keys(columns).length < countFields(cash)) continue;
    const decimal = textField(cash, 'decimal');
    return { columns, name, decimal: decimal === 'dot' || decimal === 'comma' ? decimal : undefined };
  }
  return own && { columns: own };
}

/** Only if the list has the columns of the order and of the amount. */
function withColumns(
  cells: readonly string[],
  named: Partial<Record<CashField, string | undefined>>,
): CashColumns | undefined {
  const found = cashFields.flatMap((field): [CashField, string][] => {
    const [index] = indexesOf(cells, named[field] ?? '');
    return index === undefined ? [] : [[field, cells[index] ?? '']];
  });
  const columns: CashColumns = Object.fromEntries(found);
  return columns.order === undefined || columns.amount === undefined ? undefined : columns;
}

function indexesOf(cells: readonly string[], header: string): number[] {
  const wanted = foldHeader(header);
  return [...cells.keys()].filter((index) => wanted !== '' && foldHeader(cells[index] ?? '') === wanted);
}

/** Errors: `usage` when flags name several columns for one meaning; `file_invalid` when several have the same header. */
function checkColumns(
  cells: readonly string[],
  name: string,
  columns: CashColumns,
  flags: readonly CashColumnFlag[] = [],
): void {
  for (const field of cashFields) {
    const headers = new Set(
      flags
        .flatMap((flag) => (flag.field === field ? indexesOf(cells, flag.header) : []))
        .map((index) => cells[index] ?? ''),
    );
    if (headers.size > 1) {
      throw new CliError(
        'usage',
        `${name} has several columns for =${field}: ${[...headers].map(shortName).join(', ')}.`,
        {
          hint: 'Name one of them with --cash-column.',
          outcome: 'not_sent',
        },
      );
    }
    const header = columns[field] ?? '';
    if (indexesOf(cells, header).length < 2) continue;
    throw new CliError('file_invalid', `${name} has several columns ${shortName(header)}.`, {
      hint: 'Rename all but the one with the amounts or orders that are meant. Nothing was written.',
      outcome: 'not_sent',
    });
  }
}

function countFields(cash: JsonObject): number {
  return cashFields.filter((field) => textField(cash, field) !== undefined).length;
}

async function decimalOfList(
  { prompts, settings }: Context,
  table: Table,
  columns: CashColumns,
  { given, orders }: { given: DecimalMark | undefined; orders: ListContext['orders'] },
): Promise<DecimalMark | undefined> {
  if (given !== undefined) return given;
  const { marks, sample } = await decimalMarksOf(table, columns, orders);
  if (marks.length === 1) return marks[0];
  if (prompts !== undefined && !settings.yes) {
    const question = `${describeReadings(sample)}. Which is it?`;
    const chosen = await prompts.choose(question, [
      { value: 'dot', name: 'a dot before the decimals' },
      { value: 'comma', name: 'a comma before the decimals' },
    ]);
    return chosen === 'dot' ? 'dot' : 'comma';
  }
  throw new CliError('file_invalid', 'It is unclear how the amounts of the list are written.', {
    hint: `Add --decimal dot or --decimal comma: ${describeReadings(sample)}.`,
    outcome: 'not_sent',
  });
}

const questions: Readonly<Record<CashField, string>> = {
  order: 'which column has the order number or order ID?',
  amount: 'which column has the amount that was collected?',
  fee: 'which column has the fee of the courier?',
  net: 'which column has the amount that is paid out?',
};
const none = 'none';
const rowsLookedAt = 100;

/** Proposes the column in which most cells name orders of the file. */
async function askColumns(
  prompts: NonNullable<Context['prompts']>,
  table: Table,
  { name, orders }: { name: string; orders: ReadonlyMap<string, FileOrder> },
): Promise<CashColumns> {
  const { cells } = table.header;
  const rows = await firstRows(table, rowsLookedAt);
  const isName = (text: string) => orders.has(text) || (text !== '' && readingsOf(text).length > 1);
  let left = filledColumns(cells);
  const columns: CashColumns = {};
  for (const field of cashFields) {
    const choices = columnChoices(cells, left, rows);
    const isNeeded = field === 'order' || field === 'amount';
    const counts = left.map((index) => rows.filter((row) => isName(row.cells[index] ?? '')).length);
    const best = left[counts.indexOf(Math.max(...counts))];
    const preset = field === 'order' ? best : undefined;
    const chosen = await prompts.choose(
      cleanCell(`${name}: ${questions[field]}`),
      isNeeded ? choices : [{ value: none, name: 'None' }, ...choices],
      preset === undefined ? undefined : String(preset),
    );
    if (chosen === none) continue;
    columns[field] = cells[Number(chosen)] ?? '';
    left = left.filter((index) => String(index) !== chosen);
    if (left.length === 0) break;
  }
  return columns;
}

function unclearColumns({ system }: Context, { header: { cells } }: Table, name: string): CliError {
  const [order = 'ORDER', amount = 'AMOUNT'] = filledColumns(cells).map((index) => cells[index]);
  const flags = ['--cash-column', `${order}=order`, '--cash-column', `${amount}=amount`];
  const hint: Text = advice`Its columns are: ${namesOfColumns(cells)}. Name these, and =fee and =net where it has them, such as:\n  ${completeCommand([...system.args, ...flags])}`;
  return new CliError('file_invalid', `${name} does not say which columns have the orders and the amounts.`, {
    hint,
    outcome: 'not_sent',
  });
}
