import { t } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import { isCalendarDate } from '../../orders/calendar-date.ts';
import type { Order } from '../../orders/order.ts';
import { parseTime } from '../../orders/shown-values.ts';
import type { Clock } from '../../system/system.ts';
import { createdAt } from '../responses/order.ts';

/** The instants that are sent, also in milliseconds since the epoch. */
export interface CreatedRange {
  instants: { createdFrom?: string; createdTo?: string };
  from: number;
  to: number;
}

/** Days are in the local time zone. Error: `usage`. */
export function parseCreatedRange(
  { createdFrom, createdTo }: { createdFrom?: string | undefined; createdTo?: string | undefined },
  clock: Clock,
): CreatedRange {
  const from = createdFrom === undefined ? undefined : parseBound('from', createdFrom, clock);
  const to = createdTo === undefined ? undefined : parseBound('to', createdTo, clock);
  return rangeOf(from, to);
}

/** In whole seconds. `to` may be infinite. */
export function createdBetween(from: number, to: number): CreatedRange {
  const start = boundAt(Math.floor(from / 1000) * 1000);
  return rangeOf(start, to === Number.POSITIVE_INFINITY ? undefined : boundAt(Math.ceil(to / 1000) * 1000));
}

function rangeOf(from: Bound | undefined, to: Bound | undefined): CreatedRange {
  return {
    instants: {
      ...(from === undefined ? {} : { createdFrom: from.text }),
      ...(to === undefined ? {} : { createdTo: to.text }),
    },
    from: from?.moment ?? Number.NEGATIVE_INFINITY,
    to: to?.moment ?? Number.POSITIVE_INFINITY,
  };
}

interface Bound {
  text: string;
  moment: number;
}

const hourMilliseconds = 3_600_000;

function parseBound(side: 'from' | 'to', text: string, clock: Clock): Bound {
  const moment = parseTime(text);
  if (moment !== undefined) return { text, moment };
  const hours = /^(\d{1,5})h$/.exec(text)?.[1];
  if (hours !== undefined) return boundAt(clock.now() - Number(hours) * hourMilliseconds);
  const date = parseDay(text, clock);
  if (date === undefined) {
    throw new CliError('usage', t`--created-${side} is not a day or a time.`, {
      hint: t`Write today, yesterday, 7d, 24h, a date such as 2026-11-20, or a time such as 2026-11-20T08:00:00Z.`,
    });
  }
  return boundAt(side === 'from' ? startOfDay(date, 0) : startOfDay(date, 1) - 1);
}

const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function boundAt(wanted: number): Bound {
  const moment = Math.min(wanted, lastMoment);
  return { text: new Date(moment).toISOString().replace('.000Z', 'Z'), moment };
}

function parseDay(text: string, clock: Clock): string | undefined {
  if (text === 'today') return clock.today();
  if (text === 'yesterday') return clock.today(1);
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  if (days !== undefined) return clock.today(Number(days));
  return isCalendarDate(text) ? text : undefined;
}

/** Midnight may not exist where clocks change. */
function startOfDay(date: string, daysAfter: number): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const moment = new Date(0);
  moment.setFullYear(year, month - 1, day + daysAfter);
  return moment.setHours(0, 0, 0, 0);
}

const dayMilliseconds = 24 * hourMilliseconds;

/** For services that accept only dates: wider, since they may read a date as midnight in any time zone. */
export function widerDates({ instants, from, to }: CreatedRange): CreatedRange['instants'] {
  const dateAt = (utc: number) => new Date(Math.min(utc, lastMoment)).toISOString().slice(0, 10);
  const localDay = (moment: number) => {
    const local = new Date(moment);
    return Date.UTC(local.getFullYear(), local.getMonth(), local.getDate());
  };
  return {
    ...(instants.createdFrom === undefined ? {} : { createdFrom: dateAt(localDay(from) - dayMilliseconds) }),
    ...(instants.createdTo === undefined ? {} : { createdTo: dateAt(localDay(to) + 2 * dayMilliseconds) }),
  };
}

/** Keeps orders that do not show when they were created; `areDated` is false then. */
export function ordersWithin(
  { from, to }: CreatedRange,
  orders: Order[],
): { orders: Order[]; areDated: boolean } {
  if (from === Number.NEGATIVE_INFINITY && to === Number.POSITIVE_INFINITY) return { orders, areDated: true };
  return {
    orders: orders.filter((order) => {
      const moment = createdAt(order);
      return moment === undefined || (from <= moment && moment <= to);
    }),
    areDated: orders.every((order) => createdAt(order) !== undefined),
  };
}
