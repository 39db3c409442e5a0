import { advice, completeCommand, joinTexts } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { fills, kindOfCells } from '../../import/mapping/column.ts';
import { foldHeader } from '../../import/mapping/known-fields.ts';
import type { Mapping } from '../../import/mapping/mapping.ts';
import { type Plan, planImport } from '../../import/orders/plan-import.ts';
import type { CsvSource, Table } from '../../import/read/read-table.ts';
import { resultColumns } from '../../import/results/files.ts';
import { unclearAmounts } from '../../import/status/cash-list.ts';
import { type FileOrder, ordersOfColumn, ordersOfPlan } from '../../import/status/file-orders.ts';
import { type MappingFlags, readAsking, readMapped, rememberedNotes } from '../../mappings/choose-mapping.ts';
import { findListMappings } from '../../mappings/remembered-mappings.ts';
import { textField } from '../../orders/order.ts';
import { readingsOf } from '../../orders/order-reference.ts';
import type { FieldPlaces } from '../../orders/unnamed-fields.ts';
import { withArticle } from '../../output/import-preview.ts';
import type { CashColumnFlag } from './cash.ts';
import {
  columnChoices,
  filledColumns,
  firstRows,
  namesOfColumns,
  rememberList,
  shortName,
} from './columns.ts';

export const stateColumns = [
  '_order_number',
  '_status',
  '_delivery',
  '_collection_amount',
  '_total',
  '_created',
  '_difference',
];
/** With those of `--cash`. */
export const addedColumns = [...stateColumns, '_cash', '_cash_difference', '_cash_from'];

export interface StatusFlags extends Omit<MappingFlags, 'checks'> {
  idColumn?: string;
  output?: string;
  cash?: string[];
  cashColumn?: CashColumnFlag[];
}

export interface StatusFile {
  table: Table;
  orders: FileOrder[];
  places: FieldPlaces;
  /** The columns with amounts, where they are known. */
  amounts?: ReadonlySet<number>;
}

/** At a terminal, asks what only a person knows about the file. Errors: those of reading; `file_invalid`. */
export async function readStatusFile(
  context: Context,
  source: CsvSource,
  flags: StatusFlags,
): Promise<StatusFile> {
  const read = await readAsking(context, (answers) => readOnce(context, source, { ...flags, ...answers }));
  const { idColumn } = flags;
  if (idColumn !== undefined && flags.map === undefined)
    await rememberIdColumn(context, source.name, read.table, { idColumn, isAnswer: false });
  return read;
}

/** `remembered` counts as `--id-column` does. */
async function readOnce(
  context: Context,
  source: CsvSource,
  flags: StatusFlags,
  remembered?: string,
): Promise<StatusFile> {
  const { print } = context;
  const { idColumn = remembered } = flags;
  const {
    table: wholeTable,
    chosen,
    optionsWith,
  } = await readMapped(context, source, {
    ...flags,
    ...(idColumn === undefined ? {} : { mapColumn: [{ header: idColumn, path: 'externalOrderId' }] }),
    // What is not sent needs no decision.
    ignoreRest: true,
    endsHere: true,
    checks: true,
  });
  const options = optionsWith();
  const { places } = options;
  const table = withoutAddedRows(wholeTable);
  const results = resultColumns(table.header.cells);
  if (results !== undefined) {
    const { externalOrderId, outcome } = results;
    const isLeftOut = (cells: readonly string[]) => cells[outcome] === 'left_out';
    return { table, places, orders: await ordersOfColumn(table, externalOrderId, 'external', isLeftOut) };
  }
  const earlier = idColumn ?? flags.map ?? chosen.map;
  const known = earlier === undefined ? await findIdColumn(context, table) : undefined;
  if (known !== undefined) {
    const read = await readOnce(context, source, flags, known.column);
    print.note(
      cleanCell(
        `The orders are in the column "${shortName(known.column)}", as remembered in ${known.name}. To name another one, add --id-column.`,
      ),
    );
    return read;
  }
  const first = idColumn === undefined ? table.header.cells.findIndex(isOurReference) : -1;
  if (first >= 0)
    return readList(context, withoutHeader(table, first), places, { index: first, reading: 'any' });
  const plan = await planImport(table, options);
  stopForAmounts(source.name, plan);
  const list = listColumn(plan.mapping);
  if (list !== undefined) return readList(context, table, places, list);
  if (plan.keepsOrders && plan.mapping.columns.some(fills('externalOrderId'))) {
    for (const note of rememberedNotes(chosen.remembered)) print.note(note);
    if (plan.shop !== undefined) print.note(`Read as ${withArticle(plan.shop.title)}.`);
    const { invalid } = plan.counts;
    if (invalid > 0) print.note(unclearNote(invalid));
    const amounts = plan.mapping.columns.filter((column) => kindOfCells(column) === 'money');
    const indexes = new Set(amounts.map(({ index }) => index));
    return { table, places, orders: ordersOfPlan(plan), amounts: indexes };
  }
  const index = idColumn === undefined ? await findKnownId(context, table.header.cells) : -1;
  if (index >= 0) return readList(context, withoutHeader(table, index), places, { index, reading: 'any' });
  return readList(context, table, places, await chooseColumn(context, table, source.name, idColumn));
}

/** Error: `file_invalid`. */
function stopForAmounts(name: string, { problems }: Plan): void {
  const issues = problems.flatMap(({ first: { code, row, header, value = '', problem, fix } }) =>
    code === 'decimal_ambiguous'
      ? [{ path: `row ${row}, ${header}`, code, message: joinTexts([problem, fix], '; '), value }]
      : [],
  );
  if (issues.length > 0) throw unclearAmounts(name, issues);
}

