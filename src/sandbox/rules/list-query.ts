import { isCalendarDate } from '../../orders/calendar-date.ts';
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
export function parseListQuery(given: Parameters, { paging, customers }: Behaviour): ListQuery {
  const query = appliedParameters(given, paging);
  const { externalOrderId, orderNumber, status, customerPhone } = query;
  return {
    filters: {
      externalOrderId,
      orderNumber,
      status,
      customerPhone: customerPhone === undefined ? undefined : normalisePhone[customers.phone](customerPhone),
      createdFrom: timeBound(query, 'createdFrom')?.first,
      createdTo: timeBound(query, 'createdTo')?.last,
    },
    page: Math.min(wholeNumber(query, 'page', paging.firstPage) ?? paging.firstPage, maxPage),
    pageSize: pageSizeOf(query, paging),
  };
}

function appliedParameters(
  given: Parameters,
  { unknownParameters, ignoredParameters }: Behaviour['paging'],
): Parameters {
  const unknown = Object.keys(given).find((name) => !listParameters.some((stated) => stated === name));
  if (unknown !== undefined && unknownParameters === 'refused') {
    throw new ApiError('queryInvalid', `${unknown}: is not a parameter of a list`);
  }
  const isIgnored = (name: string) => ignoredParameters.some((ignored) => ignored === name);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isIgnored(name)));
}

function pageSizeOf(query: Parameters, paging: Behaviour['paging']): number {
  const { defaultPageSize, largestPageSize, beyondLargest } = paging;
  const requested = wholeNumber(query, 'pageSize', 1);
  if (requested !== undefined && requested > largestPageSize && beyondLargest === 'refused') {
    throw new ApiError('queryInvalid', `pageSize: is more than ${largestPageSize}`);
  }
  return Math.min(requested ?? defaultPageSize, largestPageSize);
}

function timeBound(query: Parameters, name: string): TimeBound | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const bound = parseTimeBound(text);
  if (bound) return bound;
  throw new ApiError('queryInvalid', `${name}: is not a date (2026-11-25) or a time (2026-11-25T08:30:00Z)`);
}

function wholeNumber(query: Parameters, name: string, min: number): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) >= min) return Number(text);
  throw new ApiError('queryInvalid', `${name}: is not a whole number of ${min} or more`);
}

const dayMilliseconds = 86_400_000;
const timeShape =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

interface TimeBound {
  /** Epoch milliseconds, both inclusive. */
  first: number;
  last: number;
}

/** A date means its whole UTC day, an RFC 3339 time its millisecond; undefined for anything else. */
function parseTimeBound(text: string): TimeBound | undefined {
  const date = timeShape.exec(text)?.[1] ?? text;
  if (!isCalendarDate(date)) return undefined;
  const first = Date.parse(text.toUpperCase());
  return { first, last: date === text ? first + dayMilliseconds - 1 : first };
}
