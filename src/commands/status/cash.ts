import { type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { createHeader } from '../../import/columns/header.ts';
import {
  ReadingQuestion,
  readTable,
  type Source,
  type Table,
  withSource,
} from '../../import/read/read-table.ts';
import { readHundredths } from '../../import/words/money.ts';
import { readAsking } from '../../mappings/choose-mapping.ts';
import { mayBeOrderNumber, newestNumber, readOrderNumber } from '../../orders/order-reference.ts';
import { type CashColumns, type CashList, readCashList } from '../../status/cash-list.ts';
import { type FileOrder, orderNamed } from '../../status/file-orders.ts';
import type { States } from '../../status/find-states.ts';
import { cashFields, readListColumns } from '../../status/list-columns.ts';
import {
  compareCash,
  createFinder,
  type MatchedCash,
  matchCash,
  type OrderCash,
} from '../../status/match-cash.ts';
import { askColumn, filledColumns, shortName, withoutHeader } from './columns.ts';
import type { StatusFlags } from './read.ts';
import { money, placeOf } from './report.ts';

/** The couriers' lists. At a terminal, asks for the columns that are not certain. Errors: those of reading; `file_invalid`. */
export async function readCashLists(
  context: Context,
  { cash = [], decimal }: StatusFlags,
  orders: readonly FileOrder[],
): Promise<CashList[]> {
  const known = new Set(orders.flatMap(({ reference }) => reference || []));
  const lists: CashList[] = [];
  for (const file of cash) {
    await withSource(file, context.system, async (source) => {
      const table = await readListTable(context, source);
      const found = await readListColumns(table, (text) => known.has(text));
      const columns = await chooseColumns(context, source.name, table, found);
      const isRow = readHundredths(table.header.cells[columns.amount ?? -1] ?? '') !== undefined;
      const options = { file: source.name, columns, day: found.day, decimal, today: context.clock.today() };
      lists.push(await readCashList(isRow ? withoutHeader(table, []) : table, options));
      await source.checkUnchanged();
    });
  }
  return lists;
}

async function readListTable(context: Context, source: Source): Promise<Table> {
  const { stopping } = context.interruption;
  try {
    return await readAsking(context, (answers) => readTable(source, answers, { forOrders: true, stopping }));
  } catch (error) {
    if (!(error instanceof ReadingQuestion)) throw error;
    // The flags about reading are those of the file with the orders.
    throw new CliError(error.code, error.sentence, {
      hint: t`Run it at a terminal, where it is asked, or save the list alone as "CSV UTF-8", with its header in the first row.`,
    });
  }
}

/** By their headers, which may be names of fields, then by their values; says which they are. */
async function chooseColumns(
  context: Context,
  name: string,
  table: Table,
  { certain, phones, amounts }: Awaited<ReturnType<typeof readListColumns>>,
): Promise<CashColumns> {
  const header = createHeader(table.header);
  const columns: CashColumns = {};
  const isFree = (index: number) => !Object.values(columns).includes(index) && header.cells[index] !== '';
  const named = cashFields.map((field) => [field, header.indexOf(field)] as const);
  const read = cashFields.map((field) => [field, certain[field]] as const);
  for (const [field, index] of [...named, ...read])
    if (typeof index === 'number' && columns[field] === undefined && isFree(index)) columns[field] = index;
  const list = cleanCell(name);
  const ask = (question: Text, mayBe: readonly number[], none?: Text) =>
    askColumn(context, table, {
      question,
      indexes: mayBe.filter(isFree),
      none,
      toError: (names) =>
        new CliError('file_invalid', t`${name} does not say which columns have the orders and the amounts.`, {
          hint: t`Its columns are: ${names}. Run it at a terminal, where it is asked, or write order (or phone) and amount above those that are meant.`,
        }),
    });
  if ((columns.order ?? columns.phone) === undefined) {
    const question = t`${list}: which column has the order number, the order ID or the customer's phone?`;
    const index = await ask(question, filledColumns(table));
    columns[phones.includes(index ?? -1) ? 'phone' : 'order'] = index;
  }
  if (columns.amount === undefined) {
    columns.amount = await ask(t`${list}: which column has the amount that was collected?`, amounts);
    const questions = {
      fee: t`${list}: which column has the fee of the courier?`,
      net: t`${list}: which column has the amount that is paid out?`,
    };
    for (const field of ['fee', 'net'] as const)
      if (columns[field] === undefined && amounts.some(isFree))
        columns[field] = await ask(questions[field], amounts, t`None`);
  }
  const fields = cashFields.flatMap((field) => {
    const index = columns[field];
    return index === undefined ? [] : `${shortName(header.cells[index])}=${field}`;
  });
  context.print.note(t`${list} is read by its columns ${fields}.`);
  return columns;
}

/**
 * What the lists say of each order. Orders that are not in the file are looked up by `find`, and added to the states. Errors:
 * those of a lookup; `ambiguous_order`.
 */
export async function matchLists(
  context: Context,
  lists: readonly CashList[],
  states: States,
  find: (orders: readonly FileOrder[]) => Promise<States>,
): Promise<OrderCash[]> {
  const entries = lists.flatMap((list) => list.entries);
  const isOfFile = createFinder(states);
  for (const list of lists) await readSequences(context, list, states, isOfFile);
  const others = new Set(entries.flatMap(({ reference }) => (isOfFile(reference) ? [] : reference || [])));
  const elsewhere = others.size === 0 ? new Map() : await find([...others].map(orderNamed));
  for (const [order, state] of elsewhere) if (state.id !== undefined) states.set(order, state);
  const matched = matchCash(entries, states);
  await chooseOrders(context, matched, states);
  return compareCash(entries, states, matched.orders);
}

/**
 * Where a list has only sequences, such as 3 for ORD-2026-000003, asks at a terminal whether they are those of order numbers,
 * and names the orders so.
 */
async function readSequences(
  { prompts }: Context,
  { file, entries }: CashList,
  states: States,
  isOfFile: ReturnType<typeof createFinder>,
): Promise<void> {
  const newest = newestNumber([...states.values()].map(({ orderNumber }) => orderNumber)) ?? '';
  const named = entries.filter(({ reference }) => reference !== '');
  const numbers = named.flatMap(({ reference }) => {
    const mayBe = mayBeOrderNumber(reference) && isOfFile(reference) === undefined;
    return (mayBe && readOrderNumber(reference, newest)) || [];
  });
  const [first] = named;
  if (first === undefined || numbers.length < named.length || prompts === undefined) return;
  const question = t`${cleanCell(file)}: is ${cleanCell(first.reference)} the order ${numbers[0] ?? ''}, and so on in all ${named.length} {row|rows}?`;
  if (!(await prompts.confirm(question))) return;
  for (const [place, entry] of named.entries()) entry.reference = numbers[place] ?? entry.reference;
}

const maxIssues = 20;

/** At a terminal, asks which order is meant. Error: `ambiguous_order` elsewhere. */
async function chooseOrders(
  { prompts }: Context,
  { orders, open }: MatchedCash,
  states: States,
): Promise<void> {
  const nameOf = (order: FileOrder) => {
    const { orderNumber = '', collectionAmount = '', requestedDeliveryDate = '' } = states.get(order) ?? {};
    return [...new Set([orderNumber, order.reference, collectionAmount, requestedDeliveryDate])]
      .filter(Boolean)
      .join(', ');
  };
  if (open.length > 0 && prompts === undefined) {
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
    const question = t`${cleanCell(placeOf(entry))}: ${cleanCell(entry.phone)}: ${money(entry.amount)} collected. Which order is it?`;
    const choices = candidates.map((order, index) => ({
      value: String(index),
      name: cleanCell(nameOf(order)),
    }));
    const none = { value: 'none', name: t`none of these` };
    const chosen = candidates[Number(await prompts?.choose(question, [...choices, none], null))];
    if (chosen !== undefined) orders.set(entry, chosen);
  }
}
