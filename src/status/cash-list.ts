import { joinTexts, t } from '../advice/advice.ts';
import { CliError, type ErrorIssue } from '../errors.ts';
import type { CashField, DateOrder, DecimalMark } from '../import/choices.ts';
import type { Row, Table } from '../import/read/read-table.ts';
import { readDate } from '../import/words/dates.ts';
import { createDecimalsCheck, readMoney } from '../import/words/money.ts';
import { dayWithoutTime } from '../orders/calendar-date.ts';
import { formatCount, toHundredths } from '../orders/decimal.ts';
import { isTotalRow } from './file-orders.ts';

export interface DayColumn {
  index: number;
  order: DateOrder;
}

/** Which column holds what. That of the amount is needed, and that of the order or the phone. */
export type CashColumns = Partial<Record<CashField, number>> & { day?: DayColumn };

/** Amounts are in hundredths of a tögrög. */
export interface CashEntry {
  file: string;
  row: number;
  /** Blank when its row names no order. */
  reference: string;
  phone: string;
  /** `YYYY-MM-DD` */
  day?: string | undefined;
  amount: bigint;
}

export interface CashList {
  file: string;
  entries: CashEntry[];
  amount: bigint;
  fee: bigint | undefined;
  net: bigint | undefined;
  /** Totals that are neither the sum of all rows above nor of those since the last total. */
  otherTotals: { row: number; stated: bigint; sum: bigint }[];
}

type SumField = Exclude<CashField, 'order' | 'phone'>;

const maxRows = 100_000;
const maxIssues = 20;

interface ListOptions {
  file: string;
  columns: CashColumns;
  decimal: DecimalMark | undefined;
  today: string;
}

/** Errors: those of reading; `file_invalid` for a cell that is no amount, and for too many rows. */
export async function readCashList(
  table: Table,
  { file, columns, decimal, today }: ListOptions,
): Promise<CashList> {
  const entries: CashEntry[] = [];
  const otherTotals: CashList['otherTotals'] = [];
  const sums = { amount: 0n, fee: 0n, net: 0n };
  /** Since the last total. */
  let part = { sum: 0n, start: 0 };
  const issues: ErrorIssue[] = [];
  const decimals = createDecimalsCheck<SumField, { path: string; value: string }>();
  const cellOf = ({ cells }: Row, index: number | undefined) =>
    index === undefined ? '' : (cells[index] ?? '');
  const read = (row: Row, field: SumField): bigint | undefined => {
    const text = cellOf(row, columns[field]);
    if (text === '') return undefined;
    const path = `row ${row.row}, ${cellOf(table.header, columns[field])}`;
    const amount = readSigned(text, decimal);
    if (decimal === undefined) decimals.add(field, withoutSign(text), { path, value: text });
    if (amount === undefined && issues.length < maxIssues)
      issues.push({ path, message: t`is not an amount`, value: text });
    return amount;
  };
  for await (const batch of table.batches()) {
    for (const row of batch) {
      const reference = cellOf(row, columns.order);
      const phone = cellOf(row, columns.phone);
      const name = reference === '' ? phone : reference;
      const amount = read(row, 'amount');
      // A single row may have the same amount by chance.
      const isSum =
        (amount === sums.amount && entries.length > 1) ||
        (amount === part.sum && entries.length - part.start > 1);
      if (isTotalRow(name, row.cells) || (name === '' && isSum)) {
        if (amount !== undefined && amount !== sums.amount && amount !== part.sum)
          otherTotals.push({ row: row.row, stated: amount, sum: sums.amount });
        part = { sum: 0n, start: entries.length };
        continue;
      }
      part.sum += amount ?? 0n;
      sums.amount += amount ?? 0n;
      sums.fee += read(row, 'fee') ?? 0n;
      sums.net += read(row, 'net') ?? 0n;
      if (name === '' && amount === undefined) continue;
      if (entries.length === maxRows) throw tooManyRows(file);
      const { day: days } = columns;
      const day = days && readDate(dayWithoutTime(cellOf(row, days.index)), days.order, today);
      entries.push({ file, row: row.row, reference, phone, day, amount: amount ?? 0n });
    }
  }
  const unclear = decimals.unclear().map(({ place, problem, fix }): ErrorIssue => {
    return { ...place, code: 'decimal_ambiguous', message: joinTexts([problem, fix], '; ') };
  });
  if (issues.length > 0) {
    throw new CliError('file_invalid', t`${file} has cells that are not amounts.`, {
      issues,
      hint: t`Write them in digits, such as 45000. Nothing was written.`,
    });
  }
  if (unclear.length > 0) throw unclearAmounts(file, unclear);
  const sumOf = (field: SumField) => (columns[field] === undefined ? undefined : sums[field]);
  return { file, entries, amount: sums.amount, fee: sumOf('fee'), net: sumOf('net'), otherTotals };
}

export function withoutSign(text: string): string {
  return text.replace(/^[-−]\s*/, '');
}

/** In hundredths; undefined for a text that is no amount. */
export function readSigned(text: string, decimal?: DecimalMark): bigint | undefined {
  const plain = withoutSign(text);
  const amount = readMoney(plain, decimal);
  if (amount === undefined) return undefined;
  return plain === text ? toHundredths(amount) : -toHundredths(amount);
}

export function unclearAmounts(file: string, issues: ErrorIssue[]): CliError {
  return new CliError('file_invalid', t`${file} has amounts that can be read in two ways.`, {
    issues,
    hint: t`Say with --decimal how they are written. Nothing was written.`,
  });
}

function tooManyRows(file: string): CliError {
  return new CliError('file_invalid', t`${file} has more than ${formatCount(maxRows)} rows.`, {
    hint: t`Divide it into several files.`,
  });
}
