import { again, type Text, t } from '../../advice/advice.ts';
import type { ApiClient } from '../../api/client.ts';
import { type CreatedRange, ordersWithin, parseCreatedRange } from '../../api/pages/created-range.ts';
import {
  isRejectedQuery,
  type ListQuery,
  listNumberedPage,
  listPage,
  nextPageOf,
  pageSize,
  shownPageSize,
} from '../../api/pages/list-orders.ts';
import { walkCreated } from '../../api/pages/walk-created.ts';
import type { OrderPage } from '../../api/responses/page.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { formatCount } from '../../orders/decimal.ts';

import { type Order, phoneOf, textField } from '../../orders/order.ts';
import { defaultPaths, type FieldPaths } from '../../orders/unnamed-fields.ts';
import { areStatedColumns, checkOrderColumns, pickCells } from '../../output/fields.ts';
import type { OrderRows, Paper } from '../../output/reporter.ts';
import type { Clock } from '../../system/system.ts';
import { createLocalFilter, type LocalFilterFlags, packingDays } from './local-filter.ts';
import type { OrderFile } from './order-file.ts';
import { createTotals, describeTotals } from './order-totals.ts';

interface ListFlags extends LocalFilterFlags {
  externalOrderId?: string;
  orderNumber?: string;
  status?: string;
  customerPhone?: string;
  createdFrom?: string;
  createdTo?: string;
  page?: number;
  pageSize?: number;
  limit?: number;
  output?: string;
  for?: Paper['name'];
  sort?: 'number' | 'district';
}

interface ListOptions {
  /** Without the range and the page size of a walk. */
  query: ListQuery;
  created: CreatedRange;
  /** Over as many pages as needed; undefined for one page. */
  limit: number | undefined;
  filter: ReturnType<typeof createLocalFilter>;
  paper: Paper['name'] | undefined;
  sort: ListFlags['sort'];
}

export async function runList(context: Context, flags: ListFlags): Promise<void> {
  const options = toOptions(flags, context.clock);
  const { paper: paperName, filter } = options;
  const { settings, report, clock, say } = context;
  if (paperName !== undefined && settings.columns !== undefined) throw contradictory('for', 'columns');
  const needsPaths =
    paperName !== undefined ||
    options.sort !== undefined ||
    settings.columns?.some((column) => column.startsWith('items'));
  const fieldPaths = needsPaths
    ? await (await import('../../fields/field-paths.ts')).readPaths(context)
    : defaultPaths;
  const paper = paperName && (await import('./paper.ts')).createPaper(paperName, { fieldPaths, say });
  const shown = { fieldPaths, paper };
  const { output: path } = flags;
  using file =
    path === undefined
      ? undefined
      : await (await import('./order-file.ts')).openOrderFile(context, {
          ...shown,
          path,
          day: filter?.day,
        });
  await using connection = await context.connect({ waitsForOutages: false });
  const { client } = connection;
  const rows = file ?? report.orders(clock.now(), shown);
  const sink = { rows, file, fieldPaths };
  const list = createList(context, client, options, sink, await createMatch(options.query));
  const page = options.limit === undefined ? await readPage(client, options) : undefined;
  await (page === undefined ? listPages(context, client, options, list) : listOnePage(page, options, list));
}

type List = ReturnType<typeof createList>;
type ListPage = Pick<OrderPage, 'page' | 'pageSize' | 'total'> & { nextPage: number | null };

