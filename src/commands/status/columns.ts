import { cleanCell, shorten } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { Row, Table } from '../../import/read/read-table.ts';
import { remember, type ToRemember } from '../../mappings/remembered-mappings.ts';

const maxShown = 30;
const maxColumns = 40;

/** The columns with a header. */
export function filledColumns(cells: readonly string[]): number[] {
  return [...cells.keys()].filter((index) => cells[index] !== '').slice(0, maxColumns);
}

/** A header or a cell, for a message. */
export function shortName(text: string): string {
  return shorten(cleanCell(text), maxShown);
}

export function namesOfColumns(cells: readonly string[]): string {
  return filledColumns(cells)
    .map((index) => shortName(cells[index] ?? ''))
    .join(', ');
}

/** The choices of a question about columns, each with its first two values. */
export function columnChoices(
  cells: readonly string[],
  indexes: readonly number[],
  rows: readonly Row[],
): { value: string; name: string; short: string }[] {
  return indexes.map((index) => {
    const samples = rows.flatMap((row) => row.cells[index] || []).slice(0, 2);
    const short = shortName(cells[index] ?? '');
    return { value: String(index), name: [short, ...samples.map(shortName)].join('  '), short };
  });
}

export async function firstRows(table: Table, count: number): Promise<Row[]> {
  for await (const rows of table.batches()) if (rows.length > 0) return rows.slice(0, count);
  return [];
}

/** Returns its name. `what`: such as `Your answers are`. What cannot be remembered is no reason to stop, and is said of answers only. */
export async function rememberList(
  context: Context,
  list: Omit<ToRemember, 'seen'>,
  what: string,
  areAnswers = true,
): Promise<string | undefined> {
  const { print } = context;
  try {
    const { name } = await remember(context, { ...list, seen: {} });
    print.note(cleanCell(`${what} remembered as "${name}" for lists with these columns.`));
    return name;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (areAnswers) print.note(cleanCell(`${error.message} ${what} not remembered.`));
    return undefined;
  }
}
