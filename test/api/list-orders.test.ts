import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import type { OrderPage } from '../../src/api/list-envelope.ts';
import { type ListQuery, listPage, nextPageOf, walkPages } from '../../src/api/list-orders.ts';
import { lost, orders, type Reply, type Seen, startWithClient } from './foreign-service.ts';

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `S-${from + index}`);
const asOrders = (list: string[]) => list.map((id) => ({ id }));

interface Paging {
  count?: number;
  size?: number;
  base?: 0 | 1;
  /** What a page tells beside its orders. */
  tells?: (page: number, count: number, base: number) => object;
}

/** A service with so many orders, in pages. */
function pages({ count = 7, size = 3, base = 1, tells = () => ({}) }: Paging = {}) {
  return ({ query }: Seen): Reply => {
    const page = query.page === undefined ? base : Number(query.page);
    const start = (page - base) * size;
    const data = start < 0 ? [] : asOrders(ids(count).slice(start, start + size));
    return { json: { data, ...tells(page, count, base) } };
  };
}

async function walk(client: ApiClient, query: ListQuery = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const page of walkPages(client, query)) found.push(...page.orders.map(({ id }) => `${id}`));
  return found;
}

async function walkOf(answer: (seen: Seen) => Reply, query: ListQuery = {}) {
  const { client, seen } = await startWithClient(answer);
  return { found: await walk(client, query), asked: seen.map(({ query: { page } }) => page) };
}

describe('a walk', () => {
  const tellers: [string, NonNullable<Paging['tells']>][] = [
    ['nothing', () => ({})],
    ['its number', (page) => ({ page })],
    ['the total', (_page, count) => ({ total: count })],
    ['its number and the total', (page, count) => ({ meta: { page, pageSize: 3, total: count } })],
    ['whether there is more', (page, count, base) => ({ page, hasMore: (page + 1 - base) * 3 < count })],
  ];

  it.each(tellers.flatMap(([name, tells]) => ([0, 1] as const).map((base) => [name, base, tells] as const)))(
    'brings every order once, of a service that tells %s and counts from %i',
    async (_name, base, tells) => {
      for (const count of [0, 1, 3, 6, 7]) {
        const { found } = await walkOf(pages({ count, base, tells }));
        expect([count, found]).toEqual([count, ids(count)]);
      }
    },
  );

  it('does not ask once more when it has been told the end', async () => {
    const told = pages({ tells: (page, count) => ({ page, total: count }) });
    expect(await walkOf(told)).toEqual({ found: ids(7), asked: [undefined, '2', '3'] });
    const more = pages({ tells: (page) => ({ page, has_more: page < 3 }) });
    expect(await walkOf(more)).toEqual({ found: ids(7), asked: [undefined, '2', '3'] });
  });

  it('begins where it is told to', async () => {
    expect(await walkOf(pages(), { page: '2' })).toEqual({ found: ids(4, 3), asked: ['2', '3', '4'] });
    expect(await walkOf(pages({ base: 0 }), { page: '0' })).toMatchObject({ found: ids(7) });
  });

  it('takes its filters along, and its page size', async () => {
    const query = { customerPhone: '+976 99', createdFrom: '2026-11-01', pageSize: '3' };
    const { client, seen } = await startWithClient(pages({ tells: (page) => ({ page }) }));
    await walk(client, query);
    expect(seen.map((one) => [one.path, one.query])).toEqual([
      [orders, query],
      [orders, { ...query, page: '2' }],
      [orders, { ...query, page: '3' }],
      [orders, { ...query, page: '4' }],
    ]);
  });

  it('proves nothing when the service repeats a page and says that there is more', async () => {
    const walkTold = (told: object) => walkOf(() => ({ json: { data: asOrders(ids(3)), ...told } }));
    await expect(walkTold({ hasMore: true })).rejects.toMatchObject({
      code: 'search_incomplete',
      exitCode: 7,
    });
    await expect(walkTold({ total: 9 })).rejects.toThrow(
      'The service repeats its pages: 3 of 9 orders were read.',
    );
    expect((await walkTold({ total: 3 })).found).toEqual(ids(3));
  });

  it('ends on a service that ignores the page', async () => {
    const ignores = () => ({ json: asOrders(ids(3)) });
    expect(await walkOf(ignores)).toEqual({ found: ids(3), asked: [undefined, '1', '2'] });
  });

  it('ends on a service that repeats its last page', async () => {
    const { found } = await walkOf(({ query }) => {
      const page = Math.min(Number(query.page ?? 1), 2);
      return { json: { data: asOrders(ids(3, (page - 1) * 3)), page } };
    });
    expect(found).toEqual(ids(6));
  });

  it('brings no order twice when pages shift while they are read', async () => {
    const { found } = await walkOf(({ query }) => {
      const start = (Number(query.page ?? 1) - 1) * 2;
      return { json: { data: asOrders(ids(6).slice(start, start + 3)), page: Number(query.page ?? 1) } };
    });
    expect(found).toEqual(ids(6));
  });

  it('brings orders without an id once as well', async () => {
    const { client } = await startWithClient(() => ({
      text: '[{"total":1.0},{"total":1.00},{"total":1.0}]',
    }));
    const found: unknown[] = [];
    for await (const page of walkPages(client, {})) found.push(...page.orders.map(({ total }) => `${total}`));
    expect(found).toEqual(['1.0', '1.00']);
  });

  it('does not take the number of orders on a page for all there are, when told that there is more', async () => {
    const counts = pages({ tells: (page) => ({ page, count: page < 3 ? 3 : 1, has_more: page < 3 }) });
    expect((await walkOf(counts)).found).toEqual(ids(7));
  });

  it('goes on after a lost answer, and ends with an error it cannot read past', async () => {
    let asked = 0;
    const service = pages();
    const flaky = (seen: Seen): Reply => (asked++ % 2 === 0 ? lost : service(seen));
    expect((await walkOf(flaky)).found).toEqual(ids(7));
    const { client } = await startWithClient((seen) =>
      seen.query.page === '2' ? { json: {} } : pages({ tells: (page) => ({ page }) })(seen),
    );
    await expect(walk(client)).rejects.toMatchObject({ code: 'unreadable_answer' });
  });
});