async function readList(
  { print }: Context,
  table: Table,
  places: FieldPlaces,
  { index, reading }: ChosenColumn,
): Promise<StatusFile> {
  print.note('The orders are looked up, but their content is not compared with the file.');
  return { table, places, orders: await ordersOfColumn(table, index, reading) };
}

/** An order number or a UUID, which is no header. */
function isOurReference(cell: string): boolean {
  return readingsOf(cell).length > 1;
}

/** The column whose first cell is an ID in the ledger, which is no header. -1 for none. */
async function findKnownId(context: Context, cells: readonly string[]): Promise<number> {
  if (!context.hasLedger()) return -1;
  await using connection = await context.connect({ waitsForOutages: false });
  const ledger = await connection.openLedger({ isDryRun: true });
  try {
    const known = new Set(ledger.orders.findMany(cells).map(({ entry }) => entry.externalOrderId));
    return cells.findIndex((cell) => known.has(cell));
  } finally {
    ledger.close();
  }
}

/** Its first row is an order. */
function withoutHeader(table: Table, index: number): Table {
  const { row, line, cells } = table.header;
  const batches = async function* () {
    yield [{ row, line, cells }];
    yield* table.batches();
  };
  const names = cells.map((_, column) => (column === index ? 'order_id' : ''));
  return { ...table, header: { ...table.header, cells: names }, batches };
}

/** The only column that is read, if it has the IDs as they are. */
function listColumn({ columns, lines, rules, skipRowsWhen }: Mapping): ChosenColumn | undefined {
  const [column, ...others] = columns;
  if (column === undefined || others.length > 0 || !fills('externalOrderId')(column)) return undefined;
  const isPlain = column.rule === undefined && lines === undefined && column.index >= 0;
  const hasRules = rules.leaveOut.length + skipRowsWhen.length > 0;
  return isPlain && !hasRules ? { index: column.index, reading: 'any' } : undefined;
}

/** An earlier status has rows for orders of couriers' lists that are not in its file. */
function withoutAddedRows(table: Table): Table {
  const { cells } = table.header;
  if (!cells.includes('_cash_from')) return table;
  const own = [...cells.keys()].filter((index) => !addedColumns.includes(cells[index] ?? ''));
  const batches = async function* () {
    for await (const rows of table.batches())
      yield rows.filter((row) => own.some((index) => row.cells[index] !== ''));
  };
  return { ...table, batches };
}

function unclearNote(count: number): string {
  const orders = count === 1 ? '1 order' : `${count} orders`;
  return `An import would not accept ${orders} as they are in the file; what is wrong in them is not compared.`;
}

interface ChosenColumn {
  index: number;
  reading: FileOrder['reading'];
}

/** The columns of our own files, in the order in which they are looked for. */
const namedColumns: readonly [header: string, reading: FileOrder['reading']][] = [
  ['external_order_id', 'external'],
  ['externalOrderId', 'external'],
  ['order_number', 'number'],
  ['orderNumber', 'number'],
  ['order_id', 'any'],
  ['id', 'any'],
];

/** Error: `file_invalid` when it is unclear which column it is. */
async function chooseColumn(
  context: Context,
  table: Table,
  name: string,
  wanted: string | undefined,
): Promise<ChosenColumn> {
  const { cells } = table.header;
  if (wanted !== undefined) {
    const index = cells.findIndex((cell) => foldHeader(cell) === foldHeader(wanted));
    if (index >= 0) return { index, reading: 'any' };
    throw unclearColumn(context, cells, `${name} has no column ${shortName(wanted)}.`);
  }
  for (const [header, reading] of namedColumns) {
    const index = cells.indexOf(header);
    if (index >= 0 && cells.indexOf(header, index + 1) < 0) return { index, reading };
  }
  const { prompts, settings } = context;
  if (prompts === undefined || settings.yes)
    throw unclearColumn(context, cells, `${name} has no column that certainly has order IDs.`);
  const choices = columnChoices(cells, filledColumns(cells), await firstRows(table, 10));
  const question = 'Which column has the order IDs or order numbers?';
  const index = Number(await prompts.choose(question, choices));
  await rememberIdColumn(context, name, table, { idColumn: cells[index] ?? '', isAnswer: true });
  return { index, reading: 'any' };
}

/** What `--id-column` named, or was answered, for a file with these columns. */
async function findIdColumn(
  context: Context,
  { header }: Table,
): Promise<{ name: string; column: string } | undefined> {
  const found = (await findListMappings(context, 'orders')).find(({ isOf }) => isOf(header));
  const column = textField(found?.columns, 'column');
  return found && column !== undefined ? { name: found.name, column } : undefined;
}

async function rememberIdColumn(
  context: Context,
  file: string,
  table: Table,
  { idColumn, isAnswer }: { idColumn: string; isAnswer: boolean },
): Promise<void> {
  const isIt = (cell: string) => foldHeader(cell) === foldHeader(idColumn);
  const column = table.header.cells.find(isIt) ?? idColumn;
  if ((await findIdColumn(context, table))?.column === column) return;
  const mapping = { orders: { column } };
  const what = isAnswer ? 'Your answer is' : 'The column is';
  await rememberList(context, { file, header: table.header, mapping }, what, isAnswer);
}

function unclearColumn({ system }: Context, cells: readonly string[], sentence: string): CliError {
  const [first] = filledColumns(cells);
  const args = system.args.filter(
    (arg, index, all) => arg !== '--id-column' && all[index - 1] !== '--id-column',
  );
  return new CliError('file_invalid', sentence, {
    hint: advice`Its columns are: ${namesOfColumns(cells)}. Name the one with the orders:\n  ${completeCommand([...args, '--id-column', first === undefined ? 'HEADER' : (cells[first] ?? '')])}`,
    outcome: 'not_sent',
  });
}
