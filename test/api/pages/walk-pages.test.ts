import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../src/api/client.ts';
import type { ListQuery } from '../../../src/api/pages/list-orders.ts';
import { walkPages } from '../../../src/api/pages/walk-pages.ts';
import { asOrders, heavyPages, ids, pages } from '../list-pages.ts';
import { envelopes, idOf, type ListService, listService } from '../list-services.ts';
import {
  clientOf,
  orders,
  type ReceivedRequest,
  type Reply,
  startStubService,
  startWithClient,
} from '../stub-service.ts';

async function walk(client: ApiClient, query: ListQuery = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const page of walkPages(client, query)) found.push(...page.orders.map(({ id }) => `${id}`));
  return found;
}

async function walkOf(respond: (request: ReceivedRequest) => Reply, query: ListQuery = {}) {
  const { client, received } = clientOf(respond);
  let caveat: string | undefined;
  const found: string[] = [];
  for await (const page of walkPages(client, query)) {
    found.push(...page.orders.map(({ id }) => `${id}`));
    caveat = page.caveat && String(page.caveat);
  }
  const requestedPages = received.map(({ query: { page } }) => page);
  return { found, requestedPages, ...(caveat === undefined ? {} : { caveat }) };
}

describe('a walk', () => {
  it.each<[string, object, Reply]>([
    ['that is empty', {}, { json: { data: [], total: 9 } }],
    ['that is rejected', { hasMore: false }, { status: 400, json: { message: 'Page out of range' } }],
    ['after a last page', { hasMore: false }, { json: { data: [], total: 9, hasMore: false } }],
    ['without a link, after pages with links', { next: null }, { status: 422 }],
  ])('requests one more page for a total that was not reached: %s', async (_name, stated, beyond) => {
    const service = pages({ count: 6, stated: (page) => ({ page, total: 9, ...stated }) });
    const result = await walkOf((request) => (Number(request.query.page) > 2 ? beyond : service(request)));
    expect(result).toEqual({
      found: ids(6),
      requestedPages: [undefined, '2', '3', ...('json' in beyond && !('hasMore' in stated) ? ['4'] : [])],
      caveat: 'The service counts 9 orders, but its pages contain only 6.',
    });
  });

  it('ends after 10,000 pages with new orders', async () => {
    let sent = 0;
    const { client, received } = clientOf(() => ({ json: asOrders([`S-${sent++}`]) }));
    let end: unknown;
    for await (const { caveat } of walkPages(client, {})) end = caveat;
    expect([received.length, String(end)]).toEqual([
      10_000,
      'Only the first 10000 orders that the service lists were looked through.',
    ]);
  });

  it('returns orders without an id once, too', async () => {
    const { client } = clientOf(() => ({
      text: '[1.0,1.00,1.0]'.replace(/1.0+/g, '{"collectionMode":"NONE","total":$&}'),
    }));
    const found: unknown[] = [];
    for await (const page of walkPages(client, {})) found.push(...page.orders.map(({ total }) => `${total}`));
    expect(found).toEqual(['1.0', '1.00']);
  });
});

async function walkAll(service: ListService, query: ListQuery = {}) {
  const { client, received } = clientOf(listService(service));
  const found: string[] = [];
  let caveat: unknown;
  for await (const page of walkPages(client, query)) {
    found.push(...page.orders.map(({ id }) => `${id}`));
    caveat = page.caveat;
  }
  return { found, requestCount: received.length, caveat };
}

const allOf = (count: number) => Array.from({ length: count }, (_, place) => idOf(place));

describe('every envelope', () => {
  const kinds = Object.keys(envelopes).flatMap((envelope) =>
    ([0, 1] as const).map((base) => [envelope, base] as const),
  );

  it.each(kinds)('%s, from page %i: any number of orders', async (envelope, base) => {
    for (const count of [0, 1, 9, 10, 11, 20, 25]) {
      const { found } = await walkAll({ envelope, base, count, defaultSize: 10 });
      expect([count, found]).toEqual([count, allOf(count)]);
    }
  });

  it.each(kinds)(
    '%s, from page %i: the page number is ignored, and the walk says so',
    async (envelope, base) => {
      const service = { envelope, base, count: 25, defaultSize: 10, ignores: ['page'] };
      const result = await walkAll(service).catch((error: { code: string }) => error.code);
      const hasWarning =
        result === 'search_incomplete' || (typeof result === 'object' && result.caveat !== undefined);
      expect(hasWarning).toBe(true);
    },
  );

  it.each(kinds.flatMap(([envelope, base]) => [-7, 7].map((wrong) => [envelope, base, wrong] as const)))(
    '%s, from page %i: a total that is wrong by %i',
    async (envelope, base, wrong) => {
      const service = { envelope, base, count: 25, defaultSize: 10, total: (right: number) => right + wrong };
      const { found, requestCount } = await walkAll(service);
      expect(found).toEqual(allOf(25));
      expect(requestCount).toBeLessThan(10);
    },
  );
});

