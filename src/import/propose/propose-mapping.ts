import { type FieldPath, formatFieldPath } from '../../orders/field-path.ts';
import { createHeader, type Header } from '../columns/header.ts';
import type { Column } from '../map/column.ts';
import { mapTable } from '../orders/plan-import.ts';
import type { HeaderRow, Table } from '../table/read-table.ts';
import type { ColumnGuess, FieldProposal, Known, KnownOptions, Proposal } from './proposal.ts';

/** Reads the whole table once. Errors: those of reading, AbortError. */
export async function analyseTable(
  table: Table,
  options: KnownOptions & { stopping: AbortSignal },
): Promise<{ proposal: Proposal; known: Known }> {
  for await (const batch of table.batches()) {
    options.stopping.throwIfAborted();
    void batch;
  }
  const known = { ...options, ...mapTable(table.header, options) };
  return { proposal: proposeMapping(table.header, known), known };
}

const labels: Record<string, string> = {
  externalOrderId: 'the order ID',
  'customer.phone': 'the customer’s phone',
  'items[].sku': 'the SKU',
};

export function proposeMapping(row: HeaderRow, { mapped }: Known): Proposal {
  const header = createHeader(row);
  const settled = mapped.columns.map((column): FieldProposal => {
    const guess = guessOf(header, column);
    const field = fieldOf(column);
    return {
      field,
      label: labels[field] ?? field,
      isNeeded: field in labels,
      guesses: [guess],
      settled: guess,
    };
  });
  const fields = new Set(settled.map(({ field }) => field));
  const open = Object.entries(labels)
    .filter(([field]) => !fields.has(field))
    .map(([field, label]): FieldProposal => ({ field, label, isNeeded: true, guesses: [] }));
  return { fields: [...settled, ...open], collection: [], values: [], amounts: [], unread: [] };
}

function fieldOf({ path, type }: { path: FieldPath; type: string }): string {
  return type === 'text' ? formatFieldPath(path) : `${formatFieldPath(path)}:${type}`;
}

function guessOf(header: Header, { index }: Column): ColumnGuess {
  const name = header.cells[index] ?? '';
  const texts = (header.below ?? []).map(({ cells }) => cells[index] ?? '').filter((text) => text !== '');
  const samples = [...new Set(texts)].slice(0, 3);
  return { index, name, samples, score: 1, reasons: ['mapped'] };
}
