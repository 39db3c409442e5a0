import type { Text } from '../../advice/advice.ts';
import { cleanCell, shorten } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import type { CliError } from '../../errors.ts';
import type { Table } from '../../import/read/read-table.ts';

const maxShown = 30;

/** The columns with a header. */
export function filledColumns({ header: { cells } }: Table): number[] {
  return [...cells.keys()].filter((index) => cells[index] !== '');
}

/** A header or a cell, for a message. */
export function shortName(text = ''): string {
  return shorten(cleanCell(text), maxShown);
}

interface ColumnQuestion {
  question: Text;
  indexes: readonly number[];
  /** The answer that it is none of them, where that is one. */
  none?: Text | undefined;
  /** Where nobody can be asked: `names` are those of all columns. */
  toError(names: string): CliError;
}

/** Each choice with its first two values. Undefined for none of them. Enter alone takes nothing. Errors: that of `toError`. */
export async function askColumn(
  { prompts }: Context,
  table: Table,
  { question, indexes, none, toError }: ColumnQuestion,
): Promise<number | undefined> {
  const { cells: header, below = [] } = table.header;
  const nameOf = (index: number) => shortName(header[index]);
  if (prompts === undefined || indexes.length === 0)
    throw toError(filledColumns(table).map(nameOf).join(', '));
  const choices = indexes.map((index) => {
    const samples = below.flatMap(({ cells }) => cells[index] || []).slice(0, 2);
    const short = nameOf(index);
    return { value: String(index), name: [short, ...samples.map(shortName)].join('  '), short };
  });
  const others = none === undefined ? [] : [{ value: '', name: none }];
  const answer = await prompts.choose(question, [...others, ...choices], null);
  return answer === '' ? undefined : Number(answer);
}

/** Its first row is one of its rows. */
export function withoutHeader(table: Table, names: string[]): Table {
  const { row, line, cells } = table.header;
  const batches = async function* () {
    yield [{ row, line, cells }];
    yield* table.batches();
  };
  return { ...table, header: { ...table.header, cells: names }, batches };
}
