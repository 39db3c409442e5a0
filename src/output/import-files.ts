import { formatCsvRow, protectCell } from '../csv/write-csv.ts';

/** A row that must be mended: its cells as they were read, and why. */
export interface RejectedRow {
  row: number;
  cells: readonly string[];
  code: string;
  error: string;
  fix: string;
}

const ownColumns = ['_row', '_code', '_error', '_fix'];
const usualDelimiters = [',', ';', '\t', '|'];
const byteOrderMark = '\uFEFF';

/** The file that the rejects come from. */
export interface RejectedTable {
  header: readonly string[];
  /** The rows above the header, which the flags of the original count. */
  above: readonly (readonly string[])[];
  delimiter: string;
}

/**
 * The rejects file in pieces: the columns of the original and, after them, what is wrong. Import reads it with the
 * flags of the original and leaves the added columns out, also when they come from an earlier rejects file.
 */
export function createRejectsFormat({ header, above, delimiter }: RejectedTable) {
  const kept = [...header.keys()].filter((index) => !ownColumns.includes(header[index] ?? ''));
  // An import finds the usual delimiters out; any other has to be told.
  const separatorLine = usualDelimiters.includes(delimiter) ? '' : `sep=${delimiter}\n`;
  const pick = (cells: readonly string[]) => kept.map((index) => cells[index] ?? '');
  const line = (cells: string[]) => `${formatCsvRow(cells.map(protectCell), delimiter)}\n`;
  return {
    head: (): string => {
      const titles = above.map((cells) => line([...cells]));
      return `${byteOrderMark}${separatorLine}${titles.join('')}${line([...pick(header), ...ownColumns])}`;
    },
    row: ({ row, cells, code, error, fix }: RejectedRow): string =>
      line([...pick(cells), String(row), code, error, fix]),
  };
}

/** What became of one order of an import, as its line of the results file tells it. */
export interface ResultRow {
  row: number;
  externalOrderId: string;
  outcome: string;
  orderId?: string;
  orderNumber?: string;
  delivery?: string;
  code?: string | undefined;
  message?: string;
  attempts: number;
  idempotencyKey?: string;
  createdByRun?: string;
}

const header =
  'row,external_order_id,outcome,order_id,order_number,delivery,code,message,attempts,idempotency_key,created_by_run';

/** The results file in pieces: one line per order, in the order in which they come. */
export function* formatResults(results: Iterable<ResultRow>): Generator<string> {
  yield `${header}\n`;
  for (const result of results) yield formatResult(result);
}

function formatResult(result: ResultRow): string {
  const cells = [
    String(result.row),
    result.externalOrderId,
    result.outcome,
    result.orderId ?? '',
    result.orderNumber ?? '',
    result.delivery ?? '',
    result.code ?? '',
    result.message ?? '',
    String(result.attempts),
    result.idempotencyKey ?? '',
    result.createdByRun ?? '',
  ];
  return `${formatCsvRow(cells.map(protectCell))}\n`;
}
