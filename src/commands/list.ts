import type { Command } from 'commander';
import { type ListQuery, listPage, nextPageOf } from '../api/pages/list-orders.ts';
import { walkPages } from '../api/pages/walk-pages.ts';
import type { Context, OpenContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { parseCount, parsePageNumber } from '../flags.ts';
import { member } from '../orders/json.ts';
import { type Order, textField } from '../orders/order.ts';
import { isSamePhone } from '../orders/phone.ts';
import type { Clock } from '../system/clock.ts';

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
  /** The most orders to show, over as many pages as that takes; undefined for one page as the service cuts it. */
  limit: number | undefined;
}

const examples = `
Dates are sent as typed: 2026-11-20 or 2026-11-20T08:00:00Z; today, yesterday and 7d become a date.

Examples:
  $ merchant-orders list --created-from today
  $ merchant-orders list --customer-phone 99112233 --status CONFIRMED
  $ merchant-orders list --all --format csv > orders.csv`;

export function registerList(command: Command, open: OpenContext): void {
  command
    .option('--external-order-id <id>', 'the order with this own id')
    .option('--order-number <number>', 'the order with this number')
    .option('--status <status>', 'orders in this status')
    .option('--customer-phone <phone>', 'orders of this customer')
    .option('--created-from <date>', 'created then or later')
    .option('--created-to <date>', 'created then or earlier')
    .option('--page <n>', 'one page', parsePageNumber)
    .option('--page-size <n>', 'orders on a page', parseCount)
    .option('--all', 'all pages')
    .option('-L, --limit <n>', 'at most this many orders', parseCount)
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
    if (nextPage !== null) print.note(`There are more: add --page ${nextPage}, or --all.`);
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
    print.note('The service did not apply the filter: these are not only the orders you asked for.');
  }
}

function toOptions(flags: ListFlags, clock: Clock): ListOptions {
  const { page, pageSize, all, limit, createdFrom, createdTo, ...filters } = flags;
  if (page !== undefined && (all || limit !== undefined)) {
    throw new CliError('usage', '--page shows one page; --all and --limit walk over pages.', {
      hint: 'Leave one of them out.',
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

/** `today`, `yesterday` and `7d` → the local calendar date; everything else is sent as typed. */
function toDate(text: string, clock: Clock): string {
  if (text === 'today') return clock.today();
  if (text === 'yesterday') return clock.today(1);
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  return days === undefined ? text : clock.today(Number(days));
}

/** Whether an order is one that was asked for, as far as it shows; times are the service's to compare. */
function matches(order: Order, query: ListQuery): boolean {
  const agrees = (
    asked: string | undefined,
    shown: string | undefined,
    isSame: (a: string, b: string) => boolean,
  ) => asked === undefined || shown === undefined || isSame(asked, shown);
  const isEqual = (asked: string, shown: string) => asked === shown;
  const isWord = (asked: string, shown: string) => asked.toUpperCase() === shown.toUpperCase();
  return (
    agrees(query.externalOrderId, textField(order, 'externalOrderId'), isEqual) &&
    agrees(query.orderNumber, textField(order, 'orderNumber'), isEqual) &&
    agrees(query.status, textField(order, 'status'), isWord) &&
    agrees(query.customerPhone, textField(member(order, 'customer'), 'phone'), isSamePhone)
  );
}
