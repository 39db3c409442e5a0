import { joinTexts, type Text, t } from '../../advice/advice.ts';
import type { Context } from '../../context.ts';
import { fills, kindOfCells } from '../../import/mapping/column.ts';
import type { Mapping } from '../../import/mapping/mapping.ts';
import { type Plan, planImport } from '../../import/orders/plan-import.ts';
import type { CsvSource, Table } from '../../import/read/read-table.ts';
import { resultColumns } from '../../import/results/files.ts';
import { type MappingFlags, readAsking, readMapped, rememberedNotes } from '../../mappings/choose-mapping.ts';
import type { FieldPaths } from '../../orders/unnamed-fields.ts';
import { withArticle } from '../../output/import-preview.ts';
import { unclearAmounts } from '../../status/cash-list.ts';
import { type FileOrder, ordersOfColumn, ordersOfPlan } from '../../status/file-orders.ts';
import { isOurReference, readListColumns } from '../../status/list-columns.ts';
import type { CashColumnFlag } from './cash.ts';
import { askColumn, filledColumns, indexesOf, shortName, unclearColumns, withoutHeader } from './columns.ts';

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
  fieldPaths: FieldPaths;
  /** The columns with amounts, where they are known. */
  amounts?: ReadonlySet<number>;
}

/** At a terminal, asks what only a person knows about the file. Errors: those of reading; `file_invalid`. */
export async function readStatusFile(
  context: Context,
  source: CsvSource,
  flags: StatusFlags,
): Promise<StatusFile> {
  return readAsking(context, (answers) => readOnce(context, source, { ...flags, ...answers }));
}

async function readOnce(context: Context, source: CsvSource, flags: StatusFlags): Promise<StatusFile> {
  const { print } = context;
  const { idColumn } = flags;
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
  const { fieldPaths } = options;
  const table = withoutAddedRows(wholeTable);
  const results = resultColumns(table.header.cells);
  if (results !== undefined) {
    const { externalOrderId, outcome } = results;
    const isLeftOut = (cells: readonly string[]) => cells[outcome] === 'left_out';
    return { table, fieldPaths, orders: await ordersOfColumn(table, externalOrderId, 'external', isLeftOut) };
  }
  const first = idColumn === undefined ? table.header.cells.findIndex(isOurReference) : -1;
  if (first >= 0)
    return readList(context, listWithoutHeader(table, first), fieldPaths, { index: first, reading: 'any' });
  const plan = await planImport(table, options);
  stopForAmounts(source.name, plan);
  const list = listColumn(plan.mapping);
  if (list !== undefined) return readList(context, table, fieldPaths, list);
  if (plan.keepsOrders && plan.mapping.columns.some(fills('externalOrderId'))) {
    for (const note of rememberedNotes(chosen.remembered)) print.note(note);
    if (plan.shop !== undefined) print.note(t`Read as ${withArticle(plan.shop.title)}.`);
    const { invalid } = plan.counts;
    if (invalid > 0) print.note(unclearNote(invalid));
    const amounts = plan.mapping.columns.filter((column) => kindOfCells(column) === 'money');
    const indexes = new Set(amounts.map(({ index }) => index));
    return { table, fieldPaths, orders: ordersOfPlan(plan), amounts: indexes };
  }
  const index = idColumn === undefined ? await findKnownId(context, table.header.cells) : -1;
  if (index >= 0)
    return readList(context, listWithoutHeader(table, index), fieldPaths, { index, reading: 'any' });
  return readList(context, table, fieldPaths, await chooseColumn(context, table, source.name, idColumn));
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
  fieldPaths: FieldPaths,
  { index, reading }: ChosenColumn,
): Promise<StatusFile> {
  print.note(t`The orders are looked up, but their content is not compared with the file.`);
  return { table, fieldPaths, orders: await ordersOfColumn(table, index, reading) };
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

function listWithoutHeader(table: Table, orders: number): Table {
  const names = table.header.cells.map((_, index) => (index === orders ? 'order_id' : ''));
  return withoutHeader(table, names);
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

function unclearNote(count: number): Text {
  return t`An import would not accept ${count} {order|orders} as they are in the file; what is wrong in them is not compared.`;
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
  const isFlag = (arg: string | undefined) => arg === '--id-column';
  const args = context.system.args.filter((arg, index, all) => !isFlag(arg) && !isFlag(all[index - 1]));
  const unclear = (sentence: Text) =>
    unclearColumns(args, cells, sentence, ([first = 'HEADER']) => ['--id-column', first]);
  if (wanted !== undefined) {
    const [index] = indexesOf(cells, wanted);
    if (index !== undefined) return { index, reading: 'any' };
    throw unclear(t`${name} has no column ${shortName(wanted)}.`);
  }
  for (const [header, reading] of namedColumns) {
    const index = cells.indexOf(header);
    if (index >= 0 && cells.indexOf(header, index + 1) < 0) return { index, reading };
  }
  const { order } = (await readListColumns(table)).certain;
  if (order !== undefined) return { index: order, reading: 'any' };
  const { prompts, settings } = context;
  if (prompts === undefined || settings.yes)
    throw unclear(t`${name} has no column that certainly has order IDs.`);
  const question = t`Which column has the order IDs or order numbers?`;
  const index = await askColumn(prompts, table, question, filledColumns(cells));
  return { index: index ?? -1, reading: 'any' };
}
