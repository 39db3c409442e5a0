import type { Command } from 'commander';
import { type ListQuery, listPage, nextPageOf } from '../api/pages/list-orders.ts';
import { walkPages } from '../api/pages/walk-pages.ts';
import type { Context, OpenContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { parseCount, parsePageNumber } from '../flags.ts';
import { member } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import { isSamePhone } from '../orders/phone.ts';
import type { Clock } from '../system/system.ts';

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

interface ListOptions {
  query: ListQuery;
  /** The maximum number of orders, over as many pages as needed; undefined for one page. */
  limit: number | undefined;
}

const examples = `
A date is today, yesterday, 7d (7 days ago), 2026-11-20, or a time such as 2026-11-20T08:00:00Z.

Examples:
  $ merchant-orders list --created-from today
  $ merchant-orders list --customer-phone 99112233 --status CONFIRMED
  $ merchant-orders list --all --format csv > orders.csv`;

export function registerList(command: Command, open: OpenContext): void {
  command
    .option('--external-order-id <id>', 'the order with this external order ID')
    .option('--order-number <number>', 'the order with this number')
    .option('--status <status>', 'orders with this status')
    .option('--customer-phone <phone>', 'orders with this phone number')
    .option('--created-from <date>', 'created on or after this date')
    .option('--created-to <date>', 'created on or before this date')
    .option('--page <n>', 'show this page', parsePageNumber)
    .option('--page-size <n>', 'orders per page', parseCount)
    .option('--all', 'show all pages')
    .option('-L, --limit <n>', 'show at most this many orders', parseCount)
    .addHelpText('after', examples)
    .action(async (flags: ListFlags) => {
      const context = await open(command);
      await runList(context, toOptions(flags, context.clock));
    });
}

export async function runList(context: Context, { query, limit }: ListOptions): Promise<void> {
  const { connect, report, print } = context;
  await using connection = await connect();
  const rows = report.orders();
  let count = 0;
  let isFiltered = true;
  const show = (orders: Order[]) => {
    rows.page(orders);
    count += orders.length;
    isFiltered &&= orders.every((order) => matches(order, query));
  };
  if (limit === undefined) {
    const page = await listPage(connection.client, query);
    show(page.orders);
    const nextPage = nextPageOf(page, query.page === undefined ? undefined : Number(query.page));
    rows.end({ page: page.page, pageSize: page.pageSize, total: page.total, nextPage });
    if (nextPage !== null) print.note(`There are more orders. Add --page ${nextPage} or --all.`);
  } else {
    let total: number | null = null;
    try {
      for await (const page of walkPages(connection.client, query)) {
        total = page.total;
        show(page.orders.slice(0, limit - count));
        if (page.doubt !== undefined) print.note(page.doubt.sentence);
        if (count >= limit) break;
      }
    } finally {
      rows.end({ page: null, pageSize: null, total, nextPage: null });
    }
  }
  if (count === 0) print.note('No orders.');
  if (!isFiltered) {
    print.note('The service ignored the filter, so the list also has other orders.');
  }
}

function toOptions(flags: ListFlags, clock: Clock): ListOptions {
  const { page, pageSize, all, limit, createdFrom, createdTo, ...filters } = flags;
  if (page !== undefined && (all || limit !== undefined)) {
    throw new CliError('usage', '--page cannot be used with --all or --limit.', {
      hint: 'Remove one of them.',
    });
  }
  const query: ListQuery = {
    ...filters,
    ...(createdFrom === undefined ? {} : { createdFrom: toDate(createdFrom, clock) }),
    ...(createdTo === undefined ? {} : { createdTo: toDate(createdTo, clock) }),
    ...(page === undefined ? {} : { page: String(page) }),
    ...(pageSize === undefined ? {} : { pageSize: String(pageSize) }),
  };
  return { query, limit: limit ?? (all ? Number.POSITIVE_INFINITY : undefined) };
}

/** `today`, `yesterday` or `7d` → the local calendar date; other text is sent as typed. */
function toDate(text: string, clock: Clock): string {
  if (text === 'today') return clock.today();
  if (text === 'yesterday') return clock.today(1);
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  return days === undefined ? text : clock.today(Number(days));
}

/** Whether an order matches the filters, as far as it has the fields. Times are left to the service. */
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
