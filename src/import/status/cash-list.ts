import { joinTexts, t } from '../../advice/advice.ts';
import { CliError, type ErrorIssue } from '../../errors.ts';
import { toHundredths } from '../../orders/decimal.ts';
import { type CashField, cashFields, type DecimalMark } from '../choices.ts';
import type { Row, Table } from '../read/read-table.ts';
import { createDecimalsCheck, readMoney } from '../words/money.ts';
import { isTotalRow } from './file-orders.ts';

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
  otherTotals: OtherTotal[];
  /** Rows in which the amount less the fee is not the net amount. */
  otherNets: number[];
  /** What its columns are remembered as. */
  remembered?: string | undefined;
}

/** A total that is neither the sum of all rows above it nor of those since the last total. */
export interface OtherTotal {
  row: number;
  field: SumField;
  stated: bigint;
  sum: bigint;
  /** The same as `sum` below the first total. */
  sumOfPart: bigint;
}

type SumField = Exclude<CashField, 'order'>;
const sumFields = ['amount', 'fee', 'net'] as const satisfies readonly SumField[];
type Amounts = Record<SumField, bigint | undefined>;

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
    fee: undefined,
    net: undefined,
    otherTotals: [],
    otherNets: [],
  };
  const issues: ErrorIssue[] = [];
  const sums = createSums();
  const decimals = createDecimalsCheck<SumField, { path: string; value: string }>();
  const read = ({ row, cells }: Row, field: SumField): bigint | undefined => {
    const text = cells[indexes[field]] ?? '';
    if (text === '') return undefined;
    const path = `row ${row}, ${header[indexes[field]]}`;
    const amount = readSigned(text, decimal);
    if (decimal === undefined) decimals.add(field, withoutSign(text), { path, value: text });
    if (amount === undefined && issues.length < maxIssues)
      issues.push({ path, message: 'is not an amount', value: text });
    return amount;
  };
  for await (const batch of table.batches()) {
    for (const row of batch) {
      const reference = row.cells[indexes.order] ?? '';
      const amounts = { amount: read(row, 'amount'), fee: read(row, 'fee'), net: read(row, 'net') };
      const { amount, fee, net } = amounts;
      if (isTotalRow(reference, row.cells) || (reference === '' && sums.areTotal(amount))) {
        list.otherTotals.push(...sums.compare(row.row, amounts));
        sums.beginPart();
        continue;
      }
      sums.add(amounts);
      if (reference === '' && amount === undefined) continue;
      if (list.entries.length === maxRows) throw tooManyRows(file);
      list.entries.push({ file, row: row.row, reference, amount: amount ?? 0n });
      if (fee !== undefined && net !== undefined && (amount ?? 0n) - fee !== net)
        list.otherNets.push(row.row);
    }
  }
  const { amount, fee, net } = sums.all();
  const unclear = decimals.unclear().map(({ place, problem, fix }): ErrorIssue => {
    return { ...place, code: 'decimal_ambiguous', message: joinTexts([problem, fix], '; ') };
  });
  if (issues.length === 0 && unclear.length > 0) throw unclearAmounts(file, unclear);
  if (issues.length === 0)
    return {
      ...list,
      amount,
      fee: indexes.fee < 0 ? undefined : fee,
      net: indexes.net < 0 ? undefined : net,
    };
  throw new CliError('file_invalid', `${file} has cells that are not amounts.`, {
    issues,
    hint: 'Write them in digits, such as 45000. Nothing was written.',
    outcome: 'not_sent',
  });
}

/** Of all rows, and of the part since the last total. */
function createSums() {
  const empty = () => ({ amount: 0n, fee: 0n, net: 0n, rows: 0 });
  const all = empty();
  let part = empty();
  return {
    add: (amounts: Amounts): void => {
      for (const sums of [all, part]) {
        for (const field of sumFields) sums[field] += amounts[field] ?? 0n;
        if (amounts.amount !== undefined) sums.rows += 1;
      }
    },
    /** A single row may have the same amount by chance. */
    areTotal: (amount: bigint | undefined): boolean =>
      [all, part].some(({ rows, amount: sum }) => rows > 1 && amount === sum),
    /** What differs from the sums that a total is nearest to. */
    compare: (row: number, stated: Amounts): OtherTotal[] => {
      const differing = (sums: typeof all) =>
        sumFields.filter((field) => stated[field] !== undefined && stated[field] !== sums[field]);
      const [ofAll, ofPart] = [differing(all), differing(part)];
      const fields = part.rows > 0 && ofPart.length < ofAll.length ? ofPart : ofAll;
      return fields.map((field) => ({
        ...{ row, field, stated: stated[field] ?? 0n },
        ...{ sum: all[field], sumOfPart: part.rows > 0 ? part[field] : all[field] },
      }));
    },
    beginPart: (): void => {
      part = empty();
    },
    all: () => all,
  };
}

function withoutSign(text: string): string {
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
    outcome: 'not_sent',
  });
}

function tooManyRows(file: string): CliError {
  return new CliError('file_invalid', `${file} has more than ${maxRows.toLocaleString('en')} rows.`, {
    hint: 'Divide it into several files.',
    outcome: 'not_sent',
  });
}
