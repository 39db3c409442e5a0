import { isCalendarDate } from '../../orders/calendar-date.ts';
import { parseTime } from '../../orders/shown-values.ts';
import { ApiError } from '../behaviour/api-error.ts';
import { type Behaviour, listParameters } from '../behaviour/schema.ts';
import { normalisePhone } from '../store/customers.ts';
import type { OrderFilters } from '../store/order-list.ts';

interface ListQuery {
  filters: OrderFilters;
  page: number;
  pageSize: number;
}

type Parameters = Record<string, string>;

/** Larger than any real page number, and small enough for an exact offset. */
const maxPage = 1_000_000_000;

/** Interface section 4.3. @throws ApiError */
export function parseListQuery(query: Parameters, { paging }: Behaviour): ListQuery {
  checkNames(query, paging);
  const { externalOrderId, orderNumber, status, customerPhone } = query;
  return {
    filters: {
      externalOrderId,
      orderNumber,
      status,
      customerPhone: customerPhone === undefined ? undefined : normalisePhone(customerPhone),
      createdFrom: timeBound(query, 'createdFrom', paging)?.first,
      createdTo: timeBound(query, 'createdTo', paging)?.last,
    },
    page: Math.min(wholeNumber(query, 'page', paging.firstPage) ?? paging.firstPage, maxPage),
    pageSize: pageSizeOf(query, paging),
  };
}

function checkNames(query: Parameters, { unknownParameters }: Behaviour['paging']): void {
  const unknown = Object.keys(query).find((name) => !listParameters.some((stated) => stated === name));
  if (unknown !== undefined && unknownParameters === 'refused') {
    throw new ApiError('queryInvalid', `${unknown}: is not a parameter of a list`);
  }
}

function pageSizeOf(query: Parameters, paging: Behaviour['paging']): number {
  const { defaultPageSize, largestPageSize, unknownParameters } = paging;
  const requested = wholeNumber(query, 'pageSize', 1);
  if (requested !== undefined && requested > largestPageSize && unknownParameters === 'refused') {
    throw new ApiError('queryInvalid', `pageSize: is more than ${largestPageSize}`);
  }
  return Math.min(requested ?? defaultPageSize, largestPageSize);
}

const formats = {
  days_and_instants: 'a date (2026-11-25) or a time (2026-11-25T08:30:00Z)',
  days: 'a date (2026-11-25)',
  instants: 'a time (2026-11-25T08:30:00Z)',
};

function timeBound(query: Parameters, name: string, { dates }: Behaviour['paging']): TimeBound | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const bound = parseTimeBound(text);
  const isOpen = dates === 'days_and_instants' || (dates === 'days') === !text.includes(':');
  if (bound && isOpen) return bound;
  throw new ApiError('queryInvalid', `${name}: is not ${formats[dates]}`);
}

function wholeNumber(query: Parameters, name: string, min: number): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) >= min) return Number(text);
  throw new ApiError('queryInvalid', `${name}: is not a whole number of ${min} or more`);
}

const dayMilliseconds = 86_400_000;

interface TimeBound {
  /** Epoch milliseconds, both inclusive. */
  first: number;
  last: number;
}

/** A date means its whole UTC day, an RFC 3339 time its millisecond; undefined for anything else. */
function parseTimeBound(text: string): TimeBound | undefined {
  const moment = parseTime(text);
  if (moment !== undefined) return { first: moment, last: moment };
  if (!isCalendarDate(text)) return undefined;
  const first = Date.parse(text);
  return { first, last: first + dayMilliseconds - 1 };
}
