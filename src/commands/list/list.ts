import type { Command } from 'commander';
import { type ListQuery, listPage, nextPageOf } from '../../api/pages/list-orders.ts';
import type { WalkedPage } from '../../api/pages/walk-pages.ts';
import type { Context, OpenContext } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { explain, parseCount, parsePageNumber } from '../../flags.ts';
import { member } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { isSamePhone } from '../../orders/phone.ts';
import { areStatedColumns, checkOrderColumns } from '../../output/fields.ts';
import type { Clock } from '../../system/system.ts';
import { ordersWithin, parseCreatedRange } from './created-range.ts';
import { type ListOptions, readPage, walkAccepted } from './read-list.ts';

interface ListFlags {
  externalOrderId?: string;
  orderNumber?: string;
  status?: string;
  customerPhone?: string;
  createdFrom?: string;
  createdTo?: string;
  page?: number;
  pageSize?: number;
  all?: boolean;
  limit?: number;
}

const examples = `
Examples:
  $ merchant-orders list --created-from today
  $ merchant-orders list --customer-phone 99112233 --status CONFIRMED
  $ merchant-orders list --all --format csv > orders.csv

A day is today, yesterday, 7d (7 days ago) or 2026-11-20, in your time zone; --created-to includes it.
A time is 24h (24 hours ago) or 2026-11-20T08:00:00Z.`;

export function registerList(command: Command, open: OpenContext): void {
  explain(command, examples)
    .option('--external-order-id <id>', 'the order with this external order ID')
    .option('--order-number <number>', 'the order with this number')
    .option('--status <status>', 'orders with this status')
    .option('--customer-phone <phone>', 'orders with this phone number')
    .option('--created-from <day>', 'created on or after this day or time')
    .option('--created-to <day>', 'created on or before this day or time')
    .option('--page <n>', 'show this page', parsePageNumber)
    .option('--page-size <n>', 'orders per page', parseCount)
    .option('--all', 'show all pages')
    .option('-L, --limit <n>', 'show at most this many orders', parseCount)
    .action(async (flags: ListFlags) => {
      const context = await open(command);
      await runList(context, toOptions(flags, context.clock));
    });
}

export async function runList(context: Context, options: ListOptions): Promise<void> {
  const { connect, report, print, clock, settings, system } = context;
  const { query, limit } = options;
  await using connection = await connect({ waitsForOutages: false });
  const rows = report.orders(clock.now());
  let count = 0;
  let isFiltered = true;
  const show = (orders: Order[]) => {
    if (orders.length === 0) return;
    if (count === 0) checkOrderColumns(settings.columns, orders);
    rows.page(orders);
    count += orders.length;
    isFiltered &&= orders.every((order) => matches(order, query));
    isFiltered &&= ordersWithin(options.created, orders).orders.length === orders.length;
  };
  // The fields that only this service has are seen in orders that the filter leaves out.
  const checkColumnsOfNone = async () => {
    if (count > 0 || areStatedColumns(settings.columns)) return;
    checkOrderColumns(settings.columns, (await listPage(connection.client, {})).orders);
  };
  const notes = () => {
    if (count === 0) print.note('No orders.');
    if (!isFiltered) print.note('The service ignored the filter, so the list also has other orders.');
  };
  const page = limit === undefined ? await readPage(connection.client, options) : undefined;
  if (page !== undefined) {
    show(page.orders);
    await checkColumnsOfNone();
    const nextPage = nextPageOf(page, query.page === undefined ? undefined : Number(query.page));
    rows.end({ page: page.page, pageSize: page.pageSize, total: page.total, nextPage });
    const isCounted = page.total !== null && count > 0;
    const counted = isCounted ? `${count} of ${page.total}.` : 'There are more orders.';
    if (nextPage !== null) print.note(`${counted} Add --page ${nextPage} or --all.`);
    else if (isCounted && system.terminal.stdout) print.note(counted);
    return notes();
  }
  const max = limit ?? Number(query.pageSize ?? defaultPageSize);
  let total: number | null = null;
  let doubt: WalkedPage['doubt'];
  let areDated = true;
  const end = () => rows.end({ page: null, pageSize: null, total, nextPage: null });
  try {
    for await (const page of walkAccepted(connection.client, options, max)) {
      total = page.total;
      areDated &&= page.areDated;
      show(page.orders.slice(0, max - count));
      if (system.isOutputClosed()) return;
      if (count >= max) break;
      doubt = page.doubt;
    }
  } catch (error) {
    if (count > 0) end();
    if (count === 0 || !system.interruption.stopping.aborted) throw error;
    throw new CliError('interrupted', `Stopped after ${count} ${count === 1 ? 'order' : 'orders'}.`);
  }
  await checkColumnsOfNone();
  end();
  if (limit === undefined && count >= max) print.note('There may be more orders. Add --all.');
  notes();
  if (!areDated) print.note(undatedNote);
  if (doubt?.kind === 'grown' || doubt?.kind === 'one_page') print.note(doubt.sentence);
  else if (doubt !== undefined) {
    const hint = 'Run the same command again, or narrow the list with a filter, such as --created-from.';
    throw new CliError('list_incomplete', doubt.sentence, { hint });
  }
}

/** How many orders are shown where the service does not cut the page. */
const defaultPageSize = 20;

const undatedNote =
  'The service takes whole days only and does not show the creation time of orders with a time zone, so orders of the days before and after may be listed too.';

function toOptions(flags: ListFlags, clock: Clock): ListOptions {
  const { page, pageSize, all, limit, createdFrom, createdTo, ...filters } = flags;
  if (page !== undefined && (all || limit !== undefined)) {
    throw new CliError('usage', '--page cannot be used with --all or --limit.', {
      hint: 'Remove one of them.',
    });
  }
  const query: ListQuery = {
    ...filters,
    ...(page === undefined ? {} : { page: String(page) }),
    ...(pageSize === undefined ? {} : { pageSize: String(pageSize) }),
  };
  return {
    query,
    created: parseCreatedRange({ createdFrom, createdTo }, clock),
    limit: limit ?? (all ? Number.POSITIVE_INFINITY : undefined),
  };
}

/** Whether an order matches the filters, as far as it has the fields. */
function matches(order: Order, query: ListQuery): boolean {
  const agrees = (
    wanted: string | undefined,
    actual: string | undefined,
    isSame: (wanted: string, actual: string) => boolean,
  ) => wanted === undefined || actual === undefined || isSame(wanted, actual);
  const isEqual = (wanted: string, actual: string) => wanted === actual;
  const isSameWord = (wanted: string, actual: string) => wanted.toUpperCase() === actual.toUpperCase();
  return (
    agrees(query.externalOrderId, textField(order, 'externalOrderId'), isEqual) &&
    agrees(query.orderNumber, textField(order, 'orderNumber'), isEqual) &&
    agrees(query.status, textField(order, 'status'), isSameWord) &&
    agrees(query.customerPhone, textField(member(order, 'customer'), 'phone'), isSamePhone)
  );
}
