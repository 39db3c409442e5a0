import { joinTexts, t } from '../advice/advice.ts';
import { CliError, type ErrorIssue } from '../errors.ts';
import type { DecimalMark } from '../import/choices.ts';
import type { Table } from '../import/read/read-table.ts';
import { readDate } from '../import/words/dates.ts';
import { createDecimalsCheck, readHundredths } from '../import/words/money.ts';
import { dayWithoutTime } from '../orders/calendar-date.ts';
import { addOrder, isTotalRow } from './file-orders.ts';
import type { CashField, readListColumns } from './list-columns.ts';

/** Which column holds what. That of the amount is needed, and that of the order or the phone. */
export type CashColumns = Partial<Record<CashField, number | undefined>>;

/** Amounts are in hundredths of a tögrög. */
export interface CashEntry {
  file: string;
  row: number;
  /** Blank when its row names no order. */
  reference: string;
  phone: string;
  /** `YYYY-MM-DD` */
  day: string | undefined;
  amount: bigint;
}

type SumField = Exclude<CashField, 'order' | 'phone'>;

export interface CashList {
  file: string;
  entries: CashEntry[];
  /** Of the columns that it has. */
  sums: Partial<Record<SumField, bigint>>;
}

interface ListOptions {
  file: string;
  columns: CashColumns;
  day: Awaited<ReturnType<typeof readListColumns>>['day'];
  decimal: DecimalMark | undefined;
  today: string;
}

const maxIssues = 20;

/** Errors: those of reading; `file_invalid` for a cell that is no amount, or that can be read in two ways. */
export async function readCashList(
  { header, batches }: Table,
  { file, columns, day, decimal, today }: ListOptions,
): Promise<CashList> {
  const entries: CashEntry[] = [];
  const sums: CashList['sums'] = {};
  const issues: ErrorIssue[] = [];
  const decimals = createDecimalsCheck<SumField, Pick<ErrorIssue, 'path' | 'value'>>();
  /** Since the last total. */
  let part = { sum: 0n, start: 0 };
  for await (const batch of batches()) {
    for (const { row, cells } of batch) {
      const textOf = (index = -1) => cells[index] ?? '';
      const read = (field: SumField): bigint | undefined => {
        const value = textOf(columns[field]);
        const path = `row ${row}, ${header.cells[columns[field] ?? -1]}`;
        const amount = readHundredths(value, decimal);
        if (decimal === undefined) decimals.add(field, value.replace('-', ''), { path, value });
        if (value !== '' && amount === undefined) issues.push({ path, message: t`is not an amount`, value });
        return amount;
      };
      const [reference, phone, amount] = [textOf(columns.order), textOf(columns.phone), read('amount')];
      const isUnnamed = reference === '' && phone === '';
      // A single row may have the same amount by chance.
      const isSum =
        (amount === sums.amount && entries.length > 1) ||
        (amount === part.sum && entries.length > part.start + 1);
      if (isTotalRow(reference || phone, cells) || (isUnnamed && isSum)) {
        part = { sum: 0n, start: entries.length };
        continue;
      }
      part.sum += amount ?? 0n;
      for (const [field, value] of [
        ['amount', amount],
        ['fee', read('fee')],
        ['net', read('net')],
      ] as const)
        if (columns[field] !== undefined) sums[field] = (sums[field] ?? 0n) + (value ?? 0n);
      if (isUnnamed && amount === undefined) continue;
      const date = day && readDate(dayWithoutTime(textOf(day.index)), day.order, today);
      addOrder(entries, { file, row, reference, phone, day: date, amount: amount ?? 0n });
    }
  }
  for (const { place, problem, fix } of decimals.unclear())
    issues.push({ ...place, code: 'decimal_ambiguous', message: joinTexts([problem, fix], '; ') });
  if (issues.length === 0) return { file, entries, sums };
  throw new CliError('file_invalid', t`${file} has cells that are not certainly amounts.`, {
    issues: issues.slice(0, maxIssues),
    hint: t`Write them in digits, such as 45000. Nothing was written.`,
  });
}