describe('one page', () => {
  it('is as the service cuts it', async () => {
    const tells = (page: number, total: number) => ({ page, pageSize: 3, total });
    const { client, seen } = await startWithClient(pages({ tells }));
    expect(await listPage(client, { page: '2', pageSize: '3' })).toEqual({
      orders: asOrders(ids(3, 3)),
      page: 2,
      pageSize: 3,
      total: 7,
      hasMore: null,
    });
    expect(seen.map(({ query }) => query)).toEqual([{ page: '2', pageSize: '3' }]);
  });

  it.each<[string, Reply, string]>([
    ['401', { status: 401 }, 'key_refused'],
    ['403', { status: 403 }, 'permission_missing'],
    ['404', { status: 404 }, 'wrong_base_url'],
    ['405', { status: 405 }, 'wrong_base_url'],
    ['404 with a code', { status: 404, json: { code: 'NO_MERCHANT' } }, 'request_refused'],
    ['400', { status: 400 }, 'request_refused'],
    ['a redirect', { status: 302, headers: { location: 'https://e.mn/' } }, 'wrong_base_url'],
    ['429 for too long', { status: 429, headers: { 'retry-after': '301' } }, 'throttled'],
    ['500', { status: 500 }, 'unreachable'],
    ['no answer', lost, 'unreachable'],
    ['no list', { json: { error: { code: 'BUSY' } } }, 'unreadable_answer'],
    ['a page', { text: '<html>' }, 'unreadable_answer'],
  ])('%s: an error', async (_name, reply, code) => {
    const { client } = await startWithClient(() => reply);
    await expect(listPage(client, {})).rejects.toMatchObject({ code });
  });
});

describe('nextPageOf', () => {
  it.each<[Partial<OrderPage>, number | null]>([
    [{ page: 1, pageSize: 20, total: 41 }, 2],
    [{ page: 2, pageSize: 20, total: 41 }, 3],
    [{ page: 3, pageSize: 20, total: 41 }, null],
    [{ page: 1, pageSize: 20, total: 20 }, null],
    [{ page: 0, pageSize: 20, total: 41 }, 1],
    [{ page: 0, pageSize: 20, total: 20 }, null],
    [{ page: 1, hasMore: true }, 2],
    [{ page: 1, pageSize: 20, total: 41, hasMore: false }, null],
    [{ page: 3, pageSize: 20, total: 41, hasMore: true }, 4],
    [{ page: null, hasMore: true }, null],
    [{ page: 1, total: 41 }, null],
    [{ page: 1 }, null],
    [{}, null],
  ])('%j: %s', (page, expected) => {
    const silent = { orders: [], page: null, pageSize: null, total: null, hasMore: null };
    expect(nextPageOf({ ...silent, ...page })).toBe(expected);
  });
});
