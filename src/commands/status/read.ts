import { completeCommand, t } from '../../advice/advice.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { createHeader } from '../../import/columns/header.ts';
import { fieldText, fills, kindOfCells } from '../../import/mapping/column.ts';
import { canTellOrders } from '../../import/mapping/non-order-rows.ts';
import { planImport } from '../../import/orders/plan-import.ts';
import type { CsvSource, Table } from '../../import/read/read-table.ts';
import { resultColumns } from '../../import/results/files.ts';
import { type MappingFlags, readAsking, readMapped, rememberedNotes } from '../../mappings/choose-mapping.ts';
import type { FieldPaths } from '../../orders/unnamed-fields.ts';
import { type FileOrder, ordersOfList, ordersOfPlan } from '../../status/file-orders.ts';
import { isOurReference, readListColumns } from '../../status/list-columns.ts';
import { askColumn, filledColumns, withoutHeader } from './columns.ts';

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
export const addedColumns = [...stateColumns, '_cash', '_cash_difference'];

export interface StatusFlags extends Omit<MappingFlags, 'checks'> {
  idColumn?: string;
  output?: string;
  cash?: string[];
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
  const mapped = await readMapped(context, source, {
    ...flags,
    ...(idColumn === undefined ? {} : { mapColumn: [{ header: idColumn, path: 'externalOrderId' }] }),
    // What is not sent needs no decision.
    ignoreRest: true,
    endsHere: true,
    checks: true,
  });
  const options = mapped.optionsWith();
  const { fieldPaths } = options;
  const table = withoutAddedRows(mapped.table);
  const { cells: header } = table.header;
  const results = resultColumns(header);
  const first = idColumn === undefined && results === undefined ? header.findIndex(isOurReference) : -1;
  const plan = results === undefined && first < 0 ? await planImport(table, options) : undefined;
  const column = plan?.mapping.columns
    .filter(fills('externalOrderId'))
    .find(({ source: by }) => idColumn === undefined || by === 'flag');
  if (plan?.keepsOrders && column !== undefined && canTellOrders(plan.mapping)) {
    for (const note of rememberedNotes(mapped.chosen.remembered)) print.note(note);
    const { invalid } = plan.counts;
    if (invalid > 0)
      print.note(t`An import would not accept ${invalid} {order|orders} as they are in the file.`);
    const amounts = plan.mapping.columns.filter((own) => kindOfCells(own) === 'money');
    const indexes = new Set(amounts.map(({ index }) => index));
    return { table, fieldPaths, orders: ordersOfPlan(plan.orders()), amounts: indexes };
  }
  const known = results?.externalOrderId ?? (first < 0 ? undefined : first);
  const read = column && ((cells: readonly string[]) => fieldText(column, cells));
  const index = known ?? (read ? -1 : await chooseColumn(context, table, source.name, idColumn));
  print.note(t`The orders are looked up, but their content is not compared with the file.`);
  const names = header.map((_, place) => (place === first ? 'order_id' : ''));
  const list = first < 0 ? table : withoutHeader(table, names);
  const isLeftOut = (cells: readonly string[]) => cells[results?.outcome ?? -1] === 'left_out';
  const isOwnId = results !== undefined;
  const orders = await ordersOfList(list, read ?? ((cells) => cells[index] ?? ''), { isOwnId, isLeftOut });
  return { table: list, fieldPaths, orders };
}

/** An earlier status has rows for orders of couriers' lists that are not in its file. */
function withoutAddedRows(table: Table): Table {
  const { cells } = table.header;
  if (!cells.includes('_cash')) return table;
  const own = [...cells.keys()].filter((index) => !addedColumns.includes(cells[index] ?? ''));
  const batches = async function* () {
    for await (const rows of table.batches())
      yield rows.filter((row) => own.some((index) => row.cells[index] !== ''));
  };
  return { ...table, batches };
}

/** Error: `file_invalid` when it is unclear which column it is. */
async function chooseColumn(
  context: Context,
  table: Table,
  name: string,
  wanted: string | undefined,
): Promise<number> {
  const known =
    wanted === undefined
      ? (await readListColumns(table)).certain.order
      : createHeader(table.header).indexOf(wanted);
  if (typeof known === 'number') return known;
  const indexes = filledColumns(table);
  const flag = ['--id-column', table.header.cells[indexes[0] ?? -1] ?? 'HEADER'];
  const chosen = await askColumn(context, table, {
    question: t`Which column has the order IDs or order numbers?`,
    indexes,
    toError: (names) =>
      new CliError('file_invalid', t`${name} does not say which column has the order IDs.`, {
        hint: t`Its columns are: ${names}. Name the one that is meant, such as:\n  ${completeCommand([...context.system.args, ...flag])}`,
      }),
  });
  return chosen ?? -1;
}
