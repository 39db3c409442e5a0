import { advice, completeCommand, joinTexts, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { formatCsvRow, protectCell } from '../../csv/write-csv.ts';
import { CliError } from '../../errors.ts';
import { foldHeader, noColumn } from '../../import/columns/header.ts';
import { namesOf } from '../../import/columns/roles.ts';
import { type Column, fills } from '../../import/mapping/column.ts';
import { objectIn } from '../../import/mapping/entries.ts';
import { parseMappingFile } from '../../import/mapping/mapping-file.ts';
import { mapTable } from '../../import/mapping/shops/presets.ts';
import { checkOrderSize, readOrders } from '../../import/orders/group/group-rows.ts';
import { joinNothing } from '../../import/orders/group/repeated-ids.ts';
import { findRepeatedHeaders } from '../../import/orders/group/row-problems.ts';
import { type Plan, planImport } from '../../import/orders/plan-import.ts';
import { type Row, readTable, type Table, withSource } from '../../import/read/read-table.ts';
import { formatFileStart, stemOf } from '../../import/results/files.ts';
import { findRemembered } from '../../mappings/remembered-mappings.ts';
import { formatCount } from '../../orders/decimal.ts';
import { type JsonObject, writeJson } from '../../orders/json.ts';
import { defaultPaths } from '../../orders/unnamed-fields.ts';
import { countOrders } from '../../output/import-preview.ts';
import { writeWhole } from '../../whole-file.ts';
import { type MappingSource, withoutFlag } from './draft.ts';
import type { EditedOrder } from './edited-orders.ts';
import {
  describeChanges,
  type MatchedOrders,
  matchEdited,
  type NumberedOrder,
  type SheetOrder,
  type TellingColumns,
  textOf,
} from './edited-rows.ts';
import type { ImportFlags } from './flags.ts';

/** An import of a file in which no column is the order ID. */
export interface UnnumberedFile extends MappingSource {
  file: string;
  flags: ImportFlags;
  /** Error: `file_changed`. */
  checkUnchanged(): Promise<void>;
}

/** Is imported in the place of a file without order IDs. */
export interface NumberedCopy {
  copy: string;
  /** The mapping of the copy; undefined when it is remembered. */
  answers?: JsonObject;
}

const idField = 'externalOrderId';
/** So many orders are compared in memory. */
const maxOrders = 100_000;

/** Whether nothing but the order ID is missing. */
export function lacksOnlyIds({ problems }: Plan): boolean {
  const errors = problems.filter(({ first }) => first.severity === 'error');
  return (
    errors.length > 0 &&
    errors.every(({ first }) => first.code === 'column_missing' && first.path === idField)
  );
}

export function saysNoIds(mapping: JsonObject): boolean {
  return objectIn(mapping, 'columns')[idField] === noColumn;
}

/** The mapping that is remembered for copies with these columns, for the file itself. Errors: those of withCopy. */
export async function findMappingOfCopy(
  context: Context,
  job: UnnumberedFile,
): Promise<JsonObject | undefined> {
  await withCopy(context, job, async () => undefined);
  if (job.flags.map !== undefined) return undefined;
  const found = await findRemembered(context, { cells: headerOfCopy(job.table) });
  return found && withIds(found.mapping, noColumn);
}

/**
 * The copy with the orders that it lacks, after a question; undefined when the answer is to go back. Errors: those of
 * withCopy, `file_invalid` for edited orders that cannot be told apart, `file_not_writable`, `file_changed`, PromptLeft.
 */
export async function writeNumberedCopy(
  context: Context,
  job: UnnumberedFile,
  mapping: JsonObject,
): Promise<Required<NumberedCopy> | undefined> {
  const { print, system } = context;
  const { file, table } = job;
  const path = copyFor(file);
  const header = headerOfCopy(table);
  const [idName] = header;
  const numbered = { copy: path, answers: withIds(mapping, idName) };
  return withCopy(context, job, async (copy, seen) => {
    const found = await compareOrders(job, mapping, copy);
    if (found.unclear.length > 0) throw notToldApart(file, found.unclear);
    const edited = copy === undefined ? [] : await findEditedOrders(context, job, { copy, found, mapping });
    const answer = await confirmCopy(context, file, { ...found, edited }, copy !== undefined);
    if (answer === 'back') return undefined;
    const isOther = answer === 'others';
    if (!isOther) for (const one of edited) print.note(describeEdited(one));
    if (answer === 'stop') {
      throw new CliError('not_confirmed', t`Nothing was sent.`, {
        hint: t`Make the changes in ${cleanCell(path)}, and import that file.`,
      });
    }
    const changed = new Map<NumberedOrder, Pick<NumberedOrder, 'id' | 'rows'>>();
    for (const { now, before, id, exists } of isOther ? [] : edited) {
      if (!exists) changed.set(before, { id, rows: now.rows });
      else if (id !== before.id) changed.set(before, { id, rows: before.rows });
    }
    const added = isOther ? [...found.added, ...edited.map(({ now }) => now)].sort(byRow) : found.added;
    if (copy !== undefined && changed.size === 0 && added.length === 0) return numbered;
    const token = `n${system.randomUuid().slice(0, 8)}`;
    const written = [
      ...found.copied.map((order) => changed.get(order) ?? order),
      ...added.map(({ rows }, index) => ({ id: `${token}-${String(index + 1).padStart(3, '0')}`, rows })),
    ];
    const line = (cells: readonly string[]) => `${formatCsvRow(cells.map(protectCell), table.delimiter)}\n`;
    const pieces = async function* () {
      yield formatFileStart(table.delimiter, table.reading?.delimiter === undefined) + line(header);
      for (const { id, rows } of written)
        yield rows.map((cells, index) => line([index === 0 ? id : '', ...cells])).join('');
      await job.checkUnchanged();
    };
    await writeWhole(context, path, pieces(), { seen });
    print.note(
      t`${cleanCell(path)} is written, with an ID for each order in its column ${idName}. Change orders there from now on, not in ${cleanCell(file)}.`,
    );
    return numbered;
  });
}

function byRow(left: SheetOrder, right: SheetOrder): number {
  return left.row - right.row;
}

/** Off a terminal. Error: `file_invalid`, where an earlier import wrote a copy of the file. */
export async function stopBesideCopy(context: Context, job: UnnumberedFile): Promise<void> {
  const { file, table, options } = job;
  const mapping = await findMappingOfCopy(context, job).catch((error) => {
    if (error instanceof CliError) return undefined;
    throw error;
  });
  if (mapping === undefined && options.map === undefined) return;
  const found = await withCopy(context, job, async (copy) => copy && compareOrders(job, mapping ?? {}, copy));
  if (found === undefined) return;
  const path = copyFor(file);
  const texts = [
    ...found.edited.slice(0, maxNamed).map((one) => {
      return t`Row ${one.now.row}: ${describeChanges(one, table.header.cells)}.`;
    }),
    ...(found.unclear.length === 0
      ? []
      : [t`Edited: ${countedRows(rowsOf(found.unclear.flatMap(({ now }) => now)))}.`]),
    ...(found.added.length === 0 ? [] : [t`Not in it: ${countedRows(rowsOf(found.added))}.`]),
  ];
  const what = joinTexts(
    texts.map((text) => advice` ${text}`),
    '',
  );
  throw new CliError(
    'file_invalid',
    t`${cleanCell(file)} has no order IDs. ${cleanCell(path)} is its copy with IDs.${what} Nothing was sent.`,
    {
      hint: t`Make the changes in the copy and run:\n  ${completeCommand(argsOfCopy(context, file, path))}\nor run the import of ${cleanCell(file)} at a terminal, which adds new rows to the copy and says what to do about edited ones.`,
    },
  );
}

interface OpenedCopy {
  copy: Table;
  found: MatchedOrders;
  mapping: JsonObject;
}

async function findEditedOrders(
  context: Context,
  { table, options, optionsWith, flags }: UnnumberedFile,
  { copy, found, mapping }: OpenedCopy,
): Promise<EditedOrder[]> {
  if (found.edited.length === 0) return [];
  const map = parseMappingFile(writeJson(withIds(mapping, headerOfCopy(table)[0])), 'the mapping');
  const plan = async (orders: readonly NumberedOrder[]) => {
    const rows = orders.flatMap(({ id, row, rows: all }) =>
      all.map((cells, index): Row => {
        const place = row + index;
        return { row: place, line: place, cells: [index === 0 ? id : '', ...cells] };
      }),
    );
    const batches = async function* () {
      yield rows;
    };
    const planned = await planImport(
      { ...copy, batches },
      { ...optionsWith(map), fieldPaths: defaultPaths, keepsOrders: true },
    );
    const byId = new Map([...planned.orders()].map((order) => [order.externalOrderId, order]));
    planned.removeOrders();
    return byId;
  };
  const { findEdited } = await import('./edited-orders.ts');
  const isDryRun = flags.dryRun ?? false;
  return findEdited(context, found.edited, {
    header: table.header.cells,
    fieldPaths: options.fieldPaths,
    isDryRun,
    plan,
  });
}

/** What the copy is imported with: flags that say how the file is read do not hold for it. */
export function importOfCopy(
  context: Context,
  file: string,
  flags: ImportFlags,
  { copy, answers }: NumberedCopy,
): [Context, string, ImportFlags, JsonObject | undefined] {
  const { encoding: _, delimiter: __, headerRow: ___, sheet: ____, hiddenRows: _____, ...others } = flags;
  const args = argsOfCopy(context, file, copy);
  const mapped = answers === undefined ? others : { ...others, map: 'none' };
  return [{ ...context, system: { ...context.system, args } }, copy, mapped, answers];
}

function argsOfCopy({ system }: Context, file: string, copy: string): string[] {
  return ['--encoding', '--delimiter', '--header-row', '--sheet', '--hidden-rows', '--map']
    .reduce<readonly string[]>(withoutFlag, system.args)
    .map((word) => (word === file ? copy : word));
}

function copyFor(file: string): string {
  return `${stemOf(file)}.numbered.csv`;
}

function headerOfCopy({ header }: Table): [string, ...string[]] {
  const names = new Set(header.cells.map(foldHeader));
  const free = [idField, ...(namesOf.order_id?.aliases ?? []), 'numbered ID'].find(
    (name) => !names.has(foldHeader(name)),
  );
  return [free ?? idField, ...header.cells];
}

/** The mapping with another column of IDs, and without what holds for the reading of one file. */
function withIds({ read: _, quote: __, ...mapping }: JsonObject, column: string): JsonObject {
  return { ...mapping, columns: { ...objectIn(mapping, 'columns'), [idField]: column } };
}

/** The copy that an earlier import wrote. Errors: those of reading, `usage` for `--rows`, `file_invalid` for another file. */
async function withCopy<Result>(
  { system, interruption: { stopping } }: Context,
  { file, table, flags }: UnnumberedFile,
  use: (copy: Table | undefined, seen: string) => Promise<Result>,
): Promise<Result> {
  const path = copyFor(file);
  if (flags.rows !== undefined) {
    const problem = t`--rows names rows of ${file}, but a numbered copy of it would be imported, which has other rows.`;
    throw new CliError('usage', problem, { hint: t`Leave out --rows.` });
  }
  const { bytes, stamp } = await system.files.stampOf(path);
  if (bytes === 0) return use(undefined, stamp);
  return withSource(path, system, async (source) => {
    const copy = await readTable(source, { headerRow: 1 }, { forOrders: true, stopping });
    checkIsCopy(path, file, copy.header.cells, headerOfCopy(table));
    return use(copy, source.stamp);
  });
}

/** Error: `file_invalid`. */
function checkIsCopy(
  path: string,
  file: string,
  found: readonly string[],
  header: readonly [string, ...string[]],
): void {
  if (textOf([found]) === textOf([header])) return;
  const [idName, ...columns] = header;
  const hasIds = found[0] === idName;
  const problem = hasIds
    ? t`${path} has other columns than ${file}.`
    : t`${path} is not a numbered copy of ${file}: its first column is not ${idName}.`;
  // A new copy would have all orders under new IDs.
  const hint = hasIds
    ? t`Give it the columns of ${file} behind ${idName}, with their cells: ${columns.join(', ')}. If you rename it instead, the orders in it are numbered, and created, again.`
    : t`Rename it or move it away.`;
  throw new CliError('file_invalid', problem, { hint });
}

interface Compared extends MatchedOrders {
  /** All orders of the copy. */
  copied: NumberedOrder[];
  /** The rows of the file that are no orders. */
  notCopied: number[];
}

/** Equal rows are several orders. Error: `file_invalid`, for too many orders. */
async function compareOrders(
  { file, table, optionsWith }: UnnumberedFile,
  mapping: JsonObject,
  copy: Table | undefined,
): Promise<Compared> {
  const options = optionsWith(parseMappingFile(writeJson(withIds(mapping, noColumn)), 'the mapping'));
  const { mapped } = mapTable(table.header, options);
  const copied = copy === undefined ? [] : await ordersOfCopy(file, copy);
  const left = new Map<string, NumberedOrder[]>();
  for (const order of copied) {
    const text = textOf(order.rows);
    left.set(text, [...(left.get(text) ?? []), order]);
  }
  const added: SheetOrder[] = [];
  const notCopied: number[] = [];
  const watch = { onRow: () => undefined, onNonOrder: ({ row }: Row) => notCopied.push(row) };
  const all = readOrders(table, { ...mapped, skipRowsWhen: [] }, options, joinNothing, watch);
  for await (const orders of all) {
    for (const order of orders) {
      checkSize(order.rows);
      const headers = new Set(findRepeatedHeaders(order, mapped.columns).flatMap(({ row }) => row ?? []));
      notCopied.push(...headers);
      const [first, ...more] = order.rows.filter(({ row }) => !headers.has(row));
      if (first === undefined) continue;
      const rows = [first, ...more].map(cellsOf);
      if (left.get(textOf(rows))?.shift() === undefined) added.push({ row: first.row, rows });
      checkCount(file, added.length);
    }
  }
  const gone = [...left.values()].flat().sort(byRow);
  notCopied.sort((one, other) => one - other);
  const matched =
    gone.length === 0
      ? { edited: [], unclear: [], added, gone }
      : matchEdited(added, gone, tellingColumns(mapped.columns));
  return { ...matched, copied, notCopied };
}

function tellingColumns(columns: readonly Column[]): TellingColumns {
  const indexesOf = (...fields: string[]) =>
    columns
      .filter((column) => fields.some((field) => fills(field)(column)))
      .flatMap(({ index, rule }) => [index, ...(rule?.others ?? []).map((other) => other.index)]);
  const phone = indexesOf('customer.phone');
  return {
    phone: phone.length > 0 ? phone : indexesOf('customer.externalCustomerId'),
    goods: indexesOf('items[].sku', 'items[].name'),
  };
}

/** In the copy an order goes on as long as there is no other ID. Error: `file_invalid`, for too many orders. */
async function ordersOfCopy(file: string, table: Table): Promise<NumberedOrder[]> {
  const orders: (NumberedOrder & { rows: string[][] })[] = [];
  for await (const batch of table.batches()) {
    for (const row of batch) {
      const [id = '', ...cells] = cellsOf(row);
      const last = orders.at(-1);
      if (id === '' && last !== undefined) last.rows.push(cells);
      else orders.push({ row: row.row, id, rows: [cells] });
      checkCount(file, orders.length);
    }
  }
  return orders;
}

function checkSize(rows: readonly Row[]): void {
  checkOrderSize(rows, { rows: rows.length, cells: rows.length * (rows[0]?.cells.length ?? 0) });
}

/** Error: `file_invalid`. */
function notToldApart(file: string, unclear: Compared['unclear']): CliError {
  const path = cleanCell(copyFor(file));
  const texts = unclear.slice(0, maxNamed).map(({ now, before }) => {
    const ids = joinTexts(
      before.slice(0, maxNamed).map(({ id, row }) => t`${cleanCell(id)} (row ${row})`),
      ', ',
    );
    return t`Row ${rowsNamed(rowsOf(now))} may be the edited row of: ${ids}.`;
  });
  return new CliError(
    'file_invalid',
    t`${cleanCell(file)} has edited rows, and it cannot be told of which orders in ${path} they are. Nothing was sent.\n${joinTexts(texts, '\n')}`,
    {
      hint: t`Make the same changes in ${path}, where each row has its order ID, and import that file.`,
    },
  );
}

function countedRows(rows: readonly number[]): Text {
  return rows.length === 1 ? t`row ${rowsNamed(rows)}` : t`rows ${rowsNamed(rows)}`;
}

function rowsNamed(rows: readonly number[]): string {
  return `${rows.slice(0, maxNamed).join(', ')}${rows.length > maxNamed ? ', ...' : ''}`;
}

function rowsOf(orders: readonly SheetOrder[]): number[] {
  return orders.map(({ row }) => row);
}

function checkCount(file: string, count: number): void {
  if (count <= maxOrders) return;
  const orders = formatCount(maxOrders);
  throw new CliError(
    'file_invalid',
    t`${file} has more than ${orders} orders, too many for a numbered copy.`,
    {
      hint: t`Add a column with order IDs in the program that writes the file, or split the file.`,
    },
  );
}

function cellsOf({ cells, ownCells }: Row): string[] {
  return ownCells ?? cells;
}

type Answer = 'write' | 'others' | 'stop' | 'back';

type Confirmed = Omit<Compared, 'edited'> & { edited: EditedOrder[] };

async function confirmCopy(
  { prompts, print }: Context,
  file: string,
  { added, gone, notCopied, edited }: Confirmed,
  isThere: boolean,
): Promise<Answer> {
  const path = cleanCell(copyFor(file));
  const name = cleanCell(file);
  if (isThere && added.length === 0 && edited.length === 0) {
    print.note(t`${path} has all orders of ${name}, with their IDs, and is imported.`);
    return 'write';
  }
  if (notCopied.length > 0) {
    print.note(t`Not in the copy, since they are not orders: ${countedRows(notCopied)}.`);
  }
  const ask = async (message: Text, choices: { value: Answer; name: Text }[]) =>
    prompts?.choose(message, [...choices, { value: 'back', name: t`← back` }]) ?? 'back';
  const stop = { value: 'stop', name: t`stop here, to make the same changes in the copy` } as const;
  const orders = countOrders(added.length);
  if (gone.length > 0 && (added.length > 0 || edited.length > 0)) {
    const ids = gone.slice(0, maxNamed).map(({ id, rows }) => `${id} (${(rows[0] ?? []).join(', ')})`);
    print.note(
      t`${path} also has ${countOrders(gone.length)} that ${name} no longer has: ${cleanCell(ids.join('; '))}${gone.length > maxNamed ? ' ...' : ''}`,
    );
  }
  const rows = countedRows(rowsOf(added));
  if (edited.length > 0) {
    const texts = edited.slice(0, maxNamed).map(({ now: { row }, changes, exists }) => {
      return exists
        ? t`row ${row}: ${changes}, the order exists`
        : t`row ${row}: ${changes}, the order does not exist as it was`;
    });
    const more = edited.length > maxNamed ? ' ...' : '';
    const list = advice`${joinTexts(texts, '; ')}${more}`;
    const message =
      added.length === 0
        ? t`Edited in ${name}, as it seems: ${list}. Is that so?`
        : t`Edited in ${name}, as it seems: ${list}. Is that so? New: ${orders} (${rows}), to be added to ${path} with new IDs.`;
    return ask(message, [
      { value: 'write', name: t`yes: go on, and send nothing for orders that exist` },
      { value: 'others', name: t`no, they are other orders: add them with new IDs, too` },
      stop,
    ]);
  }
  if (isThere && gone.length > 0) {
    return ask(
      t`${path} lacks ${orders} of ${name} (${rows}), and has others that ${name} no longer has, as above. An order that was only edited would be created a second time. What are those that it lacks?`,
      [stop, { value: 'write', name: t`new: add them to the copy with new IDs` }],
    );
  }
  const message = isThere
    ? t`${path} lacks ${orders} of ${name} (${rows}). Add what it lacks with new IDs, and import it? The others keep their IDs.`
    : t`Write ${path}? It is a copy of ${name} with an ID for each of its ${orders} in front, and is imported in its place, today and later. ${name} is not changed.`;
  return ask(message, [{ value: 'write', name: t`yes` }]);
}

function describeEdited({ now: { row }, changes, id, exists, commands, problem }: EditedOrder): Text {
  const order = cleanCell(id);
  if (!exists)
    return t`Row ${row}: ${changes}. Its order (${order}) does not exist as it was, so the copy gets the row as it is now.`;
  const typed = joinTexts(
    commands.flatMap((command) => ['\n  ', command]),
    '',
  );
  return problem === undefined
    ? t`Row ${row}: ${changes}. Its order (${order}) exists, and nothing is sent for the row. To change the order, run:${typed}`
    : t`Row ${row}: ${changes}. Its order (${order}) exists, and nothing is sent for the row: ${problem}. To cancel the order, run:${typed}`;
}

const maxNamed = 6;
