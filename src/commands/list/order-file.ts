import { flag, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { formatCsvRow, protectForeignCell } from '../../csv/write-csv.ts';
import { CliError } from '../../errors.ts';
import { findOverwritten, formatFileStart } from '../../import/results/files.ts';
import { dayOf, isCalendarDate } from '../../orders/calendar-date.ts';
import { formatCount, spreadsheetAmount } from '../../orders/decimal.ts';
import { moneyFields, type Order } from '../../orders/order.ts';
import { chosenColumns, pickCells } from '../../output/fields.ts';
import { noteCut, type OrderRows, type Reporter } from '../../output/reporter.ts';
import { localDay } from '../../output/times.ts';
import { writeWhole } from '../../whole-file.ts';

/** A file of orders, which has all of them or none. */
export interface OrderFile extends OrderRows, Disposable {
  /** Error: `file_not_writable`. */
  save(closing: Text): Promise<void>;
}

interface FileFormat {
  start(): string;
  rows(orders: Order[]): string;
  end(closing: Text): string;
  /** Whether a file that begins like this is replaced without a backup. */
  isOurs(text: string): boolean;
}

interface FileOptions extends NonNullable<Parameters<Reporter['orders']>[1]> {
  path: string;
  /** Of a page for the printer. */
  day: Text | undefined;
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
export async function openOrderFile(context: Context, options: FileOptions): Promise<OrderFile> {
  const { settings, system, print } = context;
  const { path } = options;
  const { format } = settings;
  const isPage = /\.html$/i.test(path);
  if (format !== 'table' && (isPage || format !== 'csv')) {
    const written = isPage ? 'HTML' : 'CSV';
    throw new CliError('usage', t`--output writes ${written}, and the format is ${format}.`, {
      hint: format === 'json' ? t`Remove --output, or --json.` : t`Remove --output, or --format ${format}.`,
    });
  }
  const own = await findOverwritten(path, [], system);
  if (own !== undefined) {
    throw new CliError('usage', t`The orders would overwrite ${own}.`, { hint: t`Choose another name.` });
  }
  const { start, rows, end, isOurs } = isPage
    ? await pageFormat(context, options)
    : spreadsheetFormat(context, options);
  const seen = await system.files.checkWritable(path, isOurs);
  const spill = system.files.openSpill();
  let count = 0;
  return {
    page: (orders) => {
      spill.write(rows(orders));
      count += orders.length;
    },
    end: () => undefined,
    save: async (closing) => {
      const texts = function* () {
        yield start();
        yield* spill.texts();
        yield end(closing);
      };
      await writeWhole({ system, print }, path, texts(), { isOurs, seen });
      print.note(t`Wrote ${formatCount(count)} {order|orders} to ${cleanCell(path)}.`);
    },
    [Symbol.dispose]: spill.remove,
  };
}

function spreadsheetFormat({ settings }: Context, { fieldPaths, paper }: FileOptions): FileFormat {
  const { columns, header: hasHeader } = settings;
  let chosen: string[] | undefined = paper?.columns.map(({ field }) => field);
  const choose = (orders: Order[]) => {
    chosen ??= chosenColumns(columns, orders) ?? defaultColumns;
    return chosen;
  };
  const head = () => formatFileStart(',') + (hasHeader ? `${formatCsvRow(chosen ?? defaultColumns)}\n` : '');
  const textsOf = (order: Order, shown: readonly string[]) =>
    paper === undefined
      ? pickCells(
          order,
          shown.map((column) => (column === 'created_date' ? 'createdAt' : column)),
          fieldPaths,
        )
      : paper.cells(order);
  return {
    start: () => {
      choose([]);
      return head();
    },
    rows: (orders) => {
      const shown = choose(orders);
      const cellsOf = (order: Order) =>
        textsOf(order, shown).map((text, index) => cellOf(shown[index] ?? '', text));
      return orders.map((order) => `${formatCsvRow(cellsOf(order))}\n`).join('');
    },
    end: () => '',
    // Without a header, nothing shows that a file is of this command.
    isOurs: (text) => hasHeader && text.startsWith(head()),
  };
}

async function pageFormat({ say, print }: Context, { paper, day }: FileOptions): Promise<FileFormat> {
  if (paper === undefined) {
    throw new CliError('usage', t`--output writes HTML for the printer only with --for.`, {
      hint: t`Add ${flag('--for', 'packing')} or ${flag('--for', 'courier')}, or name a .csv file.`,
    });
  }
  const { createPaperPage, paperTitle } = await import('./paper-page.ts');
  const page = createPaperPage(paper, paperTitle(paper.name, day), say);
  return {
    ...page,
    rows: (orders) => {
      const texts = orders.map(paper.texts);
      noteCut(print, texts.flat(2));
      return texts.map(page.row).join('');
    },
    isOurs: page.isSuch,
  };
}

/** Days and amounts stay as a spreadsheet reads them; all other cells are text to it where they look like more. */
function cellOf(column: string, text: string): string {
  return plainCell(column, text) ?? protectForeignCell(text);
}

function plainCell(column: string, text: string): string | undefined {
  if (moneyFields.some((field) => field === column)) return spreadsheetAmount(text);
  if (column === 'created_date') return localDay(text);
  if (column !== 'requestedDeliveryDate') return undefined;
  const day = dayOf(text) ?? text;
  return isCalendarDate(day) ? day : undefined;
}
