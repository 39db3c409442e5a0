import { advice, joinTexts, type Text, t } from '../../advice/advice.ts';
import type { CreatedRange } from '../../api/pages/created-range.ts';
import { createdAt } from '../../api/responses/order.ts';
import { cleanCell, shorten } from '../../clean-text.ts';
import { CliError } from '../../errors.ts';
import { readTypedDate } from '../../import/words/typed-date.ts';
import { dayOf, isCalendarDate } from '../../orders/calendar-date.ts';
import { formatAmount, formatCount } from '../../orders/decimal.ts';
import { type Order, textField } from '../../orders/order.ts';
import { textFilter } from '../../output/fields.ts';
import { describeDay, formatLocalTime } from '../../output/times.ts';
import type { Clock } from '../../system/system.ts';
import { createTotals, type OrderTotals } from './order-totals.ts';

export interface LocalFilterFlags {
  search?: string;
  deliverOn?: string;
  all?: boolean;
}

/** How the reading ended. */
interface Reading {
  shown: number;
  /** As the service counts its orders. */
  total: number | null;
  /** There are no more orders. */
  isWhole: boolean;
  /** More were found than are shown. */
  hasMore: boolean;
  created: CreatedRange;
}

/** What `--search` and `--deliver-on` keep of the orders that the service lists. */
interface LocalFilter {
  /** Orders to look through. */
  maxOrders: number;
  /** An incomplete reading is an error. */
  needsAll: boolean;
  /** Of delivery, for a person. */
  day?: Text;
  /** Each order is passed once, as listed. `read`: as many were listed for them. */
  keep(orders: readonly Order[], read: number): Order[];
  /** How many orders were looked through, and for a person what the courier collects. */
  summary(reading: Reading, isForPerson: boolean): Text;
}

const maxSearched = 1000;
/** How many days back the orders of a packing list may have been created. */
export const packingDays = '60d';

/** Undefined without these flags. Error: `usage`. */
export function createLocalFilter(
  { search, deliverOn, all }: LocalFilterFlags,
  clock: Clock,
): LocalFilter | undefined {
  if (deliverOn !== undefined) return createPackingFilter(parseDeliveryDay(deliverOn, clock), search);
  return search === undefined ? undefined : createSearchFilter(search, all ?? false);
}

function createSearchFilter(search: string, all: boolean): LocalFilter {
  const isFound = textFilter(search);
  const maxOrders = all ? Number.POSITIVE_INFINITY : maxSearched;
  let read = 0;
  let lastCreated = Number.POSITIVE_INFINITY;
  const noteCreated = (order: Order) => {
    const created = createdAt(order) ?? Number.NaN;
    lastCreated = created <= lastCreated ? created : Number.NaN;
  };
  return {
    maxOrders,
    needsAll: false,
    keep: (orders, listed) => {
      read += listed;
      orders.forEach(noteCreated);
      return orders.filter(isFound);
    },
    summary: ({ shown, total, isWhole, hasMore }) => {
      const looked = describeLooked(shown, read);
      if (hasMore) return t`${looked}. There are more matches.`;
      if (isWhole || total === read) return advice`${looked}.`;
      if (read < maxOrders) return t`${looked}. There may be more matches.`;
      const areNewest = !Number.isNaN(lastCreated);
      if (total === null || total <= read)
        return areNewest
          ? t`${looked}, the newest of the list. Add --all to look through all.`
          : t`${looked}, the first of the list. Add --all to look through all.`;
      const all = formatCount(total);
      return areNewest
        ? t`${looked}, the newest of the list. Add --all to look through all ${all}.`
        : t`${looked}, the first of the list. Add --all to look through all ${all}.`;
    },
  };
}

function createPackingFilter(day: string, search: string | undefined): LocalFilter {
  const isFound = search === undefined ? () => true : textFilter(search);
  const totals = createTotals();
  let read = 0;
  let noDay: string | undefined;
  const isForDay = (order: Order) => {
    const date = deliveryDay(order);
    if (date === undefined) noDay ??= textField(order, 'requestedDeliveryDate');
    return date === day;
  };
  return {
    maxOrders: Number.POSITIVE_INFINITY,
    needsAll: true,
    day: describeDay(day),
    keep: (orders, listed) => {
      read += listed;
      const found = orders.filter((order) => isForDay(order) && isFound(order));
      found.forEach(totals.add);
      return found;
    },
    summary: ({ shown, created }, isForPerson) => {
      const lines = [
        describeFound({ shown, read, day, created }),
        ...(isForPerson && shown > 0 ? [describeSum(totals.value())] : []),
        ...(noDay === undefined
          ? []
          : [t`Delivery dates that are not a day are left out, such as ${cleanCell(shorten(noDay, 40))}.`]),
      ];
      return joinTexts(lines, '\n');
    },
  };
}

export function deliveryDay(order: Order): string | undefined {
  const text = textField(order, 'requestedDeliveryDate') ?? '';
  return isCalendarDate(text) ? text : dayOf(text);
}

function describeLooked(shown: number, read: number): Text {
  const all = formatCount(read);
  return shown === 0
    ? t`No match in ${all} {order|orders} looked through`
    : t`${formatCount(shown)} of ${all} {order|orders} looked through`;
}

/** The times of the range are local. */
function describeFound({
  shown,
  read,
  day,
  created,
}: Pick<Reading, 'shown' | 'created'> & { read: number; day: string }): Text {
  const write = (moment: number) =>
    formatLocalTime(new Date(moment).toISOString()).replace(/ (?:00:00|23:59)$/, '');
  const orders = t`${formatCount(shown)} {order|orders} for ${describeDay(day)}`;
  const [all, since] = [formatCount(read), write(created.from)];
  return created.to === Number.POSITIVE_INFINITY
    ? t`${orders}, of ${all} created since ${since}.`
    : t`${orders}, of ${all} created since ${since} until ${write(created.to)}.`;
}

function describeSum({ toCollect, cancelled }: OrderTotals): Text {
  const amount = formatAmount(toCollect);
  if (cancelled === 0) return t`To collect: ${amount}.`;
  return t`To collect: ${amount}, without ${cancelled} cancelled {order|orders}.`;
}

function parseDeliveryDay(text: string, clock: Clock): string {
  const day = readTypedDate(text, clock.today(), 'nearest');
  if (typeof day === 'string') return day;
  throw new CliError('usage', t`--deliver-on is not a day.`, {
    hint: day.problem,
  });
}
