import { CliError, type ErrorIssue } from '../../errors.ts';
import { isUuid, type ReferenceKind } from '../../orders/order-reference.ts';
import type { Row, Table } from '../table/table.ts';

/** An order that a row of a file names. */
export interface NamedOrder {
  row: number;
  reference: string;
  by: ReferenceKind;
  /** What the row calls it, by the names of the fields of an order. */
  names: Partial<Record<NameField, string>>;
  /** The run that created it, in a results file of an import; empty elsewhere. */
  run: string;
}

/** The orders that a file names, in its order. */
export interface NamedOrders {
  /** The header of the column that names them. */
  column: string;
  /** It is the results file of an import; the orders that no import here created are left out. */
  isResults: boolean;
  /** How many orders of the results nobody knows the end of. */
  unknown: number;
  orders: NamedOrder[];
}

type NameField = 'id' | 'orderNumber' | 'externalOrderId';

/** The columns that name an order; the first that a file has counts (interface section 2.1). */
const nameColumns: { headers: string[]; by: ReferenceKind; field: NameField }[] = [
  { headers: ['order_id'], by: 'id', field: 'id' },
  { headers: ['order_number', 'orderNumber'], by: 'number', field: 'orderNumber' },
  { headers: ['external_order_id', 'externalOrderId'], by: 'external', field: 'externalOrderId' },
  { headers: ['id'], by: 'id', field: 'id' },
];

const mostIssues = 1000;

/** Errors: those of the table; `file_invalid` for a file without such a column, or with one of them twice. */
export async function readNamedOrders(table: Table, name: string): Promise<NamedOrders> {
  const columns = nameColumns.flatMap(({ headers, by, field }) =>
    headers.flatMap((header) => {
      const place = placeOf(table, header, name);
      return place === undefined ? [] : [{ header, place, by, field }];
    }),
  );
  const [naming] = columns;
  if (naming === undefined) {
    const known = nameColumns.flatMap(({ headers }) => headers).join(', ');
    throw invalid(name, 'has no column that names orders', `It needs one of these headers: ${known}`);
  }
  const outcomePlace = placeOf(table, 'outcome', name);
  const runPlace = outcomePlace === undefined ? undefined : placeOf(table, 'created_by_run', name);
  let unknown = 0;
  const orders: NamedOrder[] = [];
  const toNamed = ({ row, cells }: Row): NamedOrder => {
    const names: NamedOrder['names'] = {};
    for (const { place, field } of columns) if (cells[place]) names[field] ??= cells[place];
    const run = runPlace === undefined ? '' : (cells[runPlace] ?? '');
    return { row, reference: cells[naming.place] ?? '', by: naming.by, names, run };
  };
  for await (const rows of table.batches()) {
    for (const row of rows) {
      const order = toNamed(row);
      if (runPlace === undefined || order.run !== '') orders.push(order);
      else if (row.cells[outcomePlace ?? -1] === 'unknown') unknown += 1;
    }
  }
  return { column: naming.header, isResults: runPlace !== undefined, unknown, orders };
}

/** Error: `file_invalid` when a row names no order, what cannot be an id, or an order that was named above. */
export function checkNamedOrders({ column, orders }: NamedOrders, name: string): void {
  const rowOf = new Map<string, number>();
  const issues: ErrorIssue[] = [];
  for (const { row, reference, by } of orders) {
    const key = by === 'id' ? reference.toLowerCase() : reference;
    const earlier = rowOf.get(key);
    if (earlier === undefined) rowOf.set(key, row);
    const message = problemOf(reference, by, earlier);
    if (message === undefined) continue;
    const value = reference === '' ? {} : { value: reference };
    issues.push({ path: `row ${row}, ${column}`, message, ...value });
  }
  if (issues.length === 0) return;
  const count = issues.length === 1 ? '1 row' : `${issues.length} rows`;
  throw new CliError('file_invalid', `${name} does not say which order is meant in ${count}.`, {
    issues: issues.slice(0, mostIssues),
    hint: 'Mend these rows, or take them out. Nothing was cancelled.',
    outcome: 'not_sent',
  });
}

function problemOf(reference: string, by: ReferenceKind, earlier: number | undefined): string | undefined {
  if (reference === '') return 'is blank';
  if (by === 'id' && !isUuid(reference)) return 'is no UUID; own order ids belong under external_order_id';
  return earlier === undefined ? undefined : `is in row ${earlier} already`;
}

function placeOf({ header }: Table, wanted: string, name: string): number | undefined {
  const place = header.cells.indexOf(wanted);
  if (place < 0) return undefined;
  if (header.cells.indexOf(wanted, place + 1) < 0) return place;
  throw invalid(name, `has two columns ${wanted}`, 'Rename one of the two.');
}

function invalid(name: string, problem: string, hint: string): CliError {
  return new CliError('file_invalid', `${name} ${problem}.`, { hint, outcome: 'not_sent' });
}
