import { again, command, joinTexts, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { isPlainNumber, protectForeignCell } from '../../csv/write-csv.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { withSource } from '../../import/read/read-table.ts';
import { createRowsFormat, fileBeside, findOverwritten } from '../../import/results/files.ts';
import { entriesOfMerchant } from '../../import/send/merchant-entries.ts';
import { fromHundredths } from '../../orders/decimal.ts';
import type { JsonObject } from '../../orders/json.ts';
import { localDay } from '../../output/times.ts';
import { namesMeant } from '../../pick-order.ts';
import type { CashList } from '../../status/cash-list.ts';
import { type FileOrder, ordersNamed } from '../../status/file-orders.ts';
import { findStates } from '../../status/find-states.ts';
import { compareCash, entriesElsewhere, matchCash, type OrderCash } from '../../status/match-cash.ts';
import { type OrderState, stateWithout } from '../../status/order-state.ts';
import { writeWhole } from '../../whole-file.ts';
import { cashCells, summariseCash } from './cash-summary.ts';
import { addedColumns, readStatusFile, type StatusFile, type StatusFlags, stateColumns } from './read.ts';
import { describeDifferences, type Meant, maxShown, summarise } from './summary.ts';

/** Sends nothing. Error: `orders_differ` when an order, or the cash for it, is not as the file has it. */
export async function runStatus(context: Context, file: string, flags: StatusFlags): Promise<void> {
  const { system, print, report } = context;
  checkFlags(file, flags);
  await checkIsFile(context, file);
  system.keepHeapSmall();
  await withSource(file, system, async (source) => {
    const read = await readStatusFile(context, source, flags);
    await source.checkUnchanged();
    const lists = await readLists(context, flags, read.orders);
    const path = flags.output ?? fileBeside(file, 'status');
    const inputs = [file, file === '-' ? '/dev/stdin' : [], flags.cash ?? [], flags.map ?? []].flat();
    const seen = await checkOutput(context, path, inputs);
    const found = await lookUp(context, read, lists);
    const { states, meant } = found;
    await source.checkUnchanged();
    await writeStatus(context, { path, seen }, read, found, lists !== undefined);
    if (report.showsOutcomes)
      for (const [order, state] of [...states, ...found.elsewhere])
        report.outcome(toRecord(order, state, found.cashOf.get(order)));
    const summary = summarise(file, states);
    const ofCash = lists && summariseCash(lists, found.cash, meant);
    for (const line of [...describeDifferences(states, meant), ...(ofCash?.differences ?? [])])
      print.note(line);
    const sentences = [summary.sentence ?? [], ofCash?.sentence ?? []].flat();
    const exitCode = sentences.length === 0 ? exitCodes.done : exitCodes.partly;
    report.status({ ...summary.record, ...(ofCash && { cash: ofCash.record }), exitCode });
    for (const note of [...summary.notes, ...(ofCash?.notes ?? []), t`Wrote ${cleanCell(path)}.`])
      print.note(note);
    if (sentences.length === 0) return;
    throw new CliError('orders_differ', joinTexts(sentences, ' '), {
      hint: t`See ${ofCash ? '_difference, _cash_difference' : '_difference'} in ${cleanCell(path)}. To look at an order, run:\n  ${command('get', 'ORDER')}`,
    });
  });
}

async function readLists(
  context: Context,
  flags: StatusFlags,
  orders: readonly FileOrder[],
): Promise<CashList[] | undefined> {
  if (flags.cash === undefined && flags.cashColumn === undefined) return undefined;
  const { readCashLists } = await import('./cash.ts');
  const known = new Set(orders.flatMap(({ reference }) => reference || []));
  return readCashLists(context, flags, (reference) => known.has(reference));
}

/** Error: `usage` for flags that say nothing together. */
function checkFlags(file: string, { output, cash = [] }: StatusFlags): void {
  if (output === '-') {
    throw new CliError('usage', t`The rows with their states are not written to standard output.`, {
      hint: t`Name a file with --output. To read the states with a program, add --format ndjson.`,
    });
  }
  if (file === '-' && cash.includes('-')) {
    throw new CliError('usage', t`Standard input cannot be both the file and a list.`, {
      hint: t`Name a file for one of them.`,
    });
  }
}

/** Error: `usage` for what may be the name of an order. */
async function checkIsFile({ system: { files } }: Context, file: string): Promise<void> {
  if (file === '-' || (await files.stampOf(file)).stamp !== '') return;
  throw new CliError('usage', t`There is no file ${file}.`, {
    hint: t`Check the name. To look at one order, run: ${command('get', file)}`,
  });
}

/** Returns the stamp of what is there. Errors: `usage` for a file that is read, or ours; `file_not_writable`. */
async function checkOutput({ system }: Context, path: string, read: readonly string[]): Promise<string> {
  const overwritten = await findOverwritten(path, read, system);
  if (overwritten !== undefined) {
    throw new CliError('usage', t`The states would overwrite ${overwritten}.`, {
      hint: t`Choose another name with --output.`,
    });
  }
  return system.files.checkWritable(path, isStatusFile);
}

type States = Map<FileOrder, OrderState>;

interface Found {
  states: States;
  /** Orders that only lists of cash name. */
  elsewhere: States;
  cash: readonly OrderCash[];
  cashOf: ReadonlyMap<FileOrder | undefined, OrderCash>;
  meant: Meant;
}

async function lookUp(
  context: Context,
  { orders, fieldPaths }: StatusFile,
  lists: readonly CashList[] = [],
): Promise<Found> {
  const { status, interruption } = context;
  await using connection = await context.connect({
    waitsForOutages: true,
    limits: { concurrency: 'auto', perSecond: undefined },
  });
  const { client } = connection;
  const ledger = await connection.openLedger({ isDryRun: true });
  const known = await entriesOfMerchant(ledger, client);
  const meant = new Map<string, string[]>();
  const find = async (wanted: readonly FileOrder[]): Promise<States> => {
    const progress = status.startProgress(wanted.length);
    try {
      const found = await findStates(wanted, {
        client,
        fieldPaths,
        ledger,
        entries: known,
        stopping: interruption.stopping,
        onProgress: (done) => progress.update({ 'looked up': done }),
      });
      const missing = [...found].filter(([, { difference }]) => difference.includes('missing'));
      for (const [{ reference }] of missing.slice(0, maxShown))
        meant.set(reference, await namesMeant(context, connection, reference));
      return found;
    } catch (error) {
      throw interruption.stopping.aborted ? stopped() : error;
    } finally {
      progress.stop();
    }
  };
  try {
    const states = await find(orders);
    const elsewhere: States = new Map();
    if (lists.length === 0) return { states, elsewhere, cash: [], cashOf: new Map(), meant };
    const { chooseOrders, readSequences } = await import('./cash.ts');
    const entries = lists.flatMap((list) => list.entries);
    const findElsewhere = async () => {
      const all = new Map([...states, ...elsewhere]);
      const others = ordersNamed(entriesElsewhere(entries, all).map(({ reference }) => reference));
      for (const [order, state] of others.length === 0 ? [] : await find(others)) elsewhere.set(order, state);
      return new Map([...states, ...elsewhere]);
    };
    await readSequences(context, lists, await findElsewhere());
    const all = await findElsewhere();
    const matched = matchCash(entries, all, states);
    await chooseOrders(context, matched, states);
    const cash = compareCash(entries, { states: all, ofFile: states }, matched.orders);
    return { states, elsewhere, cash, cashOf: new Map(cash.map((own) => [own.order, own])), meant };
  } finally {
    ledger.close();
  }
}

function stopped(): CliError {
  return new CliError('interrupted', t`Stopped. Nothing was written.`, {
    hint: t`Run the same command again; it begins anew.${again()}`,
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
  { states, elsewhere, cash, cashOf }: Found,
  hasCash: boolean,
): Promise<void> {
  const orderOf = new Map<number, FileOrder>();
  for (const order of orders) for (const row of order.rows) orderOf.set(row, order);
  const columns = hasCash ? addedColumns : stateColumns;
  const format = createRowsFormat(table, columns, { replaced: addedColumns, amounts });
  const lines = async function* () {
    yield* format.head();
    for await (const rows of table.batches()) {
      for (const { row, cells } of rows) {
        const order = orderOf.get(row);
        const isFirst = order?.rows[0] === row;
        const state = (order && states.get(order)) ?? stateWithout('left_out');
        const ofCash = hasCash ? cashCells(order && cashOf.get(order), isFirst) : [];
        yield format.row({ cells }, [...cellsOf(state, isFirst), ...ofCash]);
      }
    }
    // Their sum is that of the lists only with the cash of all other orders.
    for (const own of cash) {
      if (own.order !== undefined && states.has(own.order)) continue;
      const state = own.order && elsewhere.get(own.order);
      const ofState =
        state === undefined ? stateColumns.map(() => '') : cellsOf({ ...state, difference: [] }, true);
      yield format.row({ cells: [] }, [...ofState, ...cashCells(own, true)]);
    }
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
  { isCancelled: _, isRepeat: __, phone: ___, deliverOn: ____, notShown, ...state }: OrderState,
  cash: OrderCash | undefined,
): JsonObject {
  const { collected, result } = cash ?? {};
  return {
    order: reference,
    row: rows[0] ?? null,
    ...state,
    id: state.id ?? null,
    difference: [...state.difference],
    notCompared: [...state.notCompared, ...notShown],
    ...(result && {
      cash: collected === undefined ? null : fromHundredths(collected),
      cashDifference: result,
    }),
  };
}
