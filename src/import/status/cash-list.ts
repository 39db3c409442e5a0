import { CliError, type ErrorIssue } from '../../errors.ts';
import { toHundredths } from '../../orders/decimal.ts';
import { type CashField, cashFields, type DecimalMark, decimalMarks } from '../choices.ts';
import { readAmount } from '../mapping/column.ts';
import { isTotal } from '../mapping/non-order-rows.ts';
import type { Row, Table } from '../read/read-table.ts';

/** Field → the header of its column. The order and the amount are needed. */
export type CashColumns = Partial<Record<CashField, string>>;

/** Amounts are in hundredths of a tögrög. */
export interface CashEntry {
  file: string;
  row: number;
  /** Blank when its row names no order. */
  reference: string;
  amount: bigint;
}

export interface CashList {
  file: string;
  entries: CashEntry[];
  amount: bigint;
  fee: bigint | undefined;
  net: bigint | undefined;
  /** Totals that the list states otherwise than its rows add up. */
  otherTotals: { row: number; stated: bigint }[];
  /** Rows in which the amount less the fee is not the net amount. */
  otherNets: number[];
}

const maxRows = 100_000;
const maxIssues = 20;

/** Errors: those of reading; `file_invalid` for a cell that is no amount, and for too many rows. */
export async function readCashList(
  table: Table,
  file: string,
  columns: CashColumns,
  decimal: DecimalMark | undefined,
): Promise<CashList> {
  const { cells: header } = table.header;
  const indexes = Object.fromEntries(
    cashFields.map((field) => [field, header.indexOf(columns[field] ?? '\n')]),
  ) as Record<CashField, number>;
  const list: CashList = {
    file,
    entries: [],
    amount: 0n,
    fee: indexes.fee < 0 ? undefined : 0n,
    net: indexes.net < 0 ? undefined : 0n,
    otherTotals: [],
    otherNets: [],
  };
  const issues: ErrorIssue[] = [];
  const format = { decimal, hasNumberCells: table.hasNumberCells };
  const read = ({ row, cells }: Row, field: Exclude<CashField, 'order'>): bigint | undefined => {
    const text = cells[indexes[field]] ?? '';
    if (text === '') return undefined;
    const amount = readSigned(text, format);
    if (amount === undefined && issues.length < maxIssues)
      issues.push({
        path: `row ${row}, ${header[indexes[field]]}`,
        message: 'is not an amount',
        value: text,
      });
    return amount;
  };
  for await (const batch of table.batches()) {
    for (const row of batch) {
      const reference = row.cells[indexes.order] ?? '';
      const amount = read(row, 'amount');
      if (isTotalRow(row.cells, reference, amount, list)) {
        if (amount !== undefined && amount !== list.amount)
          list.otherTotals.push({ row: row.row, stated: amount });
        continue;
      }
      const [fee, net] = [read(row, 'fee'), read(row, 'net')];
      if (reference === '' && amount === undefined) continue;
      if (list.entries.length === maxRows) throw tooManyRows(file);
      list.entries.push({ file, row: row.row, reference, amount: amount ?? 0n });
      list.amount += amount ?? 0n;
      if (list.fee !== undefined) list.fee += fee ?? 0n;
      if (list.net !== undefined) list.net += net ?? 0n;
      if (fee !== undefined && net !== undefined && (amount ?? 0n) - fee !== net)
        list.otherNets.push(row.row);
    }
  }
  if (issues.length === 0) return list;
  throw new CliError('file_invalid', `${file} has cells that are not amounts.`, {
    issues,
    hint: 'Correct them, or say how its amounts are written with --decimal. Nothing was written.',
    outcome: 'not_sent',
  });
}

/** It has a word for a total, or no order and the sum of the rows above. */
function isTotalRow(
  cells: readonly string[],
  reference: string,
  amount: bigint | undefined,
  { entries, amount: sum }: CashList,
): boolean {
  if (reference !== '') return isTotal(reference);
  return cells.some(isTotal) || (entries.length > 1 && amount === sum);
}

type AmountFormat = Parameters<typeof readAmount>[1];

function readSigned(text: string, format: AmountFormat): bigint | undefined {
  const [, sign, digits = ''] = /^([-−]?)\s*(.*)$/s.exec(text) ?? [];
  const amount = readAmount(digits, format);
  if (amount === undefined) return undefined;
  return sign === '' ? toHundredths(amount) : -toHundredths(amount);
}

/**
 * The marks with which all amounts of these columns can be read: `undefined` alone when they need none. Errors: those of
 * reading.
 */
export async function decimalMarksOf(
  table: Table,
  columns: CashColumns,
): Promise<{ marks: (DecimalMark | undefined)[]; sample: string }> {
  const { cells: header } = table.header;
  const indexes = [columns.amount, columns.fee, columns.net].flatMap((name) =>
    name === undefined ? [] : header.indexOf(name),
  );
  let marks: (DecimalMark | undefined)[] = [undefined, ...decimalMarks];
  let sample = '';
  for await (const batch of table.batches()) {
    for (const { cells } of batch) {
      for (const text of indexes.flatMap((index) => cells[index] || [])) {
        const canRead = (decimal: DecimalMark | undefined) =>
          readSigned(text, { decimal, hasNumberCells: table.hasNumberCells }) !== undefined;
        if (!canRead(undefined) && sample === '' && decimalMarks.every(canRead)) sample = text;
        // A cell that no mark reads is reported when the list is read.
        if (marks.some(canRead)) marks = marks.filter(canRead);
      }
    }
  }
  return { marks: marks.includes(undefined) ? [undefined] : marks, sample };
}

function tooManyRows(file: string): CliError {
  return new CliError('file_invalid', `${file} has more than ${maxRows.toLocaleString('en')} rows.`, {
    hint: 'Divide it into several files.',
    outcome: 'not_sent',
  });
}
