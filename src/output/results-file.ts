import { csvRow, protectCell } from './csv.ts';

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
  return `${csvRow(cells.map(protectCell))}\n`;
}
