import { advice, type Text, t } from '../../advice/advice.ts';
import { CliError, type ErrorIssue } from '../../errors.ts';
import { isUuid, type ReferenceKind } from '../../orders/order-reference.ts';
import type { Row, Table } from '../read/read-table.ts';
import { twice } from './order-outcome.ts';

export interface NamedOrder {
  row: number;
  reference: string;
  by: ReferenceKind;
  names: Partial<Record<NameField, string>>;
  /** The run that created it; empty outside results files. */
  run: string;
}

interface NamedOrders {
  column: string;
  /** Written by an import; orders that no import created are not in `orders`. */
  isResults: boolean;
  unknown: number;
  /** The own IDs of which the service has several orders; the file names one of each. */
  twice: string[];
  orders: NamedOrder[];
}

type NameField = 'id' | 'orderNumber' | 'externalOrderId';

/** The columns that name an order; the first one in the file is used (interface section 2.1). */
const nameColumns: { headers: string[]; by: ReferenceKind; field: NameField }[] = [
  { headers: ['order_id'], by: 'id', field: 'id' },
  { headers: ['order_number', 'orderNumber'], by: 'number', field: 'orderNumber' },
  { headers: ['external_order_id', 'externalOrderId'], by: 'external', field: 'externalOrderId' },
  { headers: ['id'], by: 'id', field: 'id' },
];

const maxIssues = 1000;

/** Errors: those of the table; `file_invalid` for a file without such a column, or with one of them twice. */
export async function readNamedOrders(table: Table, name: string): Promise<NamedOrders> {
  const columns = nameColumns.flatMap(({ headers, by, field }) =>
    headers.flatMap((header) => {
      const index = findColumn(table, header, name);
      return index === undefined ? [] : [{ header, index, by, field }];
    }),
  );
  const [naming] = columns;
  if (naming === undefined) {
    const known = nameColumns.flatMap(({ headers }) => headers).join(', ');
    throw invalid(name, t`has no column that names orders`, t`It needs one of these headers: ${known}`);
  }
  const outcomeColumn = findColumn(table, 'outcome', name);
  const runColumn = outcomeColumn === undefined ? undefined : findColumn(table, 'created_by_run', name);
  const codeColumn = runColumn === undefined ? undefined : findColumn(table, 'code', name);
  let unknown = 0;
  const severalOf: string[] = [];
  const orders: NamedOrder[] = [];
  const toNamed = ({ row, cells }: Row): NamedOrder => {
    const names: NamedOrder['names'] = {};
    for (const { index, field } of columns) if (cells[index]) names[field] ??= cells[index];
    const run = runColumn === undefined ? '' : (cells[runColumn] ?? '');
    return { row, reference: cells[naming.index] ?? '', by: naming.by, names, run };
  };
  for await (const rows of table.batches()) {
    for (const row of rows) {
      const order = toNamed(row);
      if (runColumn === undefined || order.run !== '') orders.push(order);
      else if (row.cells[outcomeColumn ?? -1] === 'unknown') unknown += 1;
      if (row.cells[codeColumn ?? -1] === twice) severalOf.push(order.names.externalOrderId ?? '');
    }
  }
  return { column: naming.header, isResults: runColumn !== undefined, unknown, twice: severalOf, orders };
}

/** Error: `file_invalid` when a row names no order, an invalid ID, or an order of an earlier row. */
export function checkNamedOrders({ column, orders }: NamedOrders, name: string): void {
  const rowOf = new Map<string, number>();
  const issues: ErrorIssue[] = [];
  let wrong = 0;
  for (const { row, reference, by } of orders) {
    const key = by === 'id' ? reference.toLowerCase() : reference;
    const earlier = rowOf.get(key);
    if (earlier === undefined) rowOf.set(key, row);
    const message = problemOf(reference, by, earlier);
    if (message === undefined) continue;
    wrong += 1;
    if (issues.length === maxIssues) continue;
    const value = reference === '' ? {} : { value: reference };
    issues.push({ path: `row ${row}, ${column}`, message, ...value });
  }
  if (wrong === 0) return;
  const problem = t`${name} does not say which order is meant in ${wrong} {row|rows}.`;
  throw new CliError('file_invalid', problem, {
    issues,
    hint: t`Fix or remove these rows. Nothing was cancelled.`,
  });
}

function problemOf(reference: string, by: ReferenceKind, earlier: number | undefined): Text | undefined {
  if (reference === '') return t`is blank`;
  if (by === 'id' && !isUuid(reference))
    return t`is not a UUID; external order IDs belong under external_order_id`;
  return earlier === undefined ? undefined : t`is already in row ${earlier}`;
}

function findColumn({ header }: Table, wanted: string, name: string): number | undefined {
  const index = header.cells.indexOf(wanted);
  if (index < 0) return undefined;
  if (header.cells.indexOf(wanted, index + 1) < 0) return index;
  throw invalid(name, t`has two columns named ${wanted}`, t`Rename one of the two.`);
}

function invalid(name: string, problem: Text, hint: Text): CliError {
  return new CliError('file_invalid', advice`${name} ${problem}.`, { hint });
}
