import { advice, again, command, joinTexts, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { isPlainNumber, protectForeignCell } from '../../csv/write-csv.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { withSource } from '../../import/read/read-table.ts';
import { createRowsFormat, fileBeside, findOverwritten } from '../../import/results/files.ts';
import { entriesOfMerchant } from '../../import/send/merchant-entries.ts';
import type { CashList } from '../../import/status/cash-list.ts';
import { compareCash, entriesElsewhere, type OrderCash } from '../../import/status/compare-cash.ts';
import { type FileOrder, ordersNamed } from '../../import/status/file-orders.ts';
import { findStates, hashOfWork } from '../../import/status/find-states.ts';
import { type OrderState, stateWithout } from '../../import/status/order-state.ts';
import { addReadings } from '../../import/status/perhaps.ts';
import type { JsonObject } from '../../orders/json.ts';
import { formatLocalTime, localDay } from '../../output/times.ts';
import { writeWhole } from '../../whole-file.ts';
import {
  type CashOfOrders,
  cashCells,
  cashRecord,
  forgetColumns,
  isNamed,
  summariseCash,
  unknownCash,
} from './cash-summary.ts';
import { addedColumns, readStatusFile, type StatusFile, type StatusFlags, stateColumns } from './read.ts';
import { describeDifferences, summarise } from './summary.ts';

/** Sends nothing. Error: `orders_differ` when an order, or the cash for it, is not as the file has it. */
export async function runStatus(context: Context, file: string, flags: StatusFlags): Promise<void> {
  const { system, print, report } = context;
  checkFlags(file, flags);
  await checkIsFile(context, file);
  system.keepHeapSmall();
  await withSource(file, system, async (source) => {
    const read = await readStatusFile(context, source, flags);
    await source.checkUnchanged();
    const lists = flags.cash === undefined ? [] : await readLists(context, flags, read.orders);
    const path = flags.output ?? fileBeside(file, 'status');
    const inputs = [file, ...(file === '-' ? ['/dev/stdin'] : []), ...(flags.cash ?? [])];
    const seen = await checkOutput(context, path, flags.map === undefined ? inputs : [...inputs, flags.map]);
    const found = await lookUp(context, read, lists, async (found) => {
      await source.checkUnchanged();
      await writeStatus(context, { path, seen }, read, found);
    });
    for (const [order, state] of report.showsOutcomes ? allOf(found) : [])
      report.outcome(toRecord(order, state, found.cash?.orders.get(order)));
    const summary = summarise(file, found.states);
    const cash = found.cash === undefined ? undefined : summariseCash(found.cash);
    const isAsMeant = summary.toLookAt === 0 && cash?.sentence === undefined;
    for (const line of [...describeDifferences(found.states), ...(cash?.differences ?? [])])
      print.note(cleanCell(line));
    const exitCode = isAsMeant ? exitCodes.done : exitCodes.partly;
    const { since } = found;
    report.status({
      ...summary.record,
      ...(cash && { cash: cash.record }),
      ...(since !== undefined && { lookedUpSince: new Date(since).toISOString() }),
      exitCode,
    });
    for (const note of [...summary.notes, ...(cash?.notes ?? []), `Wrote ${path}.`])
      print.note(cleanCell(note));
    if (isAsMeant) return;
    const names = new Set(
      cash?.sentence === undefined ? [] : lists.flatMap(({ remembered = [] }) => remembered),
    );
    const forget = [...names].map(forgetColumns);
    if (summary.toLookAt === 0 && !cash?.isInRows) {
      const correct = `Correct the lists, or check them with their couriers. The states of the orders are in ${cleanCell(path)}.`;
      throw new CliError('orders_differ', cash?.sentence ?? '', {
        hint: joinTexts([correct, ...forget], '\n'),
      });
    }
    const columns = cash?.isInRows ? '_difference and _cash_difference' : '_difference';
    const sentences = [summary.toLookAt > 0 ? summary.sentence : [], cash?.sentence ?? []].flat();
    const look = advice`See ${columns} in ${cleanCell(path)}. To look at an order, run: ${command('get', 'ORDER')}`;
    throw new CliError('orders_differ', sentences.join(' '), { hint: joinTexts([look, ...forget], '\n') });
  });
}

async function readLists(
  context: Context,
  flags: StatusFlags,
  orders: readonly FileOrder[],
): Promise<CashList[]> {
  const { readCashLists } = await import('./cash.ts');
  return readCashLists(context, flags, new Map(orders.map((order) => [order.reference, order])));
}

/** Error: `usage` for flags that say nothing together. */
function checkFlags(file: string, { output, cash = [], cashColumn }: StatusFlags): void {
  if (output === '-') {
    throw new CliError('usage', 'The rows with their states are not written to standard output.', {
      hint: 'Name a file with --output. To read the states with a program, add --format ndjson.',
      outcome: 'not_sent',
    });
  }
  if (cashColumn !== undefined && cash.length === 0) {
    throw new CliError('usage', '--cash-column is about lists, but no list is named.', {
      hint: 'Name the lists with --cash.',
      outcome: 'not_sent',
    });
  }
  if (file === '-' && cash.includes('-')) {
    throw new CliError('usage', 'Standard input cannot be both the file and a list.', {
      hint: 'Name a file for one of them.',
      outcome: 'not_sent',
    });
  }
}

/** Error: `usage` for what may be the name of an order. */
async function checkIsFile({ system: { files } }: Context, file: string): Promise<void> {
  if (file === '-' || (await files.stampOf(file)).stamp !== '') return;
  throw new CliError('usage', `There is no file ${file}.`, {
    hint: advice`Check the name. To look at one order, run: ${command('get', file)}`,
  });
}

/** Returns the stamp of what is there. Errors: `usage` for a file that is read, or ours; `file_not_writable`. */
async function checkOutput({ system }: Context, path: string, read: readonly string[]): Promise<string> {
  const overwritten = await findOverwritten(path, read, system);
  if (overwritten !== undefined) {
    throw new CliError('usage', `The states would overwrite ${overwritten}.`, {
      hint: 'Choose another name with --output.',
    });
  }
  return system.files.checkWritable(path, isStatusFile);
}

type States = Map<FileOrder, OrderState>;

interface Found {
  states: States;
  cash?: CashOfOrders;
  /** When the first of them was looked up, if that was by an earlier run. */
  since: number | undefined;
}

function* allOf({ states, cash }: Found): Generator<[FileOrder, OrderState]> {
  yield* states;
  if (cash !== undefined) yield* cash.elsewhere;
}

/** What was looked up is kept until it is written. */
async function lookUp(
  context: Context,
  { orders, places }: StatusFile,
  lists: readonly CashList[],
  write: (found: Found) => Promise<void>,
): Promise<Found> {
  const { status, interruption, print } = context;
  const entries = lists.flatMap((list) => list.entries);
  await using connection = await context.connect({
    waitsForOutages: true,
    limits: { concurrency: 'auto', perSecond: undefined },
  });
  const { client } = connection;
  const ledger = await connection.openLedger({ isDryRun: true });
  const known = await entriesOfMerchant(ledger, client);
  const lookups = await connection.openLookups(hashOfWork(orders, places));
  let since: number | undefined;
  const find = async (wanted: readonly FileOrder[]): Promise<States> => {
    const progress = status.startProgress(wanted.length);
    try {
      return await findStates(wanted, {
        client,
        places,
        ledger,
        entries: known,
        stopping: interruption.stopping,
        lookups,
        onKept: (count, first) => {
          since = Math.min(since ?? first, first);
          progress.writeAbove(() => print.note(keptNote(count, wanted.length, first)));
        },
        onProgress: (done) => progress.update({ 'looked up': done }),
      });
    } catch (error) {
      throw interruption.stopping.aborted ? stopped(lookups.holdsAny()) : error;
    } finally {
      progress.stop();
    }
  };
  const findAll = async (): Promise<Found> => {
    const newest = ledger.orders.newestNumber();
    const states = await find(orders);
    addReadings(states, { entries: known, newest, found: states });
    if (lists.length === 0) return { states, since };
    const others = ordersNamed(entriesElsewhere(entries, states).map(({ reference }) => reference));
    const elsewhere: States = others.length === 0 ? new Map() : await find(others);
    addReadings(elsewhere, { entries: known, newest, found: states });
    const { cash, unknown } = compareCash(entries, new Map([...states, ...elsewhere]));
    return { states, cash: { lists, orders: cash, states, elsewhere, unknown }, since };
  };
  try {
    const found = await findAll();
    await write(found);
    lookups.remove();
    return found;
  } finally {
    lookups.close();
    ledger.close();
  }
}

function keptNote(count: number, total: number, since: number): Text {
  const time = formatLocalTime(new Date(since).toISOString()).slice(-5);
  return t`Goes on with ${count.toLocaleString('en')} of ${total.toLocaleString('en')} orders, looked up since ${time}.`;
}

function stopped(isKept: boolean): CliError {
  return new CliError('interrupted', 'Stopped. Nothing was written.', {
    hint: isKept
      ? advice`Run the same command again within an hour; it goes on with what was looked up.${again()}`
      : advice`Run the same command again; it begins anew.${again()}`,
  });
}

/** Whether a file that begins like this was written here before. */
function isStatusFile(start: string): boolean {
  return /_order_number(.)_status\1_delivery\1/.test(start);
}

/** Whole or not at all. Errors: those of reading; `file_not_writable`. */
async function writeStatus(
  context: Context,
  { path, seen }: { path: string; seen: string },
  { table, orders, amounts }: StatusFile,
  { states, cash }: Found,
): Promise<void> {
  const orderOf = new Map<number, FileOrder>();
  for (const order of orders) for (const row of order.rows) orderOf.set(row, order);
  const columns = cash === undefined ? stateColumns : addedColumns;
  const format = createRowsFormat(table, columns, { replaced: addedColumns, amounts });
  const added = (order: FileOrder | undefined, state: OrderState, isFirst: boolean) => [
    ...cellsOf(state, isFirst),
    ...(cash === undefined ? [] : cashCells(order && cash.orders.get(order), state, isFirst)),
  ];
  const lines = async function* () {
    yield* format.head();
    for await (const rows of table.batches()) {
      for (const { row, cells } of rows) {
        const order = orderOf.get(row);
        const state = order === undefined ? undefined : states.get(order);
        yield format.row({ cells }, added(order, state ?? stateWithout('left_out'), order?.rows[0] === row));
      }
    }
    if (cash === undefined) return;
    // Their sum is that of the lists only with the cash of all other orders.
    const none = { cells: [] };
    for (const [order, state] of cash.elsewhere)
      if (isNamed(cash.orders.get(order)))
        yield format.row(none, added(order, { ...state, difference: [] }, true));
    for (const entry of cash.unknown)
      yield format.row(none, [
        ...stateColumns.map(() => ''),
        ...cashCells(unknownCash(entry), undefined, true),
      ]);
  };
  await writeWhole(context, path, lines(), { isOurs: isStatusFile, seen });
}

/** The amounts of an order stand in its first row only, so that a sum counts them once. */
function cellsOf(state: OrderState, isFirst: boolean): string[] {
  const { orderNumber, status, delivery, collectionAmount, total, createdAt, difference, isRepeat } = state;
  const amount = (text: string) => (isPlainNumber(text) ? text : protectForeignCell(text));
  return [
    ...[orderNumber, status, delivery].map(protectForeignCell),
    ...[collectionAmount, total].map((text) => (isFirst && !isRepeat ? amount(text) : '')),
    localDay(createdAt) ?? protectForeignCell(createdAt),
    protectForeignCell(difference.join('; ')),
  ];
}

function toRecord(
  { reference, rows }: FileOrder,
  { isCancelled: _, isRepeat: __, notShown, ...state }: OrderState,
  cash: OrderCash | undefined,
): JsonObject {
  return {
    order: reference,
    row: rows[0] ?? null,
    ...state,
    id: state.id ?? null,
    difference: [...state.difference],
    notCompared: [...state.notCompared, ...notShown],
    perhaps: [...state.perhaps],
    ...(cash === undefined ? {} : cashRecord(cash)),
  };
}