/** Where the orders go, and what is said of them. */
function createList(
  { print, settings, system, status }: Context,
  client: ApiClient,
  { created, filter, paper, sort }: ListOptions,
  { rows, file, fieldPaths }: { rows: OrderRows; file: OrderFile | undefined; fieldPaths: FieldPaths },
  matches: (order: Order) => boolean,
) {
  let count = 0;
  let isFiltered = true;
  const totals = createTotals();
  const held: Order[] = [];
  // Columns that only this service has show in orders outside the filter.
  const checkColumnsOfNone = async () => {
    if (count > 0 || areStatedColumns(settings.columns)) return;
    checkOrderColumns(settings.columns, (await listPage(client, {})).orders);
  };
  return {
    count: () => count,
    /** A service may ignore a filter. */
    matching: (orders: readonly Order[]): Order[] => {
      const matching = ordersWithin(created, orders.filter(matches)).orders;
      isFiltered &&= matching.length === orders.length;
      return matching;
    },
    isFiltered: () => isFiltered,
    /** Cancelled orders are not on paper. */
    counted: (orders: Order[]): Order[] => (paper === undefined ? orders : orders.filter(totals.add)),
    show: (orders: Order[]) => {
      if (orders.length === 0) return;
      if (count === 0) checkOrderColumns(settings.columns, orders);
      if (sort === undefined) status.writeInWait(() => rows.page(orders));
      else held.push(...orders);
      if (held.length > maxSorted) throw tooManyToSort();
      count += orders.length;
    },
    end: async (page: ListPage, isComplete = true) => {
      await checkColumnsOfNone();
      if (sort !== undefined) rows.page(sortOrders(held, sort, fieldPaths));
      rows.end(page);
      if (isComplete) await file?.save(describeTotals(totals.value()));
    },
    /** For a person: `20 of 573.` */
    noteCount: (total: number | null) => {
      if (system.terminal.stdout && isFiltered && total !== null && count > 0)
        print.note(countedOf(count, total));
    },
    noteRest: () => {
      if (count === 0 && filter === undefined) print.note(t`No orders.`);
      if (!isFiltered)
        print.note(t`The service ignored the filter; orders that do not match it are left out.`);
    },
    noteTotals: () => {
      if (paper !== undefined) print.note(describeTotals(totals.value()));
    },
    unfinished: (sentence: Text) => (file === undefined ? sentence : t`${sentence} Nothing was written.`),
    note: print.note,
  };
}

async function listOnePage(found: OrderPage, { query }: ListOptions, list: List): Promise<void> {
  const { page, pageSize } = found;
  const orders = list.matching(found.orders);
  const total = list.isFiltered() ? found.total : null;
  list.show(list.counted(orders));
  const nextPage = nextPageOf(found, query);
  await list.end({ page, pageSize, total, nextPage });
  const isCounted = total !== null && orders.length > 0;
  const isStated = found.hasMore === true || found.next !== null || found.total !== null;
  if (nextPage === null) list.noteCount(total);
  else if (isCounted) {
    list.note(t`${formatCount(orders.length)} of ${formatCount(total)}. Add --page ${nextPage} or --all.`);
  } else if (isStated) list.note(t`There are more orders. Add --page ${nextPage} or --all.`);
  else list.note(t`There may be more orders. Add --page ${nextPage} or --all.`);
  list.noteRest();
  list.noteTotals();
}

async function listPages(
  { system }: Context,
  client: ApiClient,
  options: ListOptions,
  list: List,
): Promise<void> {
  const { query, created, limit, filter } = options;
  const max = limit ?? Number(query.pageSize ?? shownPageSize);
  const maxRead = filter?.maxOrders ?? max;
  let read = 0;
  let total: number | null = null;
  let caveat: Text | undefined;
  let areDated = true;
  let isWhole = true;
  let hasMore = false;
  // Of many pages a filter keeps few orders, which make one table.
  let found: Order[] = [];
  const showFound = () => {
    list.show(found);
    found = [];
  };
  const end = (isComplete: boolean) => {
    const shownTotal = filter === undefined && list.isFiltered() ? total : null;
    return list.end({ page: null, pageSize: null, total: shownTotal, nextPage: null }, isComplete);
  };
  try {
    for await (const page of walkCreated(client, query, created, {
      wanted: maxRead,
      ...(query.pageSize === undefined && { pageSize: Math.min(maxRead, pageSize) }),
      // A packing list has a range of its own, which the user may not have given.
      takesAll: filter?.needsAll ?? false,
    })) {
      const within = page.areDays ? ordersWithin(created, page.orders) : { ...page, areDated: true };
      total = page.areDays ? null : page.total;
      areDated &&= within.areDated;
      const orders = within.orders.slice(0, maxRead - read);
      read += orders.length;
      const matching = list.matching(orders);
      found = [...found, ...list.counted(filter?.keep(matching, orders.length) ?? matching)];
      hasMore = list.count() + found.length > max;
      found = found.slice(0, max - list.count());
      isWhole = list.count() + found.length < max && read < maxRead;
      if (filter === undefined || found.length >= pageSize || !isWhole) showFound();
      if (system.isOutputClosed()) return;
      if (!isWhole) break;
      caveat = page.caveat;
    }
    showFound();
  } catch (error) {
    showFound();
    if (list.count() > 0) await end(false);
    if (list.count() === 0 || !system.interruption.stopping.aborted) throw error;
    const stopped = t`Stopped after ${list.count()} {order|orders}.`;
    throw new CliError('interrupted', list.unfinished(stopped));
  }
  await end(caveat === undefined);
  if (limit === undefined && list.count() >= max) list.note(t`There may be more orders. Add --all.`);
  if (filter === undefined) list.noteCount(total);
  else
    list.note(
      filter.summary(
        { shown: list.count(), total, isWhole, hasMore, created },
        system.terminal.stdout && options.paper === undefined,
      ),
    );
  list.noteRest();
  if (!areDated) list.note(undatedNote);
  list.noteTotals();
  if (caveat !== undefined) {
    const hint = t`Run the same command again, or narrow the list with a filter, such as --created-from.${again()}`;
    throw new CliError('list_incomplete', list.unfinished(caveat), { hint });
  }
}

