import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOrderPage } from '../../../src/api/responses/page.ts';
import { responseOf } from '../response.ts';

const a = { id: 'A' };
const b = { id: 'B' };
const nothingStated = { page: null, pageSize: null, total: null, hasMore: null, next: null };

function read(body: unknown, headers: Record<string, string> = {}) {
  return readOrderPage(responseOf(200, JSON.stringify(body), headers));
}

describe('readOrderPage', () => {
  it.each([
    ['a bare array', [a, b]],
    ['data', { data: [a, b] }],
    ['items', { items: [a, b] }],
    ['orders', { orders: [a, b] }],
    ['results', { results: [a, b] }],
    ['result', { result: [a, b] }],
    ['content', { content: [a, b] }],
    ['records', { records: [a, b] }],
    ['rows', { rows: [a, b] }],
    ['list', { list: [a, b] }],
    ['data.items', { data: { items: [a, b] } }],
    ['data.orders', { success: true, data: { orders: [a, b] } }],
    ['result.list', { result: { list: [a, b] } }],
    ['HAL', { _embedded: { orders: [a, b] }, _links: {} }],
  ])('finds the orders: %s', (_name, body) => {
    expect(read(body)).toEqual({ orders: [a, b], ...nothingStated });
  });

  it.each([
    ['page, pageSize and total', { data: [a], page: 1, pageSize: 20, total: 41 }, [1, 20, 41, null]],
    ['meta', { data: [a], meta: { page: 1, pageSize: 20, total: 41 } }, [1, 20, 41, null]],
    [
      'pagination',
      { items: [a], pagination: { currentPage: 3, perPage: 5, totalCount: 11 } },
      [3, 5, 11, null],
    ],
    ['cursor', { data: [a], has_more: true }, [null, null, null, true]],
    ['page_info', { data: [a], page_info: { hasNextPage: false } }, [null, null, null, false]],
    ['DRF', { count: 41, results: [a] }, [null, null, 41, null]],
    ['Spring', { content: [a], totalElements: 41, totalPages: 3, number: 0, size: 20 }, [0, 20, 41, null]],
    ['Spring, nested', { content: [a], page: { number: 0, size: 20, totalElements: 41 } }, [0, 20, 41, null]],
    ['HAL', { _embedded: { orders: [a] }, page: { number: 2, size: 1, totalElements: 3 } }, [2, 1, 3, null]],
    ['Laravel', { data: [a], current_page: 2, per_page: 15, total: 41 }, [2, 15, 41, null]],
    ['nested', { data: { orders: [a], page: 1, total: 9 } }, [1, null, 9, null]],
    ['nested, counts outside', { data: { orders: [a] }, page: 4, total: 9 }, [4, null, 9, null]],
    ['text', { data: [a], page: '1', pageSize: '20', total: '41' }, [1, 20, 41, null]],
    [
      'invalid values',
      { data: [a], page: -1, pageSize: 1.5, total: 'many', hasMore: 'no' },
      [null, null, null, null],
    ],
    ['a total beyond safe integers', { data: [a], total: 1e21 }, [null, null, null, null]],
  ])(
    'reads page, page size, total and whether there is more: %s',
    (_name, body, [page, pageSize, total, hasMore]) => {
      expect(read(body)).toEqual({ orders: [a], page, pageSize, total, hasMore, next: null });
    },
  );

  it('reads the total from a header, unless the body has one', () => {
    expect(read([a], { 'x-total-count': '41' })?.total).toBe(41);
    expect(read({ data: [a], total: 7 }, { 'x-total-count': '41' })?.total).toBe(7);
    expect(read([a], { 'x-total-count': 'many' })?.total).toBeNull();
  });

  it('accepts an empty list, and skips items that are not orders', () => {
    expect(read({ data: [], total: 0 })).toEqual({ ...nothingStated, orders: [], total: 0 });
    expect(read([a, null, 'B', 7, [b]])?.orders).toEqual([a]);
  });

  it.each([
    [{}],
    [null],
    ['text'],
    [7],
    [{ data: null }],
    [{ data: {} }],
    [{ id: 'A', lines: [a] }],
    [{ error: [a] }],
  ])('finds no list: %j', (body) => {
    expect(read(body)).toBeUndefined();
  });

  it.each([
    [{ success: false, data: [a] }],
    [{ data: [a], error: { code: 'BUSY' } }],
    [{ errors: ['no'], orders: [a] }],
    [{ id: 'A', orderNumber: 'ORD-2026-000001', items: [{ sku: 'TEA-1' }] }],
    [{ data: { id: 'A', externalOrderId: 'UB-1', items: [{ sku: 'TEA-1' }] } }],
  ])('finds no list in an error or an order: %j', (body) => {
    expect(read(body)).toBeUndefined();
  });

  it.each([
    [{ data: [a], last: true }, false],
    [{ data: [a], last: false }, true],
    [{ data: [a], next: null }, false],
    [{ data: [a], meta: { next_page: null } }, false],
    [{ data: [a], links: { next: null }, meta: { hasMore: true } }, true],
    [{ data: [a], nextPageToken: '' }, false],
  ])('reads whether there is more: %j', (body, hasMore) => {
    expect(read(body)).toMatchObject({ hasMore, next: null });
  });

  it('finds no list without JSON', () => {
    expect(readOrderPage(responseOf(200, '<html>'))).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.json(), (text) => void readOrderPage(responseOf(200, text))));
  });
});
