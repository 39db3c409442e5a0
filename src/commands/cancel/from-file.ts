import { advice, command, completeCommand, joinTexts, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { type ReadingFlags, readTable, withSource } from '../../import/read/read-table.ts';
import { checkNamedOrders, type NamedOrder, readNamedOrders } from '../../import/results/named-orders.ts';
import { maxListed, usage } from './cancel-orders.ts';

export interface FromFlags extends Pick<ReadingFlags, 'delimiter' | 'encoding'> {
  run?: string[];
}

const maxRowsShown = 3;

/** Errors: those of the file; `usage` if it is unclear which orders are meant. */
export function readFrom({ system, print }: Context, file: string, flags: FromFlags): Promise<NamedOrder[]> {
  return withSource(file, system, async (source) => {
    const { name } = source;
    const named = await readNamedOrders(await readTable(source, flags), name);
    await source.checkUnchanged();
    if (flags.run !== undefined && !named.isResults) {
      throw usage(t`${name} is not the results file of an import, so it has no runs.`, t`Remove --run.`);
    }
    if (named.orders.length === 0) {
      const sentence = named.isResults
        ? t`${name} has no order that an import on this machine created.`
        : t`${name} has no orders.`;
      throw new CliError('file_invalid', sentence, {
        hint: t`Nothing was cancelled.`,
      });
    }
    const orders = chooseRuns(named.orders, flags.run, name, system);
    checkNamedOrders({ ...named, orders }, name);
    if (named.unknown > 0) print.note(formatUnknown(named.unknown));
    if (named.twice.length > 0) print.note(formatTwice(named.twice));
    return orders;
  });
}

function formatTwice(ids: readonly string[]): Text {
  const shown = ids.slice(0, maxListed).map((id) => cleanCell(id)) as [string, ...string[]];
  return t`The service has several orders of ${shown}; the file names one of each. To see those of ${shown[0]}, run:\n  ${command('list', '--external-order-id', shown[0])}`;
}

function formatUnknown(count: number): Text {
  return t`${count} more {order|orders} of the file may have been created. To find out, import it again; then cancel again with the new results.`;
}

/** Error: `usage` with a command that chooses a run. */
function chooseRuns(
  orders: NamedOrder[],
  chosen: readonly string[] | undefined,
  name: string,
  system: Context['system'],
): NamedOrder[] {
  const rowsOf = new Map<string, number[]>();
  for (const { run, row } of orders) {
    const rows = rowsOf.get(run);
    if (rows === undefined) rowsOf.set(run, [row]);
    else rows.push(row);
  }
  const runs = [...rowsOf.keys()];
  if (chosen === undefined) {
    const [first, ...others] = runs;
    if (first === undefined || others.length === 0) return orders;
    const withRuns = (ids: string) => completeCommand([...system.args, '--run', ids]);
    const hint = joinTexts(
      [
        ...listRuns(rowsOf),
        t`Nothing was cancelled. To cancel the orders of the first run, run:\n  ${withRuns(first)}`,
        t`To cancel the orders of all runs, run:\n  ${withRuns(runs.join(','))}`,
      ],
      '\n',
    );
    throw usage(t`${name} has orders of ${runs.length} runs. Choose the runs to cancel.`, hint);
  }
  const absent = chosen.filter((id) => !rowsOf.has(id));
  if (absent.length > 0) {
    const hint = joinTexts([...listRuns(rowsOf), t`Nothing was cancelled.`], '\n');
    throw usage(t`${name} has no order of {run|runs} ${absent}.`, hint);
  }
  return orders.filter(({ run }) => chosen.includes(run));
}

function listRuns(rowsOf: ReadonlyMap<string, readonly number[]>): Text[] {
  const lines = [...rowsOf].slice(0, maxListed).map(([run, rows]) => {
    const shown = `${rows.slice(0, maxRowsShown).join(', ')}${rows.length > maxRowsShown ? ', ...' : ''}`;
    const orders = t`run ${run}: ${rows.length} {order|orders} ({row|rows} ${shown})`;
    return advice`  ${orders}`;
  });
  const more = rowsOf.size - maxListed;
  return more > 0 ? [...lines, advice`  ${t`and ${more} more runs`}`] : lines;
}
