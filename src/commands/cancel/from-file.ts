import { advice, completeCommand, joinTexts } from '../../advice/advice.ts';
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
      throw usage(`${name} is not the results file of an import, so it has no runs.`, 'Remove --run.');
    }
    if (named.orders.length === 0) {
      const what = named.isResults ? 'no order that an import on this machine created' : 'no orders';
      throw new CliError('file_invalid', `${name} has ${what}.`, {
        hint: 'Nothing was cancelled.',
        outcome: 'not_sent',
      });
    }
    const orders = chooseRuns(named.orders, flags.run, name, system);
    checkNamedOrders({ ...named, orders }, name);
    if (named.unknown > 0) print.note(formatUnknown(named.unknown));
    return orders;
  });
}

function formatUnknown(count: number): string {
  const which = count === 1 ? '1 more order of the file' : `${count} more orders of the file`;
  return `${which} may have been created. To find out, import it again; then cancel again with the new results.`;
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
        advice`Nothing was cancelled. To cancel the orders of the first run, run:\n  ${withRuns(first)}`,
        advice`To cancel the orders of all runs, run:\n  ${withRuns(runs.join(','))}`,
      ],
      '\n',
    );
    throw usage(`${name} has orders of ${runs.length} runs. Choose the runs to cancel.`, hint);
  }
  const absent = chosen.filter((id) => !rowsOf.has(id));
  if (absent.length > 0) {
    const what = absent.length === 1 ? `run ${absent[0]}` : `runs ${absent.join(', ')}`;
    const hint = [...listRuns(rowsOf), 'Nothing was cancelled.'].join('\n');
    throw usage(`${name} has no order of ${what}.`, hint);
  }
  return orders.filter(({ run }) => chosen.includes(run));
}

function listRuns(rowsOf: ReadonlyMap<string, readonly number[]>): string[] {
  const lines = [...rowsOf].slice(0, maxListed).map(([run, rows]) => {
    const shown = `${rows.slice(0, maxRowsShown).join(', ')}${rows.length > maxRowsShown ? ', ...' : ''}`;
    return `  run ${run}: ${rows.length === 1 ? `1 order (row ${shown})` : `${rows.length} orders (rows ${shown})`}`;
  });
  const more = rowsOf.size - maxListed;
  return more > 0 ? [...lines, `  and ${more} more runs`] : lines;
}
