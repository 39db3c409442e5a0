import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { checkNamedOrders, readNamedOrders } from '../import/named-orders.ts';
import { withSource } from '../import/read/csv-source.ts';
import { type ReadingFlags, readTable } from '../import/read/read-table.ts';
import type { Target } from './cancel-read.ts';
import { chooseRuns } from './cancel-runs.ts';

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
