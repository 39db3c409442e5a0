import { completeCommand, type Text, t } from '../../advice/advice.ts';
import { cleanCell, shorten } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { foldHeader } from '../../import/columns/header.ts';
import type { Row, Table } from '../../import/read/read-table.ts';
import type { Choice } from '../../system/prompts/prompts.ts';

const maxShown = 30;
const maxColumns = 40;

/** The columns with a header. */
export function filledColumns(cells: readonly string[]): number[] {
  return [...cells.keys()].filter((index) => cells[index] !== '').slice(0, maxColumns);
}

/** The columns with this header, whatever its case. */
export function indexesOf(cells: readonly string[], header: string): number[] {
  const wanted = foldHeader(header);
  return [...cells.keys()].filter((index) => wanted !== '' && foldHeader(cells[index] ?? '') === wanted);
}

/** A header or a cell, for a message. */
export function shortName(text: string): string {
  return shorten(cleanCell(text), maxShown);
}

/** `flags`: those that name columns of the table, for the command to run. */
export function unclearColumns(
  args: readonly string[],
  cells: readonly string[],
  sentence: Text,
  flags: (columns: readonly string[]) => string[],
): CliError {
  const columns = filledColumns(cells).map((index) => cells[index] ?? '');
  const names = columns.map(shortName).join(', ');
  return new CliError('file_invalid', sentence, {
    hint: t`Its columns are: ${names}. Name those that are meant, such as:\n  ${completeCommand([...args, ...flags(columns)])}`,
  });
}

/** Each choice with its first two values. Undefined for one of `others`. Enter alone takes none. */
export async function askColumn(
  prompts: NonNullable<Context['prompts']>,
  table: Table,
  question: Text,
  indexes: readonly number[],
  others: readonly Choice[] = [],
): Promise<number | undefined> {
  const rows = await firstRows(table);
  const choices = indexes.map((index) => {
    const samples = rows.flatMap(({ cells }) => cells[index] || []).slice(0, 2);
    const short = shortName(table.header.cells[index] ?? '');
    return { value: String(index), name: [short, ...samples.map(shortName)].join('  '), short };
  });
  const answer = await prompts.choose(question, [...others, ...choices], null);
  return others.some(({ value }) => value === answer) ? undefined : Number(answer);
}

async function firstRows(table: Table): Promise<readonly Row[]> {
  for await (const rows of table.batches()) if (rows.length > 0) return rows;
  return [];
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
