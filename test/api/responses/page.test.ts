import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOrderPage } from '../../../src/api/responses/page.ts';
import { responseOf } from '../response.ts';
import cases from './page.json' with { type: 'json' };

const a = { id: 'A', status: 'NEW' };
const b = { id: 'B', status: 'NEW' };
const nothingStated = {
  isUnproven: false,
  page: null,
  pageSize: null,
  total: null,
  hasMore: null,
  mayCountPage: false,
  pageCount: null,
  next: null,
};

function read(body: unknown, headers: Record<string, string> = {}) {
  return readOrderPage(responseOf(200, JSON.stringify(body), headers));
}

describe('readOrderPage', () => {
  it.each(cases.paging as [string, object, unknown[]][])(
    'reads page, page size, total and whether there is more: %s',
    (_name, body, [page, pageSize, total, hasMore]) => {
      expect(read(body)).toMatchObject({ orders: [a], page, pageSize, total, hasMore, next: null });
    },
  );

  it.each(cases.totals)('reads the total named %s', (name) => {
    expect(read({ data: [a], [name]: 41 })?.total).toBe(41);
  });

  it('reads the total from a header, unless the body has one', () => {
    expect(read([a], { 'x-total-count': '41' })?.total).toBe(41);
    expect(read({ data: [a], total: 7 }, { 'x-total-count': '41' })?.total).toBe(7);
    expect(read([a], { 'x-total-count': 'many' })?.total).toBeNull();
    expect(read([a], { 'content-range': 'orders 0-19/41' })?.total).toBe(41);
    expect(read([a], { 'content-range': 'orders 0-19/*' })?.total).toBeNull();
  });

  it('accepts an empty list, and skips items that are not orders', () => {
    expect(read({ data: [], total: 0 })).toEqual({
      ...nothingStated,
      orders: [],
      total: 0,
    });
    expect(read([a, null, 'B', 7, [b]])?.orders).toEqual([a]);
  });

  const ordered = { id: 'A', externalOrderId: 'UB-1' };
  it.each(cases.noLists as [unknown][])('finds no list: %j', (body) => {
    expect(read(body)).toBeUndefined();
  });

  it.each(cases.ownNames as [string, object][])('finds the only list with orders: %s', (_name, body) => {
    expect(read(body)?.orders[0]).toEqual(ordered);
  });

  it('reads a list with 130,000 other names', () => {
    const names = Array.from({ length: 130_000 }, (_, index) => [`k${index}`, 1]);
    expect(read({ ...Object.fromEntries(names), orders: [a] })?.orders).toEqual([a]);
  });

  it.each(cases.emptyLists as [string, null | object][])('finds an empty list: %s', (_name, body) => {
    expect(read(body)?.orders).toEqual([]);
  });

  it.each(cases.noEmptyList as [string, unknown][])(
    'is strict, since an empty list proves that an order does not exist: %s',
    (_name, body) => {
      expect(read(body)).toBeUndefined();
    },
  );

  // Real and likely ways to say that a list could not be read, with a success status.
  const failures: object[] = cases.failures;
  it.each(failures)('does not take a failure for an empty list: %j', (said) => {
    for (const list of ['orders', 'data', 'value']) {
      expect(read({ [list]: [], ...said })).toBeUndefined();
      expect(read({ [list]: null, ...said })).toBeUndefined();
      expect(read({ result: { [list]: [], total: 0 }, ...said })).toBeUndefined();
    }
    expect(read({ total: 0, page: { totalElements: 0 }, ...said })).toBeUndefined();
  });

  it.each(cases.withoutOrders)('takes a list without orders as empty beside %j', (said) => {
    expect(read({ orders: [], ...said })?.orders).toEqual([]);
    expect(read({ data: null, ...said })?.orders).toEqual([]);
  });

  it.each([{ status: 'FAILED' }, { truncated: true }, { code: 17 }, { note: 'DB down' }])(
    'reads a list with orders beside %j',
    (said) => {
      expect(read({ orders: [a], ...said })?.orders).toEqual([a]);
    },
  );

  it.each(cases.wrapped as [string, object, object][])('unwraps each order: %s', (_name, item, order) => {
    expect(read({ data: [item] })?.orders).toEqual([order]);
  });

  it.each(cases.errorsAndOrders as [object][])('finds no list in an error or an order: %j', (body) => {
    expect(read(body)).toBeUndefined();
  });

  it.each(cases.more as [object, boolean][])('reads whether there is more: %j', (body, hasMore) => {
    expect(read(body)).toMatchObject({ hasMore, next: null });
  });

  it.each(cases.texts)('finds no list in a text with other words: %s', (text) => {
    expect(readOrderPage(responseOf(200, text))).toBeUndefined();
  });

  const names = [
    'data',
    'orders',
    '_embedded',
    'results',
    'attributes',
    'node',
    'id',
    'externalOrderId',
    'total',
    'x',
  ];
  const { body } = fc.letrec((tie) => ({
    body: fc.oneof(
      { maxDepth: 6 },
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('body'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('body'), { maxKeys: 4 }),
    ),
  }));

  it('never throws', () => {
    fc.assert(fc.property(fc.json(), (text) => void readOrderPage(responseOf(200, text))));
    fc.assert(
      fc.property(body, (json) => void read(json)),
      { numRuns: 1000 },
    );
  });

  it('never has an order that is not in the body', () => {
    const idsIn = (text: string) => [...text.matchAll(/"id":("(?:[^"\\]|\\.)*")/g)].map(([, id]) => id);
    fc.assert(
      fc.property(body, (json) => {
        const text = JSON.stringify(json);
        for (const { id } of read(json)?.orders ?? []) {
          if (typeof id === 'string') expect(idsIn(text)).toContain(JSON.stringify(id));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
