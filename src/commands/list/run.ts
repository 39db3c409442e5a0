import { advice, again } from '../../advice/advice.ts';
import type { ApiClient } from '../../api/client.ts';
import { type ListQuery, listNumberedPage, listPage, nextPageOf } from '../../api/pages/list-orders.ts';
import { type WalkedPage, walkPages } from '../../api/pages/walk-pages.ts';
import type { OrderPage } from '../../api/responses/page.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { member } from '../../orders/json.ts';
import { type Order, textField } from '../../orders/order.ts';
import { isSamePhone } from '../../orders/phone.ts';
import { areStatedColumns, checkOrderColumns } from '../../output/fields.ts';
import type { Clock } from '../../system/system.ts';
import { type CreatedRange, ordersWithin, parseCreatedRange, widerDates } from './created-range.ts';

export interface ListFlags {
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
  /** Without the range and the page size of a walk. */
  query: ListQuery;
  created: CreatedRange;
  /** Over as many pages as needed; undefined for one page. */
  limit: number | undefined;
}

export async function runList(context: Context, flags: ListFlags): Promise<void> {
  const options = toOptions(flags, context.clock);
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
  // Columns that only this service has show in orders outside the filter.
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
    const hint = advice`Run the same command again, or narrow the list with a filter, such as --created-from.${again()}`;
    throw new CliError('list_incomplete', doubt.sentence, { hint });
  }
}

/** For services that ignore the page size. */
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

/** As far as the order has the fields. */
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

/** Undefined if the service rejects times, or sends too much, and no page number was given. Errors: those of a read. */
async function readPage(client: ApiClient, { query, created }: ListOptions): Promise<OrderPage | undefined> {
  const { page, ...filters } = { ...query, ...created.instants };
  try {
    return await (page === undefined
      ? listPage(client, filters)
      : listNumberedPage(client, { ...filters, page }));
  } catch (error) {
    const isTooLarge = error instanceof CliError && error.code === 'response_too_large';
    if (isTooLarge && page === undefined) return undefined;
    if (!isRejectedQuery(error) || Object.keys(created.instants).length === 0) throw error;
    if (page === undefined) return undefined;
    throw new CliError(error.code, error.message, { ...error.details, hint: wholeDaysHint });
  }
}

const wholeDaysHint =
  'If the service takes whole days only, leave out --page, or add --all: the orders are then filtered here.';

interface Attempt {
  query: ListQuery;
  areDates: boolean;
}

/** All pages. If the service rejects the page size or times, asks without them: for whole days, filtered here. */
async function* walkAccepted(
  client: ApiClient,
  { query, created }: ListOptions,
  limit: number,
): AsyncGenerator<WalkedPage & { areDated: boolean }> {
  let rejection: unknown;
  for (const attempt of attemptsFor(query, created, limit)) {
    let isAccepted = false;
    try {
      for await (const page of walkPages(client, attempt.query, limit)) {
        isAccepted = true;
        yield attempt.areDates
          ? { ...page, ...ordersWithin(created, page.orders), total: null }
          : { ...page, areDated: true };
      }
      return;
    } catch (error) {
      if (isAccepted || !isRejectedQuery(error)) throw error;
      // Report the error of the request that is closest to the flags.
      if (!attempt.areDates) rejection = error;
    }
  }
  throw rejection;
}

const maxPageSize = 100;

function attemptsFor(query: ListQuery, created: CreatedRange, limit: number): Attempt[] {
  const dates = widerDates(created);
  const ranges = [
    { range: created.instants, areDates: false },
    ...(Object.keys(dates).length === 0 ? [] : [{ range: dates, areDates: true }]),
  ];
  const pageSize = String(Math.min(limit, maxPageSize));
  return ranges.flatMap(({ range, areDates }) => {
    const whole = { query: { ...query, ...range }, areDates };
    return query.pageSize === undefined
      ? [{ query: { ...whole.query, pageSize }, areDates }, whole]
      : [whole];
  });
}

function isRejectedQuery(error: unknown): error is CliError {
  return error instanceof CliError && [400, 422].includes(error.details.status ?? 0);
}
