import type { Behaviour } from '../behaviour.ts';
import { Refusal } from '../refusal.ts';
import type { OrderFilters } from '../store/order-list.ts';
import { parseTimeBound, type TimeBound } from './time-bound.ts';

export interface ListQuery {
  filters: OrderFilters;
  page: number;
  pageSize: number;
}

type Parameters = Record<string, string>;

/** Beyond any page that exists, and small enough for its offset to be exact. */
const lastPage = 1_000_000_000;

/** Query parameters (interface section 4.3) → what to look for; parameters that are not stated are ignored. */
export function parseListQuery(query: Parameters, { paging, normalisePhone }: Behaviour): ListQuery {
  const { externalOrderId, orderNumber, status, customerPhone } = query;
  return {
    filters: {
      externalOrderId,
      orderNumber,
      status,
      customerPhone: customerPhone === undefined ? undefined : normalisePhone(customerPhone),
      createdFrom: timeBound(query, 'createdFrom')?.first,
      createdTo: timeBound(query, 'createdTo')?.last,
    },
    page: Math.min(wholeNumber(query, 'page', paging.firstPage) ?? paging.firstPage, lastPage),
    pageSize: Math.min(wholeNumber(query, 'pageSize', 1) ?? paging.defaultPageSize, paging.largestPageSize),
  };
}

function timeBound(query: Parameters, name: string): TimeBound | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  const bound = parseTimeBound(text);
  if (bound) return bound;
  throw new Refusal('queryInvalid', `${name}: is not a date (2026-11-25) or a time (2026-11-25T08:30:00Z)`);
}

function wholeNumber(query: Parameters, name: string, least: number): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
  throw new Refusal('queryInvalid', `${name}: is not a whole number of ${least} or more`);
}
