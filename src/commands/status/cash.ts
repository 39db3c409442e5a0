import { type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { type CashField, cashFields, type DecimalMark } from '../../import/choices.ts';
import {
  type ReadingFlags,
  ReadingQuestion,
  type Row,
  readTable,
  type Source,
  type Table,
  withSource,
} from '../../import/read/read-table.ts';
import { readAsking } from '../../mappings/choose-mapping.ts';
import { mayBeOrderNumber, newestNumber, readOrderNumber } from '../../orders/order-reference.ts';
import { type CashColumns, type CashList, readCashList, readSigned } from '../../status/cash-list.ts';
import type { FileOrder } from '../../status/file-orders.ts';
import { readListColumns } from '../../status/list-columns.ts';
import type { MatchedCash } from '../../status/match-cash.ts';
import type { OrderState } from '../../status/order-state.ts';
import { money, placeOf } from './cash-summary.ts';
import { askColumn, filledColumns, indexesOf, shortName, unclearColumns, withoutHeader } from './columns.ts';

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

/**
 * The couriers' lists. At a terminal, asks for the columns that are not certain. `isKnown`: whether a text names an order of
 * the file. Errors: those of reading; `usage`, `file_invalid`.
 */
export async function readCashLists(
  context: Context,
  flags: CashFlags,
  isKnown: (reference: string) => boolean,
): Promise<CashList[]> {
  const { system } = context;
  const { cash: files = [], cashColumn = [] } = flags;
  const found = new Set<string>();
  const lists: CashList[] = [];
  for (const [index, file] of files.entries()) {
    for (const earlier of files.slice(0, index)) {
      if (file !== earlier && !(await system.files.isSameFile(file, earlier))) continue;
      throw new CliError('usage', t`The list ${file} is named twice.`, {
        hint: t`Name each list once: what is in it twice would be counted twice.`,
      });
    }
    await withSource(file, system, async (source) => {
      const table = await readListTable(context, source, flags);
      for (const { header } of cashColumn)
        if (indexesOf(table.header.cells, header).length > 0) found.add(header);
      lists.push(await readList(context, source.name, table, { flags, isKnown }));
      await source.checkUnchanged();
    });
  }
  for (const { header } of cashColumn) {
    if (found.has(header)) continue;
    throw new CliError('usage', t`No list has the column ${shortName(header)}.`, {
      hint: t`Write the header in --cash-column as the list has it.`,
    });
  }
  return lists;
}

async function readListTable(context: Context, source: Source, flags: CashFlags): Promise<Table> {
  const { stopping } = context.system.interruption;
  const isKnown = async ({ cells }: Row) => isComplete(namedColumns(cells, source.name, flags));
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
function unclearList({ code, sentence }: ReadingQuestion): CliError {
  return new CliError(code, sentence, {
    hint: t`Run it at a terminal, where it is asked, or save the list alone as "CSV UTF-8", with its header in the first row.`,
  });
}

function isComplete({ order, phone, amount }: CashColumns): boolean {
  return (order ?? phone) !== undefined && amount !== undefined;
}

/** Those that flags name, else those with the name of a field. Error: `usage` for several of one field. */
function namedColumns(cells: readonly string[], list: string, { cashColumn = [] }: CashFlags): CashColumns {
  const columns: CashColumns = {};
  for (const field of cashFields) {
    const ofFlags = cashColumn.flatMap((flag) => (flag.field === field ? indexesOf(cells, flag.header) : []));
    const [index, ...others] = new Set(ofFlags.length > 0 ? ofFlags : indexesOf(cells, field));
    if (index === undefined) continue;
    if (others.length === 0) columns[field] = index;
    else {
      const names = [index, ...others].map((each) => shortName(cells[each] ?? '')).join(', ');
      throw new CliError('usage', t`${list} has several columns for =${field}: ${names}.`, {
        hint: t`Name one of them with --cash-column, and rename those with the same header.`,
      });
    }
  }
  return columns;
}

const questions: Readonly<Record<CashField, (list: string) => Text>> = {
  order: (list) => t`${list}: which column has the order number or order ID?`,
  phone: (list) => t`${list}: which column has the customer's phone?`,
  amount: (list) => t`${list}: which column has the amount that was collected?`,
  fee: (list) => t`${list}: which column has the fee of the courier?`,
  net: (list) => t`${list}: which column has the amount that is paid out?`,
};

interface ListContext {
  flags: CashFlags;
  isKnown(reference: string): boolean;
}

function exampleFlags([order = 'ORDER', amount = 'AMOUNT']: readonly string[]): string[] {
  return ['--cash-column', `${order}=order`, '--cash-column', `${amount}=amount`];
}

/** Says which columns it is read by, unless all are named. */
async function readList(
  context: Context,
  name: string,
  table: Table,
  { flags, isKnown }: ListContext,
): Promise<CashList> {
  const { prompts, settings, print, clock, system } = context;
  const { cells } = table.header;
  const sentence = t`${name} does not say which columns have the orders and the amounts.`;
  const named = namedColumns(cells, name, flags);
  const { certain, phones, amounts, day } = await readListColumns(table, isKnown);
  const isTaken = (index: number) => Object.values(columns).includes(index);
  const columns: CashColumns = { ...named, ...(day && { day }) };
  for (const [field, index] of Object.entries(certain) as [CashField, number][])
    if (columns[field] === undefined && !isTaken(index)) columns[field] = index;
  const free = (indexes: readonly number[]) =>
    indexes.filter((index) => !isTaken(index) && cells[index] !== '');
  const ask = async (field: CashField, indexes: readonly number[], none?: Text) => {
    if (prompts === undefined || settings.yes || filledColumns(cells).length < 2 || indexes.length === 0)
      throw unclearColumns(system.args, cells, sentence, exampleFlags);
    const others = none === undefined ? [] : [{ value: 'none', name: none }];
    const index = await askColumn(prompts, table, questions[field](cleanCell(name)), indexes, others);
    if (index !== undefined) columns[field] = index;
  };
  if ((columns.order ?? columns.phone) === undefined) {
    const byPhone = free(phones);
    await ask(
      'order',
      free(filledColumns(cells)),
      byPhone.length === 0 ? undefined : t`None: match by phone`,
    );
    if (columns.order === undefined) await ask('phone', byPhone);
  }
  if (columns.amount === undefined) {
    await ask('amount', free(amounts));
    for (const field of ['fee', 'net'] as const)
      if (columns[field] === undefined && free(amounts).length > 0) await ask(field, free(amounts), t`None`);
  }
  const fields = cashFields.filter((field) => columns[field] !== undefined);
  const headers = fields.map((field) => `${shortName(cells[columns[field] ?? -1] ?? '')}=${field}`);
  if (fields.some((field) => named[field] === undefined))
    print.note(t`${cleanCell(name)} is read by its columns ${headers}.`);
  const isRow = readSigned(cells[columns.amount ?? -1] ?? '') !== undefined;
  const own = isRow ? withoutHeader(table, []) : table;
  return readCashList(own, { file: name, columns, decimal: flags.decimal, today: clock.today() });
}

type States = ReadonlyMap<FileOrder, OrderState>;

/**
 * Where a list has only sequences, such as 3 for ORD-2026-000003, asks at a terminal whether they are those of order numbers,
 * and names the orders so. `find`: the order that a text names.
 */
export async function readSequences(
  { prompts, settings }: Context,
  lists: readonly CashList[],
  states: States,
): Promise<void> {
  if (prompts === undefined || settings.yes) return;
  const newest = newestNumber([...states.values()].map(({ orderNumber }) => orderNumber)) ?? '';
  const missing = new Set(
    [...states].flatMap(([{ reference }, { id }]) => (id === undefined ? reference : [])),
  );
  for (const { file, entries } of lists) {
    const named = entries.filter(({ reference }) => reference !== '');
    const numbers = named.map(({ reference }) =>
      missing.has(reference) && mayBeOrderNumber(reference) ? readOrderNumber(reference, newest) : undefined,
    );
    const [first] = named;
    const [number] = numbers;
    if (first === undefined || number === undefined || numbers.includes(undefined)) continue;
    const question = t`${cleanCell(file)}: is ${cleanCell(first.reference)} the order ${number}, and so on in all ${named.length} {row|rows}?`;
    if (!(await prompts.confirm(question))) continue;
    for (const [place, entry] of named.entries()) entry.reference = numbers[place] ?? entry.reference;
  }
}

/** At a terminal, asks which order is meant. Error: `ambiguous_order` elsewhere. */
export async function chooseOrders(
  { prompts, settings }: Context,
  { orders, open }: MatchedCash,
  states: States,
): Promise<void> {
  const nameOf = (order: FileOrder) => {
    const { orderNumber = '', collectionAmount = '', deliverOn = '' } = states.get(order) ?? {};
    return [...new Set([orderNumber, order.reference, collectionAmount, deliverOn])]
      .filter(Boolean)
      .join(', ');
  };
  if (open.length > 0 && (prompts === undefined || settings.yes)) {
    const issues = open.map(({ entry, orders: candidates }) => ({
      path: `${entry.file} row ${entry.row}`,
      message: t`may be of ${candidates.map(nameOf).join('; ')}`,
      value: entry.phone,
    }));
    throw new CliError('ambiguous_order', t`The phone does not say which order the lists mean.`, {
      issues: issues.slice(0, maxIssues),
      hint: t`Write the order numbers into the lists, or run it at a terminal, where it is asked. Nothing was written.`,
    });
  }
  for (const { entry, orders: candidates } of open) {
    const question = t`${placeOf(entry)}: ${money(entry.amount)} collected. Which order is it?`;
    const choices = candidates.map((order, index) => ({
      value: String(index),
      name: cleanCell(nameOf(order)),
    }));
    const none = { value: 'none', name: t`none of these` };
    const chosen = candidates[Number(await prompts?.choose(question, [...choices, none], null))];
    if (chosen !== undefined) orders.set(entry, chosen);
  }
}

const maxIssues = 20;
