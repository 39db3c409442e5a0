import type { JsonObject } from '../orders/json.ts';
import { cleanCell } from './clean-text.ts';
import { type Field, flattenFields, pickCells } from './fields.ts';
import { formatJson } from './json-text.ts';
import type { Cancellation, RequestPreview } from './reporter.ts';

/** What a listing shows of an order on a terminal when nothing was asked for. */
export const orderColumns = [
  'orderNumber',
  'externalOrderId',
  'status',
  'customer.phone',
  'total',
  'collectionAmount',
  'requestedDeliveryDate',
];

const cancellationColumns = ['orderNumber', 'externalOrderId', 'outcome', 'status', 'code', 'message'];

/** Several cancellations as a table: the names of its columns, and a row for each. */
export function cancellationTable(
  results: Cancellation[],
  columns: string[] = cancellationColumns,
): [names: string[], rows: string[][]] {
  return [columns, results.map((result) => pickCells(cancellationRecord(result), columns))];
}

/** A cancellation as one record: the order's fields, or what it was asked for by, and what became of it. */
function cancellationRecord({ order, outcome, status, code, message }: Cancellation): JsonObject {
  return {
    ...(order.reference === undefined ? {} : { externalOrderId: order.reference }),
    ...order,
    ...(status === undefined ? {} : { status }),
    outcome,
    code: code ?? null,
    message: message ?? null,
  };
}

export const countColumns = ['outcome', 'orders'];

/** The outcomes that occurred, and their total last. */
export function countRows({ total = 0, ...counts }: Record<string, number>): string[][] {
  const occurred = Object.entries(counts).filter(([, count]) => count > 0);
  return [...occurred, ['total', total] as const].map(([outcome, count]) => [outcome, String(count)]);
}

/** The fields of a record: those asked for, or all. */
export function chosenFields(record: JsonObject, columns: string[] | undefined): Field[] {
  if (!columns) return flattenFields(record);
  return pickCells(record, columns).map((text, index) => ({ path: columns[index] ?? '', text }));
}

/** Requests as they go over the wire, for reading. */
export function formatRequests(requests: RequestPreview[]): string {
  return requests.map(formatRequest).join('\n\n');
}

function formatRequest({ method, url, headers, body }: RequestPreview): string {
  const lines = Object.entries(headers).map(([name, value]) => `${cleanCell(name)}: ${cleanCell(value)}`);
  return [`${cleanCell(method)} ${cleanCell(url)}`, ...lines, '', formatJson(body)].join('\n');
}
