import { hash } from 'node:crypto';
import { type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { cleanCell as readCell } from '../../csv/read-csv.ts';
import { formatCsvRow, protectCell } from '../../csv/write-csv.ts';
import { CliError } from '../../errors.ts';
import { noColumn } from '../../import/mapping/header.ts';
import { aliasesOf, foldHeader } from '../../import/mapping/known-fields.ts';
import { parseMappingFile } from '../../import/mapping/mapping-file.ts';
import { objectIn } from '../../import/mapping/marks.ts';
import { mapTable } from '../../import/mapping/shops/presets.ts';
import { checkOrderSize, readOrders } from '../../import/orders/group/group-rows.ts';
import { joinNothing } from '../../import/orders/group/repeated-ids.ts';
import { findRepeatedHeaders } from '../../import/orders/group/row-problems.ts';
import type { Plan } from '../../import/orders/plan-import.ts';
import { type CsvSource, type Row, readTable, type Table, withSource } from '../../import/read/read-table.ts';
import { formatFileStart, stemOf } from '../../import/results/files.ts';
import { findRemembered } from '../../mappings/remembered-mappings.ts';
import { type JsonObject, writeJson } from '../../orders/json.ts';
import { countOrders } from '../../output/import-preview.ts';
import { writeWhole } from '../../whole-file.ts';
import { type MappingSource, withoutFlag } from './draft.ts';
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
 * withCopy, `file_not_writable`, `file_changed`, PromptLeft.
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
  const orders = createOrderReader(job, mapping);
  return withCopy(context, job, async (copy, seen) => {
    const found = await compareOrders(file, orders, copy?.table);
    const answer = await confirmCopy(context, file, found, copy !== undefined);
    if (answer === 'back') return undefined;
    if (answer === 'stop') {
      throw new CliError('not_confirmed', t`Nothing was sent.`, {
        hint: t`Make the changes in ${cleanCell(path)}, and import that file.`,
        outcome: 'not_sent',
      });
    }
    if (answer === 'as it is') return numbered;
    const line = (cells: readonly string[]) => `${formatCsvRow(cells.map(protectCell), table.delimiter)}\n`;
    const isDetected = table.reading?.delimiter === undefined;
    const token = `n${system.randomUuid().slice(0, 8)}`;
    const pieces = async function* () {
      yield formatFileStart(table.delimiter, isDetected) + line(header);
      for await (const rows of copy?.table.batches() ?? [])
        yield rows.map((row) => line(cellsOf(row))).join('');
      let number = 0;
      for await (const rows of orders()) {
        if (!found.newOrders.has(rows[0]?.row ?? 0)) continue;
        number += 1;
        const id = `${token}-${String(number).padStart(3, '0')}`;
        yield rows.map((row, index) => line([index === 0 ? id : '', ...cellsOf(row)])).join('');
      }
      await job.checkUnchanged();
    };
    await writeWhole(context, path, pieces(), { seen });
    print.note(
      t`${cleanCell(path)} is written, with an ID for each order in its column ${idName}. Change orders there from now on, not in ${cleanCell(file)}.`,
    );
    return numbered;
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
  const ofFile = ['--encoding', '--delimiter', '--header-row', '--sheet', '--hidden-rows', '--map'];
  const args = ofFile
    .reduce<readonly string[]>(withoutFlag, context.system.args)
    .map((word) => (word === file ? copy : word));
  const mapped = answers === undefined ? others : { ...others, map: 'none' };
  return [{ ...context, system: { ...context.system, args } }, copy, mapped, answers];
}

function copyFor(file: string): string {
  return `${stemOf(file)}.numbered.csv`;
}

function headerOfCopy({ header }: Table): [string, ...string[]] {
  const names = new Set(header.cells.map(foldHeader));
  const free = [idField, ...aliasesOf(idField), 'numbered ID'].find((name) => !names.has(foldHeader(name)));
  return [free ?? idField, ...header.cells];
}

/** The mapping with another column of IDs, and without what holds for the reading of one file. */
function withIds({ read: _, quote: __, ...mapping }: JsonObject, column: string): JsonObject {
  return { ...mapping, columns: { ...objectIn(mapping, 'columns'), [idField]: column } };
}

interface OpenCopy {
  table: Table;
  source: CsvSource;
}

/** The copy that an earlier import wrote. Errors: those of reading, `usage` for `--rows`, `file_invalid` for another file. */
async function withCopy<Result>(
  { system, interruption: { stopping } }: Context,
  { file, table, flags }: UnnumberedFile,
  use: (copy: OpenCopy | undefined, seen: string) => Promise<Result>,
): Promise<Result> {
  const path = copyFor(file);
  if (flags.rows !== undefined) {
    const problem = t`--rows names rows of ${file}, but a numbered copy of it would be imported, which has other rows.`;
    throw new CliError('usage', problem, { hint: t`Leave out --rows.`, outcome: 'not_sent' });
  }
  const { bytes, stamp } = await system.files.stampOf(path);
  if (bytes === 0) return use(undefined, stamp);
  return withSource(path, system, async (source) => {
    const copy = await readTable(source, { headerRow: 1 }, { forOrders: true, stopping });
    checkIsCopy(path, file, copy.header.cells, headerOfCopy(table));
    return use({ table: copy, source }, source.stamp);
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
  throw new CliError('file_invalid', problem, { hint, outcome: 'not_sent' });
}

/** Reads the rows of each order; those that are no orders are left out. Each call reads the file again. */
function createOrderReader({ table, optionsWith }: UnnumberedFile, mapping: JsonObject) {
  const map = parseMappingFile(writeJson(withIds(mapping, noColumn)), 'the mapping');
  const options = { ...optionsWith(map), hasNumberCells: table.hasNumberCells };
  const { mapped } = mapTable(table.header, options);
  return async function* (onOther: (row: Row) => void = () => undefined): AsyncGenerator<Row[]> {
    const watch = { onRow: () => undefined, onNonOrder: onOther };
    const all = readOrders(table, { ...mapped, skipRowsWhen: [] }, options, joinNothing, watch);
    for await (const orders of all) {
      for (const order of orders) {
        checkSize(order.rows);
        const headers = new Set(findRepeatedHeaders(order, mapped.columns).map(({ row }) => row));
        for (const row of order.rows) if (headers.has(row.row)) onOther(row);
        const rows = order.rows.filter(({ row }) => !headers.has(row));
        if (rows.length > 0) yield rows;
      }
    }
  };
}

/** In the copy an order goes on as long as there is no other ID. */
async function* ordersOfCopy(table: Table): AsyncGenerator<Row[]> {
  let rows: Row[] = [];
  for await (const batch of table.batches()) {
    for (const row of batch) {
      if (row.cells[0] !== '' && rows.length > 0) {
        yield rows;
        rows = [];
      }
      rows.push(row);
      checkSize(rows);
    }
  }
  if (rows.length > 0) yield rows;
}

function checkSize(rows: readonly Row[]): void {
  checkOrderSize(rows, { rows: rows.length, cells: rows.length * (rows[0]?.cells.length ?? 0) });
}

interface Compared {
  /** The first rows of the orders that the copy lacks. */
  newOrders: ReadonlySet<number>;
  /** Orders of the copy that the file does not have. */
  gone: number;
  notCopied: number[];
}

/** Equal rows are several orders. Error: `file_invalid`, for too many orders. */
async function compareOrders(
  file: string,
  orders: ReturnType<typeof createOrderReader>,
  copy: Table | undefined,
): Promise<Compared> {
  const known = new Map<string, number>();
  const newOrders = new Set<number>();
  const notCopied: number[] = [];
  let gone = 0;
  for await (const rows of copy === undefined ? [] : ordersOfCopy(copy)) {
    const text = hashOf(rows.map((row) => cellsOf(row).slice(1)));
    known.set(text, (known.get(text) ?? 0) + 1);
    gone += 1;
    checkCount(file, gone);
  }
  for await (const rows of orders(({ row }) => notCopied.push(row))) {
    const text = hashOf(rows.map(cellsOf));
    const left = known.get(text) ?? 0;
    if (left === 0) newOrders.add(rows[0]?.row ?? 0);
    else {
      known.set(text, left - 1);
      gone -= 1;
    }
    checkCount(file, newOrders.size);
  }
  return { newOrders, gone, notCopied: notCopied.toSorted((left, right) => left - right) };
}

function checkCount(file: string, count: number): void {
  if (count <= maxOrders) return;
  const orders = maxOrders.toLocaleString('en');
  throw new CliError(
    'file_invalid',
    t`${file} has more than ${orders} orders, too many for a numbered copy.`,
    {
      hint: t`Add a column with order IDs in the program that writes the file, or split the file.`,
      outcome: 'not_sent',
    },
  );
}

function cellsOf({ cells, ownCells }: Row): string[] {
  return ownCells ?? cells;
}

function hashOf(rows: readonly (readonly string[])[]): string {
  return hash('sha256', textOf(rows), 'base64');
}

/** As they are read again once they are written; a spreadsheet drops blank cells at the end. */
function textOf(rows: readonly (readonly string[])[]): string {
  const read = rows.map((cells) => cells.map((cell) => readCell(protectCell(cell))));
  return JSON.stringify(read.map((cells) => cells.slice(0, 1 + cells.findLastIndex((cell) => cell !== ''))));
}

type Answer = 'write' | 'as it is' | 'stop' | 'back';

async function confirmCopy(
  { prompts, print }: Context,
  file: string,
  { newOrders: { size }, gone, notCopied }: Compared,
  isThere: boolean,
): Promise<Answer> {
  const path = cleanCell(copyFor(file));
  const name = cleanCell(file);
  if (isThere && size === 0) {
    print.note(t`${path} has all orders of ${name}, with their IDs, and is imported.`);
    return 'as it is';
  }
  const [row] = notCopied;
  if (row !== undefined) {
    const rows = `${notCopied.slice(0, maxNamed).join(', ')}${notCopied.length > maxNamed ? ', ...' : ''}`;
    print.note(
      notCopied.length === 1
        ? t`Not in the copy, since they are not orders: row ${row}.`
        : t`Not in the copy, since they are not orders: rows ${rows}.`,
    );
  }
  const ask = async (message: Text, choices: { value: Answer; name: Text }[]) =>
    prompts?.choose(message, [...choices, { value: 'back', name: t`← back` }]) ?? 'back';
  const orders = countOrders(size);
  if (isThere && gone > 0) {
    const others = countOrders(gone);
    return ask(
      t`${path} lacks ${orders} of ${name}, and has ${others} that ${name} no longer has. An order that was only edited would be created a second time. What are those that it lacks?`,
      [
        { value: 'stop', name: t`stop here, to make the same changes in the copy` },
        { value: 'as it is', name: t`edited: leave the copy as it is, and import it` },
        { value: 'write', name: t`new: add them to the copy with new IDs` },
      ],
    );
  }
  const message = isThere
    ? t`${path} lacks ${orders} of ${name}. Add what it lacks with new IDs, and import it? The others keep their IDs.`
    : t`Write ${path}? It is a copy of ${name} with an ID for each of its ${orders} in front, and is imported in its place, today and later. ${name} is not changed.`;
  return ask(message, [{ value: 'write', name: t`yes` }]);
}

const maxNamed = 6;
