import { CliError, type ErrorIssue } from '../../errors.ts';
import { isDecimal, toHundredths } from '../../orders/decimal.ts';
import { parseWritten } from '../../orders/json.ts';
import { textField } from '../../orders/order.ts';
import { type CashField, cashFields, type DecimalMark, decimalMarks } from '../choices.ts';
import { readAmount } from '../mapping/column.ts';
import type { Row, Table } from '../read/read-table.ts';
import { readAmountInWords } from '../words/typed-amount.ts';
import { type FileOrder, isTotalRow } from './file-orders.ts';

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
  const format = { decimal, hasNumberCells: table.hasNumberCells };
  const read = ({ row, cells }: Row, field: SumField): bigint | undefined => {
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
  if (issues.length === 0)
    return {
      ...list,
      amount,
      fee: indexes.fee < 0 ? undefined : fee,
      net: indexes.net < 0 ? undefined : net,
    };
  throw new CliError('file_invalid', `${file} has cells that are not amounts.`, {
    issues,
    hint: 'Write them in digits, such as 45000, or say how they are written with --decimal. Nothing was written.',
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

type AmountFormat = Parameters<typeof readAmount>[1];

function readSigned(text: string, format: AmountFormat): bigint | undefined {
  const [, sign, digits = ''] = /^([-−]?)\s*(.*)$/s.exec(text) ?? [];
  const amount = readAmount(digits, format) ?? readAmountInWords(digits);
  if (amount === undefined) return undefined;
  return sign === '' ? toHundredths(amount) : -toHundredths(amount);
}

/**
 * The marks with which all amounts of these columns can be read: `undefined` alone when they need none, and only that one
 * with which some are as the file of the orders has them. Errors: those of reading.
 */
export async function decimalMarksOf(
  table: Table,
  columns: CashColumns,
  orders: ReadonlyMap<string, FileOrder>,
): Promise<{ marks: (DecimalMark | undefined)[]; sample: string }> {
  const { cells: header } = table.header;
  const format = { hasNumberCells: table.hasNumberCells };
  const indexOf = (field: CashField) => header.indexOf(columns[field] ?? '\n');
  const indexes = sumFields.map(indexOf);
  let marks: (DecimalMark | undefined)[] = [undefined, ...decimalMarks];
  let sample = '';
  const agreeing = new Set<DecimalMark | undefined>();
  for await (const batch of table.batches()) {
    for (const { cells } of batch) {
      const due = dueOf(orders.get(cells[indexOf('order')] ?? ''));
      if (due !== undefined) {
        for (const mark of decimalMarks)
          if (readSigned(cells[indexOf('amount')] ?? '', { ...format, decimal: mark }) === due)
            agreeing.add(mark);
      }
      for (const text of indexes.flatMap((index) => cells[index] || [])) {
        const canRead = (decimal: DecimalMark | undefined) =>
          readSigned(text, { ...format, decimal }) !== undefined;
        if (!canRead(undefined) && sample === '' && decimalMarks.every(canRead)) sample = text;
        // A cell that no mark reads is reported when the list is read.
        if (marks.some(canRead)) marks = marks.filter(canRead);
      }
    }
  }
  if (marks.includes(undefined)) return { marks: [undefined], sample };
  const settled = marks.filter((mark) => agreeing.has(mark));
  return { marks: settled.length === 1 ? settled : marks, sample };
}

/** In hundredths, as the file has it. */
function dueOf(order: FileOrder | undefined): bigint | undefined {
  const amount = order && textField(parseWritten(order.body), 'collectionAmount');
  return amount !== undefined && isDecimal(amount) ? toHundredths(amount) : undefined;
}

function tooManyRows(file: string): CliError {
  return new CliError('file_invalid', `${file} has more than ${maxRows.toLocaleString('en')} rows.`, {
    hint: 'Divide it into several files.',
    outcome: 'not_sent',
  });
}
