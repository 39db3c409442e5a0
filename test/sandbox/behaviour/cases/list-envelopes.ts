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

const expected: Expected[] = [
  { value: 'data_page', body: ({ data, page }) => ({ data, page, pageSize, total }) },
  { value: 'array', body: ({ data }) => data },
  { value: 'data_meta', body: ({ data, page }) => ({ data, meta: { page, pageSize, total, pageCount: 2 } }) },
  {
    value: 'data_has_more',
    body: ({ data, isLast }) => ({
      object: 'list',
      data,
      has_more: !isLast,
    }),
  },
  {
    value: 'link_header',
    body: ({ data }) => data,
    headers: ({ isLast, urlOf }) => ({ link: isLast ? undefined : `<${urlOf(2)}>; rel="next"` }),
  },
];

export const listEnvelopeCases: Case[] = expected.map(({ value, body, headers }) => ({
  setting: 'responses.list',
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
      expect(response.headers.link).toBe(expectedHeaders.link);
    }
  },
}));
