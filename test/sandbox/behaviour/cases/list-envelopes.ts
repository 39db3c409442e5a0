import { expect } from 'vitest';
import type { Case } from '../case.ts';
import { anOrder, orders } from '../serve.ts';

interface Page {
  data: unknown[];
  /** 1 or 2, of 2 pages. */
  page: number;
  isLast: boolean;
  urlOf(page: number): string;
}

interface Expected {
  value: string;
  body: (page: Page) => unknown;
  headers?: (page: Page) => Record<string, string | undefined>;
}

const pageSize = 2;
const total = 3;
const cursor = Buffer.from('page:2').toString('base64url');

const expected: Expected[] = [
  { value: 'data_page', body: ({ data, page }) => ({ data, page, pageSize, total }) },
  { value: 'array', body: ({ data }) => data },
  { value: 'data_meta', body: ({ data, page }) => ({ data, meta: { page, pageSize, total, pageCount: 2 } }) },
  {
    value: 'data_pagination',
    body: ({ data, page }) => ({ data, pagination: { page, per_page: pageSize, total_count: total } }),
  },
  {
    value: 'data_has_more',
    body: ({ data, isLast }) => ({
      object: 'list',
      data,
      has_more: !isLast,
      next_cursor: isLast ? null : cursor,
    }),
  },
  { value: 'items', body: ({ data, page }) => ({ items: data, total, page, limit: pageSize }) },
  {
    value: 'items_next_page_token',
    body: ({ data, isLast }) => ({ items: data, ...(isLast ? {} : { nextPageToken: cursor }) }),
  },
  { value: 'orders', body: ({ data, page }) => ({ orders: data, page, pageSize, total }) },
  { value: 'result', body: ({ data }) => ({ result: data, total }) },
  { value: 'results', body: ({ data, page }) => ({ results: data, page, total }) },
  { value: 'records', body: ({ data, page }) => ({ records: data, current: page, size: pageSize, total }) },
  { value: 'list', body: ({ data, page }) => ({ list: data, pageNum: page, pageSize, total }) },
  { value: 'rows', body: ({ data }) => ({ rows: data, count: total }) },
  { value: 'nested_items', body: ({ data, page }) => ({ data: { items: data, page, pageSize, total } }) },
  {
    value: 'nested_orders',
    body: ({ data, isLast }) => ({
      data: { orders: data, pageInfo: { hasNextPage: !isLast, endCursor: isLast ? null : cursor } },
    }),
  },
  { value: 'success_data', body: ({ data }) => ({ success: true, data }) },
  {
    value: 'link_header',
    body: ({ data }) => data,
    headers: ({ isLast, urlOf }) => ({ link: isLast ? undefined : `<${urlOf(2)}>; rel="next"` }),
  },
  {
    value: 'total_count_header',
    body: ({ data }) => data,
    headers: () => ({ 'x-total-count': '3' }),
  },
  {
    value: 'django_rest',
    body: ({ data, isLast, urlOf }) => ({
      count: total,
      next: isLast ? null : urlOf(2),
      previous: isLast ? urlOf(1) : null,
      results: data,
    }),
  },
  {
    value: 'spring',
    body: ({ data, page, isLast }) => ({
      content: data,
      totalElements: total,
      totalPages: 2,
      number: page,
      size: pageSize,
      numberOfElements: data.length,
      first: page === 1,
      last: isLast,
      empty: false,
    }),
  },
  {
    value: 'hal',
    body: ({ data, page, isLast, urlOf }) => ({
      _embedded: { orders: data },
      _links: { self: { href: urlOf(page) }, ...(isLast ? {} : { next: { href: urlOf(2) } }) },
      page: { size: pageSize, totalElements: total, totalPages: 2, number: page },
    }),
  },
  {
    value: 'laravel',
    body: ({ data, page, isLast, urlOf }) => ({
      current_page: page,
      data,
      first_page_url: urlOf(1),
      last_page: 2,
      next_page_url: isLast ? null : urlOf(2),
      per_page: pageSize,
      prev_page_url: isLast ? urlOf(1) : null,
      total,
    }),
  },
  {
    value: 'json_api',
    body: ({ data, page, isLast, urlOf }) => ({
      data,
      links: { self: urlOf(page), next: isLast ? null : urlOf(2) },
      meta: { total },
    }),
  },
];

export const listEnvelopeCases: Case[] = expected.map(({ value, body, headers }) => ({
  setting: 'answers.list',
  value,
  check: async ({ sandbox, create, list }) => {
    const created: unknown[] = [];
    for (const externalOrderId of ['A', 'B', 'C'])
      created.unshift((await create(anOrder({ externalOrderId }))).json);
    for (const page of [1, 2]) {
      const response = await list(`?pageSize=${pageSize}&page=${page}`);
      const data = page === 1 ? created.slice(0, 2) : created.slice(2);
      const urlOf = (other: number) => `${sandbox.baseUrl}${orders}?pageSize=${pageSize}&page=${other}`;
      const expectedPage = { data, page, isLast: page === 2, urlOf };
      expect([response.status, response.json]).toEqual([200, body(expectedPage)]);
      const expectedHeaders = headers?.(expectedPage) ?? {};
      for (const name of ['link', 'x-total-count'])
        expect(response.headers[name]).toBe(expectedHeaders[name]);
    }
  },
}));
