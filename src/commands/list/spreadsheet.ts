import { t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { formatCsvRow, protectForeignCell } from '../../csv/write-csv.ts';
import { CliError } from '../../errors.ts';
import { findOverwritten, formatFileStart } from '../../import/results/files.ts';
import { dayOf, isCalendarDate } from '../../orders/calendar-date.ts';
import { moneyFields, type Order } from '../../orders/order.ts';
import { spreadsheetAmount } from '../../output/amount.ts';
import { chosenColumns, pickCells } from '../../output/fields.ts';
import { localDay } from '../../output/times.ts';
import type { Spill } from '../../system/temporary-file.ts';
import { writeWhole } from '../../whole-file.ts';
import { grouped } from './local-filter.ts';

/** Orders for a spreadsheet, of which the file has all or none. */
export interface Spreadsheet extends Disposable {
  page(orders: Order[]): void;
  end(): void;
  /** Error: `file_not_writable`. */
  save(): Promise<void>;
}

/** What a terminal shows, and the customer's name. */
const defaultColumns = [
  'created_date',
  'orderNumber',
  'externalOrderId',
  'customer.phone',
  'customer.name',
  'collectionAmount',
  'requestedDeliveryDate',
  'status',
  'delivery.status',
];

/** Errors: `usage` for a format that is not CSV, `file_not_writable`. */
export async function openSpreadsheet(
  { settings, system, print }: Context,
  path: string,
): Promise<Spreadsheet> {
  const { format, columns, header: hasHeader } = settings;
  if (!['table', 'csv'].includes(format)) {
    throw new CliError('usage', t`--output writes CSV, and the format is ${format}.`, {
      hint: format === 'json' ? t`Remove --output, or --json.` : t`Remove --output, or --format ${format}.`,
    });
  }
  const own = await findOverwritten(path, [], system);
  if (own !== undefined) {
    throw new CliError('usage', t`The orders would overwrite ${own}.`, { hint: t`Choose another name.` });
  }
  let chosen: string[] | undefined;
  const choose = (orders: Order[]) => {
    chosen ??= chosenColumns(columns, orders) ?? defaultColumns;
    return chosen;
  };
  let count = 0;
  const start = () => formatFileStart(',') + (hasHeader ? `${formatCsvRow(chosen ?? defaultColumns)}\n` : '');
  // Without a header, nothing shows that a file is of this command.
  const isOurs = (text: string) => hasHeader && text.startsWith(start());
  const seen = await system.files.checkWritable(path, isOurs);
  const rows: Spill = system.files.openSpill();
  const texts = function* () {
    yield start();
    yield* rows.texts();
  };
  return {
    page: (orders) => {
      const shown = choose(orders);
      const lines = orders.map((order) => `${formatCsvRow(shown.map((column) => cellOf(order, column)))}\n`);
      rows.write(lines.join(''));
      count += orders.length;
    },
    end: () => void choose([]),
    save: async () => {
      await writeWhole({ system, print }, path, texts(), { isOurs, seen });
      const name = cleanCell(path);
      if (count === 1) print.note(t`Wrote 1 order to ${name}.`);
      else print.note(t`Wrote ${grouped(count)} orders to ${name}.`);
    },
    [Symbol.dispose]: rows.remove,
  };
}

/** Days and amounts stay as a spreadsheet reads them; all other cells are text to it where they look like more. */
function cellOf(order: Order, column: string): string {
  const [text = ''] = pickCells(order, [column === 'created_date' ? 'createdAt' : column]);
  return plainCell(column, text) ?? protectForeignCell(text);
}

function plainCell(column: string, text: string): string | undefined {
  if (moneyFields.some((field) => field === column)) return spreadsheetAmount(text);
  if (column === 'created_date') return localDay(text);
  if (column !== 'requestedDeliveryDate') return undefined;
  const day = dayOf(text) ?? text;
  return isCalendarDate(day) ? day : undefined;
}
