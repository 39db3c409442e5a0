import { advice, completeCommand, joinTexts, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { type CashField, cashFields, type DecimalMark } from '../../import/choices.ts';
import { type ColumnProfile, createTableProfile } from '../../import/mapping/guess/column-profile.ts';
import { amountKindOf, isRankHeader } from '../../import/mapping/guess/guess-by-header.ts';
import { foldHeader } from '../../import/mapping/known-fields.ts';
import { meaningOfHeader } from '../../import/mapping/meanings.ts';
import {
  type ReadingFlags,
  ReadingQuestion,
  type Row,
  readTable,
  type Source,
  type Table,
  withSource,
} from '../../import/read/read-table.ts';
import { type CashColumns, type CashList, readCashList, readSigned } from '../../import/status/cash-list.ts';
import { type FileOrder, isTotalRow } from '../../import/status/file-orders.ts';
import { readAsking } from '../../mappings/choose-mapping.ts';
import { findListMappings } from '../../mappings/remembered-mappings.ts';
import type { JsonObject } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { readingsOf } from '../../orders/order-reference.ts';
import type { Choice } from '../../system/prompts/prompts.ts';
import { forgetColumns, money } from './cash-summary.ts';
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
      const read = await readByColumns(context, source, table, { flags, orders, file });
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

interface ListContext {
  flags: CashFlags;
  orders: ReadonlyMap<string, FileOrder>;
  file: string;
}

async function readByColumns(
  context: Context,
  source: Source,
  table: Table,
  { flags, orders, file }: ListContext,
): Promise<CashList> {
  const { prompts, settings, print } = context;
  const { cells } = table.header;
  const { name: listName } = source;
  const known = await knownColumns(context, cells, flags);
  const read = (columns: CashColumns) => readCashList(table, listName, columns, flags.decimal);
  if (known !== undefined) {
    const { name, columns } = known;
    checkColumns(cells, listName, columns, flags.cashColumn);
    if (name === undefined) return read(columns);
    print.note(t`Read with the remembered columns ${cleanCell(name)}.`);
    try {
      return { ...(await read(columns)), remembered: name };
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const hint = joinTexts([error.details.hint ?? '', forgetColumns(name)], '\n');
      throw new CliError(error.code, error.sentence, { ...error.details, hint });
    }
  }
  const isTooNarrow = cells.filter((cell) => cell !== '').length < 2;
  const isNamed = (flags.cashColumn ?? []).some(({ header }) => indexesOf(cells, header).length > 0);
  if (prompts === undefined || settings.yes || isTooNarrow || isNamed)
    throw unclearColumns(context, table, listName);
  const { columns, list } = await askColumns(context, prompts, table, { name: listName, orders, read });
  const toRemember = { file, header: table.header, mapping: { cash: columns } };
  const remembered = await rememberList(context, toRemember, 'Your answers are');
  return { ...list, remembered };
}

interface KnownColumns {
  columns: CashColumns;
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
    return { columns, name };
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

const questions: Readonly<Record<CashField, (list: string) => Text>> = {
  order: (list) => t`${list}: which column has the order number or order ID?`,
  amount: (list) => t`${list}: which column has the amount that was collected?`,
  fee: (list) => t`${list}: which column has the fee of the courier?`,
  net: (list) => t`${list}: which column has the amount that is paid out?`,
};
const rowsLookedAt = 100;
const none: Choice = { value: 'none', name: t`None` };
const noAnswer: Choice = { value: '', name: t`please choose a column`, short: '…' };
const back = 'back';
const backChoice: Choice = { value: back, name: t`← back` };

interface ListToAsk extends Pick<ListContext, 'orders'> {
  name: string;
  read(columns: CashColumns): Promise<CashList>;
}

type AnsweredColumns = { columns: CashColumns; list: CashList };

/** Enter alone takes no column but one of which every cell names an order. */
async function askColumns(
  context: Context,
  prompts: NonNullable<Context['prompts']>,
  table: Table,
  { name, orders, read }: ListToAsk,
): Promise<AnsweredColumns> {
  const { cells } = table.header;
  const rows = await firstRows(table, rowsLookedAt);
  const found = await findColumns(table, orders);
  const list = cleanCell(name);
  const choose = async (message: Text, choices: readonly Choice[], preset = noAnswer.value) => {
    const offered = preset === noAnswer.value ? [noAnswer, ...choices] : choices;
    let answer: string;
    do {
      answer = await prompts.choose(message, offered, preset);
    } while (answer === noAnswer.value);
    return answer;
  };
  const ask = async (
    columns: CashColumns,
    asked: readonly CashField[],
  ): Promise<AnsweredColumns | typeof back> => {
    const used = Object.values(columns);
    const amounts = found.amounts.filter((index) => !used.includes(cells[index] ?? ''));
    const backChoices = asked.length === 0 ? [] : [backChoice];
    if (asked.length === 1 && amounts.length === 0) throw unclearColumns(context, table, name);
    const field = cashFields.find((each) => !asked.includes(each));
    if (field === undefined || (asked.length > 0 && amounts.length === 0)) {
      const collected = await read(columns);
      const isRight = [{ value: 'right', name: t`yes` }, ...backChoices];
      const answer = await prompts.choose(describeChosen(list, collected), isRight);
      return answer === back ? back : { columns, list: collected };
    }
    const isOrder = field === 'order';
    const choices = columnChoices(cells, isOrder ? filledColumns(cells) : amounts, rows);
    const nones = field === 'fee' || field === 'net' ? [none] : [];
    const preset = isOrder ? found.order?.toString() : undefined;
    for (;;) {
      const answer = await choose(questions[field](list), [...nones, ...choices, ...backChoices], preset);
      if (answer === back) return back;
      const chosen = answer === none.value ? {} : { [field]: cells[Number(answer)] ?? '' };
      const answered = await ask({ ...columns, ...chosen }, [...asked, field]);
      if (answered !== back) return answered;
    }
  };
  return (await ask({}, [])) as AnsweredColumns;
}

const minAmount = 100;
const minRound = 0.5;

/** The columns that may hold amounts, and the one that certainly holds the orders. */
async function findColumns(
  { header: { cells: header }, batches }: Table,
  orders: ReadonlyMap<string, FileOrder>,
): Promise<{ order: number | undefined; amounts: number[] }> {
  const profile = createTableProfile(header.length);
  const others = new Map<number, number>();
  const unnamed = new Set<number>();
  for await (const batch of batches()) {
    for (const { cells } of batch) {
      if (isTotalRow('', cells)) continue;
      profile.addRow(cells);
      for (const [index, text] of cells.entries()) {
        if (text === '') continue;
        if (readSigned(text) === undefined) others.set(index, (others.get(index) ?? 0) + 1);
        if (!orders.has(text) && readingsOf(text).length === 1) unnamed.add(index);
      }
    }
  }
  const filled = profile.columns().flatMap((own, index) => (own.filled > 0 ? [{ index, ...own }] : []));
  const named = filled.filter(({ index, blankOrders }) => blankOrders === 0 && !unnamed.has(index));
  // A few other cells are named when the list is read.
  const areAmounts = ({ index, filled: count }: (typeof filled)[number]) =>
    (others.get(index) ?? 0) < count / 2;
  const amounts = filled.filter((own) => areAmounts(own) && mayHoldAmounts(header[own.index] ?? '', own));
  return {
    order: named.length === 1 ? named[0]?.index : undefined,
    amounts: amounts.map(({ index }) => index),
  };
}

/** Of columns of numbers: none that counts the rows, and no phones, small numbers or codes. */
function mayHoldAmounts(header: string, profile: ColumnProfile): boolean {
  const { isRowNumber, shares, largest, filled, uniqueShare } = profile;
  const kind = amountKindOf(header);
  if (isRowNumber || isRankHeader(header) || kind === 'none') return false;
  if (shares.phone >= 0.5 || largest < minAmount) return false;
  const isCode = filled > 1 && uniqueShare === 1 && shares.round < minRound;
  const meaning = meaningOfHeader(header);
  return !isCode || kind !== undefined || meaning === 'amount_due' || meaning === 'amount_paid';
}

function describeChosen(name: string, { entries, amount, fee, net }: CashList): Text {
  const collected = entries.filter((entry) => entry.amount !== 0n);
  const shown = (collected.length < 2 ? entries : collected).slice(0, 2).map((entry) => {
    const order = entry.reference === '' ? [] : [shortName(entry.reference)];
    return advice`${joinTexts([t`row ${entry.row}`, ...order], ', ')}: ${money(entry.amount)}`;
  });
  const sums = [
    t`in all ${money(amount)} collected`,
    ...(fee === undefined ? [] : [t`fee ${money(fee)}`]),
    ...(net === undefined ? [] : [t`paid out ${money(net)}`]),
  ];
  return t`${name}: ${joinTexts([...shown, joinTexts(sums, ', ')], '; ')}. Is this right?`;
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
