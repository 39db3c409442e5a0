import { describe, expect, it } from 'vitest';
import { listNumberedPage, nextPageOf } from '../../../src/api/pages/list-orders.ts';
import type { OrderPage } from '../../../src/api/responses/page.ts';
import { asOrders, ids, pages } from '../list-pages.ts';
import { clientOf, type ReceivedRequest, type Reply } from '../stub-service.ts';

describe('listNumberedPage', () => {
  const stated = (page: number, total: number) => ({ page, pageSize: 3, total });
  const list = pages({ stated });
  const lastIs3 =
    (beyond: Reply): ((request: ReceivedRequest) => Reply) =>
    (request) =>
      Number(request.query.page ?? 1) > 3 ? beyond : list(request);

  it.each<[string, (request: ReceivedRequest) => Reply, string]>([
    ['every page is missing', () => ({ status: 404 }), 'wrong_base_url'],
    ['the first page is no list', lastIs3({ status: 404 }), 'wrong_base_url'],
    ['every page is rejected', () => ({ status: 400 }), 'request_refused'],
    ['the key is not accepted', lastIs3({ status: 401 }), 'key_refused'],
  ])('fails when %s', async (name, respond, code) => {
    const noList = { json: { message: 'Welcome' } };
    const isNoList = name.includes('no list');
    const { client } = clientOf((request) =>
      isNoList && request.query.page === undefined ? noList : respond(request),
    );
    await expect(listNumberedPage(client, { page: '99' })).rejects.toMatchObject({ code });
  });

  it.each([
    ['0', {}],
    ['1', {}],
    ['2', { page: 1, pageSize: 3, total: 7 }],
    ['3', { page: 1, pageSize: 3, total: 7 }],
    ['2', { hasMore: true }],
  ])('shows why page %s is rejected, which may exist: the first page states %j', async (page, stated) => {
    const first = pages({ stated: () => stated });
    const { client } = clientOf((request) =>
      request.query.page === undefined ? first(request) : { status: 422, json: { message: 'Not today.' } },
    );
    await expect(listNumberedPage(client, { page })).rejects.toMatchObject({
      code: 'request_refused',
      message: expect.stringContaining('Not today'),
    });
  });
});

describe('nextPageOf', () => {
  const nextOf = (length: number, requested: number | undefined, stated: Partial<OrderPage>) => {
    const nothingStated = {
      page: null,
      pageSize: null,
      total: null,
      hasMore: null,
      next: null,
      mayCountPage: false,
      pageCount: null,
    };
    return nextPageOf(
      { ...nothingStated, ...stated, isUnproven: false, orders: asOrders(ids(length)) },
      requested === undefined ? {} : { page: String(requested) },
    );
  };
  const by20 = (page: number, total: number) => ({ page, pageSize: 20, total });

  it.each<[string, number, number | undefined, Partial<OrderPage>, number | null]>([
    ['the first of 41, from 1', 20, undefined, by20(1, 41), 2],
    ['the first of 40, from 1', 20, undefined, by20(1, 40), 2],
    ['the first of 41, from 0', 20, undefined, by20(0, 41), 1],
    ['the only one, from 1', 20, undefined, by20(1, 20), null],
    ['the only one, from 0', 20, undefined, by20(0, 20), null],
    ['the second of 41, from 1', 20, 2, by20(2, 41), 3],
    ['the second of 41, from 0', 20, 1, by20(1, 41), 2],
    ['the last of 41, from 1', 1, 3, by20(3, 41), null],
    ['the last of 41, from 0', 1, 2, by20(2, 41), null],
    ['the last of 40, from 1', 20, 2, by20(2, 40), null],
    ['page 1 of 40, from 0 or 1: an empty page is better than a missing one', 20, 1, by20(1, 40), 2],
    ['page 0', 20, 0, by20(0, 41), 1],
    ['page 0 of one', 20, 0, by20(0, 20), null],
    ['beyond the last', 0, 9, by20(9, 41), null],
    ['there is more', 20, undefined, { page: 1, hasMore: true }, 2],
    ['there is no more', 20, undefined, { ...by20(1, 41), hasMore: false }, null],
    ['there is more, although the total says otherwise', 20, 3, { ...by20(3, 41), hasMore: true }, 4],
    ['only the requested number is known', 20, 3, { hasMore: true }, 4],
    ['a link', 20, undefined, { next: { link: 'https://e.mn/orders?page=1&pageSize=20' } }, 1],
    ['a relative link', 20, 4, { next: { link: '?page=5' } }, 5],
    ['a link without a number', 20, 4, { next: { link: '?after=x' } }, 5],
    ['an invalid link', 20, 4, { next: { link: 'http://[' } }, 5],
    ['a cursor', 20, 4, { next: 'cursor' }, 5],
    ['stated from 0, requested from 1', 20, 1, { page: 0, hasMore: true }, 2],
    ['no number at all', 20, undefined, { hasMore: true }, 2],
    ['no page size', 20, undefined, { page: 1, total: 41 }, 2],
    ['no page size, all of them', 20, undefined, { page: 1, total: 20 }, null],
    ['no total: a full page may not be the last', 20, undefined, { page: 1, pageSize: 20 }, 2],
    ['no total, a short page', 19, undefined, { page: 1, pageSize: 20 }, null],
    ['nothing stated: a page of a usual size may not be the last', 20, undefined, {}, 2],
    ['nothing stated, a page of another size', 17, undefined, {}, null],
    ['an empty page', 0, undefined, {}, null],
  ])('%s', (_name, length, requested, stated, expected) => {
    expect(nextOf(length, requested, stated)).toBe(expected);
  });
});
