import { formatFieldPath } from '../../orders/field-path.ts';
import { guessColumns } from '../columns/guesses.ts';
import { createHeader } from '../columns/header.ts';
import { type ColumnProfile, createTableProfile, profileRows } from '../columns/profile.ts';
import { createNonOrderFinder } from '../orders/non-order-rows.ts';
import { mapTable } from '../orders/plan-import.ts';
import type { Table } from '../table/read-table.ts';
import { isTotalWord } from '../words.ts';
import type { GivenMapping, Proposal } from './proposal.ts';
import { proposeMapping } from './propose-mapping.ts';

/** Reads the whole table once, in memory that does not grow with it. Errors: those of reading, AbortError. */
export async function analyseTable(
  table: Table,
  { stopping, ...options }: Omit<GivenMapping, 'mapped' | 'shop'> & { stopping: AbortSignal },
): Promise<{ proposal: Proposal; known: GivenMapping }> {
  const known = { ...options, ...mapTable(table.header, options) };
  const profiles = await profileTable(table, known, stopping);
  return { proposal: proposeMapping(table.header, profiles, known), known };
}

async function profileTable(
  table: Table,
  { mapped, decimal }: GivenMapping,
  stopping: AbortSignal,
): Promise<ColumnProfile[]> {
  const profile = createTableProfile(table.header.cells.length, idColumn(table, mapped));
  const kindOf = createNonOrderFinder(mapped, { decimal, hasNumberCells: table.hasNumberCells });
  for await (const batch of table.batches()) {
    stopping.throwIfAborted();
    for (const row of batch) {
      const isTotal = isTotalWord(row.cells.find((cell) => cell !== '') ?? '');
      if (row.ownCells === undefined && !isTotal && kindOf(row) === undefined) profile.addRow(row.cells);
    }
  }
  return profile.columns();
}

function idColumn({ header: row }: Table, mapped: GivenMapping['mapped']): number | undefined {
  const own = mapped.columns.find(({ path }) => formatFieldPath(path) === 'externalOrderId');
  if (own !== undefined) return own.index;
  const profiles = profileRows(row.cells.length, row.below ?? []);
  const found = guessColumns(createHeader(row), profiles, mapped.free);
  return found.find(({ field }) => field === 'externalOrderId')?.guesses[0]?.index;
}
