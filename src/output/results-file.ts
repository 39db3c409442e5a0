import { csvRow, protectCell } from './csv.ts';

/** What became of one order of an import, as its line of the results file tells it. */
export interface ResultRow {
  row: number;
  externalOrderId: string;
  outcome: string;
  orderId?: string;
  orderNumber?: string;
  delivery?: string;
  code?: string;
  message?: string;
  attempts: number;
  idempotencyKey?: string;
  createdByRun?: string;
}

const header =
  'row,external_order_id,outcome,order_id,order_number,delivery,code,message,attempts,idempotency_key,created_by_run';

/** The whole results file: one line per order, by row. */
export function formatResults(results: readonly ResultRow[]): string {
  const lines = [...results]
    .sort((left, right) => left.row - right.row)
    .map((result) =>
      csvRow(
        [
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
        ].map(protectCell),
      ),
    );
  return `${[header, ...lines].join('\n')}\n`;
}