function countedOf(count: number, total: number): Text {
  return t`${formatCount(count)} of ${formatCount(total)}.`;
}

const undatedNote = t`The service takes whole days only and does not show the creation time of orders with a time zone, so orders of the days before and after may be listed too.`;

function toOptions(flags: ListFlags, clock: Clock): ListOptions {
  const {
    page,
    pageSize,
    all,
    limit,
    createdFrom,
    createdTo,
    output: _,
    for: paper,
    sort = paper && 'district',
    search,
    deliverOn,
    ...filters
  } = flags;
  const walks = { all, limit, search, 'deliver-on': deliverOn };
  const walk = Object.entries(walks).find(([, value]) => value !== undefined)?.[0];
  if (page !== undefined && walk !== undefined) throw contradictory('page', walk);
  if (deliverOn !== undefined && limit !== undefined) throw contradictory('deliver-on', 'limit');
  // What is packed and handed over is all that matches.
  if (paper !== undefined && limit !== undefined) throw contradictory('for', 'limit');
  const query: ListQuery = {
    ...filters,
    ...(page === undefined ? {} : { page: String(page) }),
    ...(pageSize === undefined ? {} : { pageSize: String(pageSize) }),
  };
  const filter = createLocalFilter(flags, clock);
  const from = createdFrom ?? (filter?.needsAll ? packingDays : undefined);
  return {
    query,
    created: parseCreatedRange({ createdFrom: from, createdTo }, clock),
    limit: limit ?? (all || filter !== undefined ? Number.POSITIVE_INFINITY : undefined),
    filter,
    paper,
    sort,
  };
}

/** They are in memory until all of them are known. */
const maxSorted = 100_000;

function tooManyToSort(): CliError {
  return new CliError('usage', t`More than 100,000 orders match, which is too many to sort.`, {
    hint: t`Narrow the list with a filter, such as --created-from or --customer-phone.`,
  });
}

/** By district and street where they are shown, then by number. */
function sortOrders(
  orders: readonly Order[],
  by: NonNullable<ListFlags['sort']>,
  fieldPaths: FieldPaths,
): Order[] {
  const { compare } = new Intl.Collator('mn', { numeric: true });
  const district = by === 'district' ? [fieldPaths['address.district'], fieldPaths['address.street']] : [];
  const keyed = orders.map((order) => ({ order, key: pickCells(order, [...district, 'orderNumber']) }));
  const compareTexts = (one: string, other: string) =>
    Number(one === '') - Number(other === '') || compare(one, other);
  return keyed
    .sort((one, other) =>
      one.key.reduce((found, text, index) => found || compareTexts(text, other.key[index] ?? ''), 0),
    )
    .map(({ order }) => order);
}

function contradictory(flag: string, other: string): CliError {
  return new CliError('usage', t`--${flag} cannot be used with --${other}.`, {
    hint: t`Remove one of them.`,
  });
}

/** As far as the order has the fields. */
async function createMatch(query: ListQuery): Promise<(order: Order) => boolean> {
  const agrees = (
    wanted: string | undefined,
    actual: string | undefined,
    isSame: (wanted: string, actual: string) => boolean,
  ) => wanted === undefined || actual === undefined || isSame(wanted, actual);
  const isEqual = (wanted: string, actual: string) => wanted === actual;
  const isSamePhone =
    query.customerPhone === undefined ? isEqual : (await import('../../orders/phone.ts')).mayBePhone;
  const isSameWord = (wanted: string, actual: string) => wanted.toUpperCase() === actual.toUpperCase();
  return (order) =>
    agrees(query.externalOrderId, textField(order, 'externalOrderId'), isEqual) &&
    agrees(query.orderNumber, textField(order, 'orderNumber'), isEqual) &&
    agrees(query.status, textField(order, 'status'), isSameWord) &&
    agrees(query.customerPhone, phoneOf(order), isSamePhone);
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
    const isOfTimes = isRejectedQuery(error) && Object.keys(created.instants).length > 0;
    if (page === undefined && (isTooLarge || isOfTimes)) return undefined;
    throw error;
  }
}
