import { advice, completeCommand, joinAdvice } from '../../advice/advice.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { checkNamedOrders, type NamedOrder, readNamedOrders } from '../../import/results/named-orders.ts';
import { type ReadingFlags, readTable, withSource } from '../../import/table/read-table.ts';
import type { Target } from './cancel-many.ts';

export interface FromFlags extends Pick<ReadingFlags, 'delimiter' | 'encoding'> {
  /** Of a results file only the orders that these runs created. */
  run?: string[];
}

/** The orders that a file names. Errors: those of the file; `usage` when it is not clear which orders are meant. */
export function readFrom({ system, print }: Context, file: string, flags: FromFlags): Promise<Target[]> {
  return withSource(file, system, async (source) => {
    const { name } = source;
    const named = await readNamedOrders(await readTable(source, flags), name);
    if (flags.run !== undefined && !named.isResults) {
      throw new CliError('usage', `${name} is not the results file of an import, so it has no runs.`, {
        hint: 'Remove --run.',
        outcome: 'not_sent',
      });
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
    return orders.map(({ reference, by, names }) => ({ reference, by, names }));
  });
}

function formatUnknown(count: number): string {
  const which = count === 1 ? '1 more order of the file' : `${count} more orders of the file`;
  return `${which} may have been created. To find out, import it again; then cancel again with the new results.`;
}

interface RunOrders {
  run: string;
  orders: number;
  firstRows: number[];
}

const maxRunsShown = 20;
const maxRowsShown = 3;

/** The orders of the chosen runs. Error: `usage` with the command that chooses one. */
function chooseRuns(
  orders: NamedOrder[],
  chosen: readonly string[] | undefined,
  name: string,
  system: Context['system'],
): NamedOrder[] {
  const runs = countRuns(orders);
  if (chosen === undefined) {
    if (runs.length < 2) return orders;
    const [first] = runs;
    const withRuns = (ids: string) => completeCommand([...system.args, '--run', ids]);
    throw new CliError('usage', `${name} has orders of ${runs.length} runs. Choose the runs to cancel.`, {
      hint: joinAdvice(
        [
          ...listRuns(runs),
          advice`Nothing was cancelled. To cancel the orders of the first run, run:\n  ${withRuns(first?.run ?? '')}`,
          advice`To cancel the orders of all runs, run:\n  ${withRuns(runs.map(({ run }) => run).join(','))}`,
        ],
        '\n',
      ),
      outcome: 'not_sent',
    });
  }
  const absent = chosen.filter((id) => !runs.some(({ run }) => run === id));
  if (absent.length > 0) {
    const what = absent.length === 1 ? `run ${absent[0]}` : `runs ${absent.join(', ')}`;
    throw new CliError('usage', `${name} has no order of ${what}.`, {
      hint: [...listRuns(runs), 'Nothing was cancelled.'].join('\n'),
      outcome: 'not_sent',
    });
  }
  return orders.filter(({ run }) => chosen.includes(run));
}

function countRuns(orders: readonly NamedOrder[]): RunOrders[] {
  const byRun = new Map<string, RunOrders>();
  for (const { run, row } of orders) {
    const counted = byRun.get(run) ?? { run, orders: 0, firstRows: [] };
    counted.orders += 1;
    if (counted.firstRows.length < maxRowsShown) counted.firstRows.push(row);
    byRun.set(run, counted);
  }
  return [...byRun.values()];
}

function listRuns(runs: readonly RunOrders[]): string[] {
  const more = runs.length - maxRunsShown;
  return [
    ...runs.slice(0, maxRunsShown).map(({ run, orders, firstRows }) => {
      const rows = `${firstRows.join(', ')}${orders > firstRows.length ? ', ...' : ''}`;
      return `  run ${run}: ${orders === 1 ? '1 order' : `${orders} orders`} (${orders === 1 ? 'row' : 'rows'} ${rows})`;
    }),
    ...(more > 0 ? [`  and ${more} more runs`] : []),
  ];
}
