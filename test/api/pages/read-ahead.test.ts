import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import type { AttemptPolicy } from '../../../src/api/pacing/attempts.ts';
import type { ListQuery } from '../../../src/api/pages/list-orders.ts';
import { walkPages } from '../../../src/api/pages/walk-pages.ts';
import { asOrders, ids, pages } from '../list-pages.ts';
import { type ListService, listService } from '../list-services.ts';
import { clientOf, type ReceivedRequest, type Reply, startWithClient } from '../stub-service.ts';

interface WalkOptions {
  query?: ListQuery;
  wanted?: number;
  policy?: Partial<AttemptPolicy>;
  open?: typeof clientOf | typeof startWithClient;
}

/** Reads the list as `list` does; `requestedPages` has the pages that were requested when each page was returned. */
async function walkOf(respond: (request: ReceivedRequest) => Reply, options: WalkOptions = {}) {
  const { query = {}, wanted = Number.POSITIVE_INFINITY, policy, open = clientOf } = options;
  const { client, received } = await open(respond, policy);
  const requested: (string | undefined)[] = [];
  const call: typeof client.call = (operation, request, callOptions) => {
    requested.push(request.query?.page);
    return client.call(operation, request, callOptions);
  };
  const found: string[] = [];
  const requestedPages: string[] = [];
  let end: unknown;
  try {
    for await (const { orders, caveat } of walkPages({ ...client, call }, query, wanted)) {
      requestedPages.push(requested.join(' '));
      found.push(...orders.map(({ id }) => `${id}`));
      end = caveat;
    }
  } catch (error) {
    end = (error as Error).message;
  }
  return { found, end, requestedPages, requests: received.length };
}

const stated = (page: number, total: number) => ({ page, pageSize: 3, total });

it('requests two pages before a page is returned, and none beyond the last', async () => {
  const { requestedPages, found, requests } = await walkOf(pages({ count: 10, stated }));
  expect(requestedPages).toEqual([' 2 3', ' 2 3 4', ' 2 3 4', ' 2 3 4']);
  expect([found, requests]).toEqual([ids(10), 4]);
});

it('requests no page that is beyond the orders that are wanted', async () => {
  const service = pages({ count: 30, stated });
  const first = async (wanted: number) => (await walkOf(service, { wanted })).requestedPages[0];
  expect([await first(3), await first(4), await first(6), await first(7)]).toEqual(['', ' 2', ' 2', ' 2 3']);
  expect(await first(0)).toBe('');
});

it.each<[string, Parameters<typeof pages>[0]]>([
  ['the total is not stated', { stated: (page) => ({ page, pageSize: 3, hasMore: page < 4 }) }],
  ['the page size is neither requested nor stated', { stated: (page, total) => ({ page, total }) }],
  ['the page is not full', { stated: (page, total) => ({ page, pageSize: 4, total }) }],
  [
    'the next page is reached with a link',
    { stated: (page, total) => ({ ...stated(page, total), next: page < 4 ? `?page=${page + 1}` : null }) },
  ],
  [
    'the service states that this is the last page',
    { stated: (page, total) => ({ ...stated(page, total), hasMore: false }) },
  ],
])('requests one page where %s', async (_name, paging) => {
  expect((await walkOf(pages({ count: 10, ...paging }))).requestedPages[0]).toBe(' 2');
});

/** One for each combination of what a page may state. */
const kinds = [
  'bare array',
  'data, meta',
  'data, pagination',
  'data, has_more',
  'count, next, results',
  'Spring',
];
const otherKinds = ['JSON:API', 'rows, count of the page', 'result, next page number', 'Salesforce'];

it('reads the same from every kind of service', async () => {
  const services = [...kinds, ...otherKinds].flatMap((envelope) =>
    ([0, 1] as const).flatMap((base): ListService[] => [
      ...[0, 9, 10, 25, 40].map((count) => ({ envelope, base, count })),
      { envelope, base, count: 45, ignores: ['page'] },
      { envelope, base, count: 45, ignores: ['pageSize'] },
      { envelope, base, count: 45, maxSize: 5 },
      ...[-17, -7, 7, 17].map((wrong) => ({
        envelope,
        base,
        count: 45,
        total: (right: number) => right + wrong,
      })),
    ]),
  );
  for (const service of services) {
    const query = { pageSize: '10' };
    const { found, end } = await walkOf(listService(service), { query, wanted: 0 });
    expect({ service, ...(await walkOf(listService(service), { query })) }).toMatchObject({
      service,
      found,
      end,
    });
  }
});

/** Replies to one page first, then changes the list, and replies to the other one only then. */
function inOrder([first, second]: readonly string[], change: (list: string[]) => void) {
  const list = ids(11);
  let isChanged = false;
  let goOn = () => {};
  const changed = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  return ({ query: { page = '1' } }: ReceivedRequest): Reply =>
    async (response) => {
      if (page === second) await changed;
      const number = Number(page);
      const data = asOrders(list.slice((number - 1) * 3, number * 3));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data, ...stated(number, list.length) }));
      if (page !== first || isChanged) return;
      isChanged = true;
      change(list);
      goOn();
    };
}

it.each([
  ['2', '3'],
  ['3', '2'],
])(
  'misses no order that moves to another page between the replies to page %s and page %s',
  async (...order) => {
    const { found, end } = await walkOf(
      inOrder(order, (list) => void list.unshift('N-1')),
      { open: startWithClient },
    );
    expect(found).toEqual(ids(11));
    expect(end).toBeUndefined();
  },
);

it.each([
  ['2', '3'],
  ['3', '2'],
])('says that orders left the list between the replies to page %s and page %s', async (...order) => {
  const { found, end } = await walkOf(
    inOrder(order, (list) => void list.splice(0, 4)),
    { open: startWithClient },
  );
  expect(new Set(found).size).toBe(found.length);
  expect(String(end)).toMatch(/^Orders disappeared/);
});

it('ignores the error of a page that is not needed after all', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const service = ({ query: { page = '1' } }: ReceivedRequest): Reply => {
    if (page === '3') return { status: 403, json: {} };
    const orders = page === '1' ? ids(3) : ids(6, 3);
    return { json: { data: asOrders(orders), ...stated(Number(page), 9), hasMore: page === '1' } };
  };
  const { found, end, requests } = await walkOf(service);
  await new Promise(setImmediate);
  expect([found, end, requests, unhandled]).toEqual([ids(9), undefined, 3, []]);
});

it('does not take the page that was requested for another one', async () => {
  // Page numbers begin at 0, and are stated from 1: the walk goes back to the page that it skipped.
  const service = pages({ count: 14, base: 0, stated: (page, total) => stated(page + 1, total) });
  const { found, requestedPages } = await walkOf(service);
  expect(found.toSorted()).toEqual(ids(14).toSorted());
  expect(requestedPages.slice(0, 2)).toEqual([' 2 3', ' 2 3 1 2']);
});

it('returns the pages before one that fails', async () => {
  const service = pages({ count: 12, stated });
  const { found, end } = await walkOf((request) =>
    request.query.page === '3' ? { status: 403, json: {} } : service(request),
  );
  expect([found, typeof end]).toEqual([ids(6), 'string']);
});
