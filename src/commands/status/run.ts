import { again, command, joinTexts, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { isPlainNumber, protectForeignCell } from '../../csv/write-csv.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { withSource } from '../../import/read/read-table.ts';
import { createRowsFormat, fileBeside, findOverwritten } from '../../import/results/files.ts';
import { entriesOfMerchant } from '../../import/send/merchant-entries.ts';
import { amountOf, fromHundredths } from '../../orders/decimal.ts';
import type { JsonObject } from '../../orders/json.ts';
import { localDay } from '../../output/times.ts';
import type { CashList } from '../../status/cash-list.ts';
import type { FileOrder } from '../../status/file-orders.ts';
import { findStates, type States } from '../../status/find-states.ts';
import type { OrderCash } from '../../status/match-cash.ts';
import { type OrderState, stateWithout } from '../../status/order-state.ts';
import { writeWhole } from '../../whole-file.ts';
import { matchLists, readCashLists } from './cash.ts';
import { addedColumns, readStatusFile, type StatusFile, type StatusFlags, stateColumns } from './read.ts';
import { reportCash, reportOrders } from './report.ts';

/** Sends nothing. Error: `orders_differ` when an order, or the cash for it, is not as the file has it. */
export async function runStatus(context: Context, file: string, flags: StatusFlags): Promise<void> {
  const { system, print, report } = context;
  await checkIsFile(context, file);
  system.keepHeapSmall();
  await withSource(file, system, async (source) => {
    const read = await readStatusFile(context, source, flags);
    await source.checkUnchanged();
    const lists = await readCashLists(context, flags, read.orders);
    const path = flags.output ?? fileBeside(file, 'status');
    const inputs = ['-', file, flags.cash ?? [], flags.map ?? []].flat();
    const seen = await checkOutput(context, path, inputs);
    const found = await lookUp(context, read, lists);
    const { states, cash, cashOf } = found;
    await source.checkUnchanged();
    const columns = flags.cash === undefined ? stateColumns : addedColumns;
    const lines = formatRows(read, columns, found);
    await writeWhole(context, path, lines, { isOurs: isStatusFile, seen });
    if (report.showsOutcomes)
      for (const [order, state] of states) report.outcome(toRecord(order, state, cashOf.get(order)));
    const ofOrders = reportOrders(file, states);
    const ofCash = flags.cash && reportCash(lists, cash);
    const reports = [ofOrders, ofCash ?? []].flat();
    const wrong = reports.filter(({ issues }) => issues.length > 0);
    const exitCode = wrong.length === 0 ? exitCodes.done : exitCodes.partly;
    report.status({ ...ofOrders.record, ...ofCash?.record, exitCode });
    for (const note of [...reports.flatMap(({ notes }) => notes), t`Wrote ${cleanCell(path)}.`])
      print.note(note);
    if (wrong.length === 0) return;
    const sentences = wrong.map(({ sentence }) => sentence);
    throw new CliError('orders_differ', joinTexts(sentences, ' '), {
      issues: wrong.flatMap(({ issues }) => issues).slice(0, maxIssues),
      hint: t`See ${cleanCell(path)}. To look at an order, run:\n  ${command('get', 'ORDER')}`,
    });
  });
}

const maxIssues = 1000;

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

async function lookUp(context: Context, { orders, fieldPaths }: StatusFile, lists: readonly CashList[]) {
  const { stopping } = context.interruption;
  await using connection = await context.connect({
    waitsForOutages: true,
    limits: { concurrency: 'auto', perSecond: undefined },
  });
  const { client } = connection;
  const ledger = await connection.openLedger({ isDryRun: true });
  const entries = await entriesOfMerchant(ledger, client);
  const find = async (wanted: readonly FileOrder[]): Promise<States> => {
    const progress = context.status.startProgress(wanted.length);
    const onProgress = (done: number) => progress.update({ 'looked up': done });
    try {
      return await findStates(wanted, { client, fieldPaths, ledger, entries, stopping, onProgress });
    } catch (error) {
      if (!stopping.aborted) throw error;
      throw new CliError('interrupted', t`Stopped. Nothing was written.`, {
        hint: t`Run the same command again; it begins anew.${again()}`,
      });
    } finally {
      progress.stop();
    }
  };
  try {
    const states = await find(orders);
    const cash = await matchLists(context, lists, states, find);
    return { states, cash, cashOf: new Map(cash.map((own) => [own.order, own])) };
  } finally {
    ledger.close();
  }
}

/** Whether a file that begins like this was written here before. */
function isStatusFile(start: string): boolean {
  return /_order_number(.)_status\1_delivery\1/.test(start);
}

/** Errors: those of reading. */
async function* formatRows(
  { table, amounts }: StatusFile,
  columns: readonly string[],
  { states, cash, cashOf }: Awaited<ReturnType<typeof lookUp>>,
) {
  const orderOf = new Map(
    [...states.keys()].flatMap((order) => order.rows.map((row) => [row, order] as const)),
  );
  const format = createRowsFormat(table, columns, { replaced: addedColumns, amounts });
  yield* format.head();
  for await (const rows of table.batches()) {
    for (const { row, cells } of rows) {
      const order = orderOf.get(row);
      const state = (order && states.get(order)) ?? stateWithout('left_out');
      const own = order && cashOf.get(order);
      yield format.row({ cells }, cellsOf(state, own, order?.rows[0] === row).slice(0, columns.length));
    }
  }
  // Their sum is that of the lists only with the cash of all other orders.
  for (const own of cash) {
    const { order, entries } = own;
    if (order !== undefined && order.rows.length > 0) continue;
    const orderNumber = entries[0]?.reference || entries[0]?.phone || '';
    const state = (order && states.get(order)) ?? { ...stateWithout(), orderNumber };
    yield format.row({ cells: [] }, cellsOf(state, own, true));
  }
}

/** The amounts of an order stand in its first row only, so that a sum counts them once. */
function cellsOf(state: OrderState, cash: OrderCash | undefined, isFirst: boolean): string[] {
  const { orderNumber, status, delivery, collectionAmount, total, createdAt, difference } = state;
  const { collected, result = '' } = cash ?? {};
  const amount = (text: string) => {
    if (!isFirst) return '';
    const plain = amountOf(text);
    return isPlainNumber(plain) ? plain : protectForeignCell(plain);
  };
  return [
    ...[orderNumber, status, delivery].map(protectForeignCell),
    ...[collectionAmount, total].map(amount),
    localDay(createdAt) ?? protectForeignCell(createdAt),
    protectForeignCell(difference.join('; ')),
    collected === undefined ? '' : amount(fromHundredths(collected)),
    result,
  ];
}

function toRecord(
  { reference, rows }: FileOrder,
  { due: _, id, difference, notShown, ...texts }: OrderState,
  cash: OrderCash | undefined,
): JsonObject {
  const { collected, result } = cash ?? {};
  return {
    order: reference,
    row: rows[0] ?? null,
    id: id ?? null,
    ...texts,
    difference: [...difference],
    notCompared: [...notShown],
    ...(result && {
      cash: collected === undefined ? null : fromHundredths(collected),
      cashDifference: result,
    }),
  };
}
