import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { checkNamedOrders, type NamedOrder, readNamedOrders } from '../../import/results/named-orders.ts';
import { type ReadingFlags, readTable } from '../../import/table/read-table.ts';
import { withSource } from '../../import/table/source.ts';
import { formatCommandLine } from '../../output/error-text.ts';
import type { Target } from './read-targets.ts';

export interface FromFlags extends Pick<ReadingFlags, 'delimiter' | 'encoding'> {
  /** Of a results file: only what these runs created. */
  run?: string[];
}

/** The orders that a file names. Errors: those of the file; `usage` when it leaves open which are meant. */
export function readFrom({ system, print }: Context, file: string, flags: FromFlags): Promise<Target[]> {
  return withSource(file, system, async (source) => {
    const { name } = source;
    const named = await readNamedOrders(await readTable(source, flags), name);
    if (flags.run !== undefined && !named.isResults) {
      throw new CliError('usage', `${name} is no results file of an import, so it knows of no runs.`, {
        hint: 'Leave --run out.',
        outcome: 'not_sent',
      });
    }
    if (named.orders.length === 0) {
      const what = named.isResults ? 'no order that an import here created' : 'no orders';
      throw new CliError('file_invalid', `${name} has ${what}.`, {
        hint: 'Nothing was cancelled.',
        outcome: 'not_sent',
      });
    }
    const chosen = { ...named, orders: chooseRuns(named.orders, flags.run, name, system.args) };
    checkNamedOrders(chosen, name);
    if (named.unknown > 0) print.note(sayUnknown(named.unknown));
    return chosen.orders.map(({ reference, by, names }) => ({ reference, by, names }));
  });
}

function sayUnknown(count: number): string {
  const which = count === 1 ? '1 order of it' : `${count} orders of it`;
  return `${which} may have been created as well; import the file again to find out, then undo that.`;
}

interface RunOrders {
  run: string;
  orders: number;
  firstRows: number[];
}

const mostRunsShown = 20;
const mostRowsShown = 3;

/** The orders of the runs that were asked for. Error: `usage` when it is not clear which are meant; `args` repeat the command. */
export function chooseRuns(
  orders: NamedOrder[],
  asked: readonly string[] | undefined,
  name: string,
  args: readonly string[],
): NamedOrder[] {
  const runs = countRuns(orders);
  if (asked === undefined) {
    if (runs.length < 2) return orders;
    const again = (wanted: string) => formatCommandLine([...args, '--run', wanted]);
    const [first] = runs;
    throw new CliError('usage', `${name} has the orders of ${runs.length} runs; say which are meant.`, {
      hint: [
        ...listRuns(runs),
        `Nothing was cancelled. For the first of them, run: ${again(first?.run ?? '')}`,
        `for all of them: ${again(runs.map(({ run }) => run).join(','))}`,
      ].join('\n'),
      outcome: 'not_sent',
    });
  }
  const absent = asked.filter((wanted) => !runs.some(({ run }) => run === wanted));
  if (absent.length > 0) {
    const what = absent.length === 1 ? `run ${absent[0]}` : `runs ${absent.join(', ')}`;
    throw new CliError('usage', `${name} has no order of ${what}.`, {
      hint: [...listRuns(runs), 'Nothing was cancelled.'].join('\n'),
      outcome: 'not_sent',
    });
  }
  return orders.filter(({ run }) => asked.includes(run));
}

function countRuns(orders: readonly NamedOrder[]): RunOrders[] {
  const byRun = new Map<string, RunOrders>();
  for (const { run, row } of orders) {
    const counted = byRun.get(run) ?? { run, orders: 0, firstRows: [] };
    counted.orders += 1;
    if (counted.firstRows.length < mostRowsShown) counted.firstRows.push(row);
    byRun.set(run, counted);
  }
  return [...byRun.values()];
}

function listRuns(runs: readonly RunOrders[]): string[] {
  const more = runs.length - mostRunsShown;
  return [
    ...runs.slice(0, mostRunsShown).map(({ run, orders, firstRows }) => {
      const rows = `${firstRows.join(', ')}${orders > firstRows.length ? ', ...' : ''}`;
      return `  run ${run}: ${orders === 1 ? '1 order' : `${orders} orders`} (${orders === 1 ? 'row' : 'rows'} ${rows})`;
    }),
    ...(more > 0 ? [`  and ${more} more runs`] : []),
  ];
}