describe('a page that is too large', () => {
  const heavy = (count: number, kibibytes: number) => Array<number>(count).fill(kibibytes);
  const sizes = async (list: number[], query: ListQuery) => {
    const { client, received } = await startWithClient(heavyPages(list));
    const found = await walk(client, query).catch((error) => error);
    const requested = received.map(({ query: { page, pageSize } }) => [pageSize, page]);
    return { found, requested: requested.slice(0, 4) };
  };

  it('is a later one: the walk begins again, and returns every order once', async () => {
    const { found, requested } = await sizes([...heavy(4, 1), ...heavy(4, 3000)], { pageSize: '4' });
    expect(found).toEqual(ids(8));
    expect(requested.map(([size]) => size)).toEqual(['4', '4', '2', '2']);
  });
});

describe('a page beyond the last', () => {
  const beyond = (reply: Reply, stated: object = {}): ((request: ReceivedRequest) => Reply) => {
    return ({ query }) =>
      query.page === undefined ? { json: { data: asOrders(ids(3)), ...stated } } : reply;
  };

  it.each<[string, Reply]>([
    ['404', { status: 404 }],
    ['404 with a code', { status: 404, json: { code: 'INVALID_PAGE' } }],
    ['416', { status: 416 }],
  ])('ends the walk: %s', async (_name, reply) => {
    expect((await walkOf(beyond(reply))).found).toEqual(ids(3));
    for (const stated of [{ hasMore: true }, { next: '?page=2' }, { next_cursor: 'x' }]) {
      await expect(walkOf(beyond(reply, stated))).rejects.toMatchObject({ code: 'search_incomplete' });
    }
    const { client } = clientOf(beyond(reply, { total: 9 }));
    const caveats: unknown[] = [];
    for await (const { caveat } of walkPages(client, {})) caveats.push(caveat && String(caveat));
    expect(caveats).toEqual([undefined, 'The service counts 9 orders, but its pages contain only 3.']);
  });
});

describe('links', () => {
  const twoPages = (link: (host: string) => object): ((request: ReceivedRequest) => Reply) => {
    return ({ query, headers }) => {
      const isFirst = Object.keys(query).every((name) => name === 'status');
      const json = isFirst
        ? { data: [{ id: 'S-1', status: 'NEW' }], ...link(String(headers.host)) }
        : { data: [{ id: 'S-2', status: 'NEW' }], next: null };
      return { json };
    };
  };

  it.each<[string, (host: string) => object, object]>([
    [
      'to the same path',
      (host) => ({ next: `http://${host}${orders}?after=x` }),
      { after: 'x', status: 'A' },
    ],
    ['relative', () => ({ next: '?after=x&pageSize=2' }), { after: 'x', pageSize: '2', status: 'A' }],
    [
      'to another path',
      (host) => ({ next: `http://${host}/admin/delete?after=x` }),
      { after: 'x', status: 'A' },
    ],
    ['that changes the filter', () => ({ next: '?status=B&after=x' }), { after: 'x', status: 'A' }],
    ['to another origin', () => ({ next: `https://e.mn${orders}?after=x` }), { page: '1', status: 'A' }],
    ['to another port', () => ({ next: `http://127.0.0.1:1${orders}?after=x` }), { page: '1', status: 'A' }],
    ['with a user name', (host) => ({ next: `http://e.mn@${host}/?after=x` }), { after: 'x', status: 'A' }],
    ['without parameters', () => ({ next: '/admin' }), { page: '1', status: 'A' }],
    ['too long', () => ({ next: `?after=${'x'.repeat(3000)}` }), { page: '1', status: 'A' }],
    ['that is not a URL', () => ({ next: 'javascript:alert(1)' }), { page: '1', status: 'A' }],
    ['in an object', () => ({ links: { next: { href: '?after=x' } } }), { after: 'x', status: 'A' }],
    ['replaced by a cursor', () => ({ next_cursor: 'abc' }), { page: '1', status: 'A' }],
  ])('%s: only its parameters are used, with the same path', async (_name, link, second) => {
    const { client, received } = clientOf(twoPages(link));
    expect(await walk(client, { status: 'A' })).toEqual(['S-1', 'S-2']);
    expect(received.map(({ path }) => path)).toEqual(Array(received.length).fill(orders));
    expect(received[1]?.query).toEqual(second);
  });

  it('sends nothing to another origin', async () => {
    const elsewhere = await startStubService(() => ({ json: [{ id: 'S-9', status: 'NEW' }] }));
    const { client } = clientOf(({ query }) => ({
      json: query.page === undefined ? [{ id: 'S-1', status: 'NEW' }] : [],
      headers: { link: `<${elsewhere.baseUrl}${orders}?page=2>; rel="next"` },
    }));
    await expect(walk(client)).rejects.toMatchObject({ code: 'search_incomplete', exitCode: 7 });
    expect(elsewhere.received).toEqual([]);
  });

  it('fails when only a cursor leads to the next page', async () => {
    const { client } = clientOf(() => ({
      json: { data: [{ id: 'S-1', status: 'NEW' }], next_cursor: 'abc' },
    }));
    await expect(walk(client)).rejects.toThrow(
      'There are more orders, but the service points to them with a cursor or link that cannot be followed: 1 order was read.',
    );
  });
});
