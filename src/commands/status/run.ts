import { advice, command } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { protectForeignCell } from '../../csv/write-csv.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { withSource } from '../../import/read/read-table.ts';
import { createRowsFormat, fileBeside, findOverwritten } from '../../import/results/files.ts';
import { entriesOfMerchant } from '../../import/send/merchant-entries.ts';
import type { FileOrder } from '../../import/status/file-orders.ts';
import { findStates } from '../../import/status/find-states.ts';
import { type OrderState, stateWithout } from '../../import/status/order-state.ts';
import { spreadsheetAmount } from '../../output/amount.ts';
import { localDay } from '../../output/times.ts';
import { readStatusFile, type StatusFile, type StatusFlags } from './read.ts';
import { describeDifferences, summarise } from './summary.ts';

/** Sends nothing. Error: `orders_differ` when an order is not as the file has it. */
export async function runStatus(context: Context, file: string, flags: StatusFlags): Promise<void> {
  const { system, print, report } = context;
  await checkIsFile(context, file);
  system.keepHeapSmall();
  await withSource(file, system, async (source) => {
    const read = await readStatusFile(context, source, flags);
    await source.checkUnchanged();
    const path = flags.output ?? fileBeside(file, 'status');
    await checkOutput(context, path, [file, ...(file === '-' ? ['/dev/stdin'] : []), flags.map ?? 'none']);
    const states = await lookUp(context, read);
    await source.checkUnchanged();
    await writeStatus(context, path, read, states);
    const summary = summarise(file, states);
    for (const line of describeDifferences(states)) print.note(cleanCell(line));
    for (const [order, state] of report.showsOutcomes ? states : []) report.outcome(toRecord(order, state));
    report.status(summary.record);
    for (const note of summary.notes) print.note(note);
    print.note(cleanCell(`Wrote ${path}.`));
    if (summary.record.exitCode === exitCodes.done) return;
    throw new CliError('orders_differ', summary.sentence, {
      hint: advice`The column _difference of ${cleanCell(path)} says how. To look at an order, run: ${command('get', 'ORDER')}`,
    });
  });
}

/** Error: `usage` for what may be the name of an order. */
async function checkIsFile({ system: { files } }: Context, file: string): Promise<void> {
  if (file === '-' || (await files.stampOf(file)).stamp !== '') return;
  throw new CliError('usage', `There is no file ${file}.`, {
    hint: advice`Check the name. To look at one order, run: ${command('get', file)}`,
  });
}

/** Errors: `usage` for a file that is read, or ours; `file_not_writable`. */
async function checkOutput({ system }: Context, path: string, read: readonly string[]): Promise<void> {
  const overwritten = await findOverwritten(path, read, system);
  if (overwritten !== undefined) {
    throw new CliError('usage', `The states would overwrite ${overwritten}.`, {
      hint: 'Choose another name with --output.',
    });
  }
  await system.files.checkWritable(path, isStatusFile);
}

async function lookUp(context: Context, { orders, places }: StatusFile): Promise<Map<FileOrder, OrderState>> {
  const { status, interruption } = context;
  await using connection = await context.connect({
    waitsForOutages: true,
    limits: { concurrency: 'auto', perSecond: undefined },
  });
  const { client } = connection;
  const ledger = await connection.openLedger({ isDryRun: true });
  const progress = status.startProgress(orders.length);
  try {
    const states = await findStates(orders, {
      client,
      places,
      ledger,
      entries: await entriesOfMerchant(ledger, client),
      stopping: interruption.stopping,
      onProgress: (done) => progress.update({ 'looked up': done }),
    });
    return new Map(orders.map((order) => [order, states.get(order) as OrderState]));
  } finally {
    progress.stop();
    ledger.close();
  }
}

const columns = [
  '_order_number',
  '_status',
  '_delivery',
  '_collection_amount',
  '_total',
  '_created',
  '_difference',
];

/** Whether a file that begins like this was written here before. */
function isStatusFile(start: string): boolean {
  return /_order_number(.)_status\1_delivery\1/.test(start);
}

/** Whole or not at all. Errors: those of reading; `file_not_writable`. */
async function writeStatus(
  { system, print }: Context,
  path: string,
  { table, orders }: StatusFile,
  states: ReadonlyMap<FileOrder, OrderState>,
): Promise<void> {
  const orderOf = new Map<number, FileOrder>();
  for (const order of orders) for (const row of order.rows) orderOf.set(row, order);
  const format = createRowsFormat(table, columns);
  const lines = async function* () {
    yield* format.head();
    for await (const rows of table.batches()) {
      for (const { row, cells } of rows) {
        const order = orderOf.get(row);
        const state = order === undefined ? undefined : states.get(order);
        yield format.row({ cells }, cellsOf(state ?? stateWithout('left_out'), order?.rows[0] === row));
      }
    }
  };
  const { backup } = await system.files.writeWhole(path, lines(), {
    isOurs: isStatusFile,
    backupPath: (before) => before.replace(/(\.csv)?$/i, `.before-${system.randomUuid().slice(0, 8)}$1`),
    outputs: system,
  });
  if (backup !== undefined) print.note(cleanCell(`The earlier ${path} is kept as ${backup}.`));
}

/** The amounts of an order stand in its first row only, so that a sum counts them once. */
function cellsOf(state: OrderState, isFirst: boolean): string[] {
  const { orderNumber, status, delivery, collectionAmount, total, createdAt, difference } = state;
  const amount = (text: string) => spreadsheetAmount(text) ?? protectForeignCell(text);
  return [
    ...[orderNumber, status, delivery].map(protectForeignCell),
    ...[collectionAmount, total].map((text) => (isFirst ? amount(text) : '')),
    localDay(createdAt) ?? protectForeignCell(createdAt),
    protectForeignCell(difference.join('; ')),
  ];
}

function toRecord({ reference, rows }: FileOrder, { isCancelled: _, ...state }: OrderState) {
  return {
    order: reference,
    row: rows[0] ?? 0,
    ...state,
    id: state.id ?? null,
    difference: [...state.difference],
  };
}
