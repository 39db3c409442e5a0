import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptPolicy } from '../../../src/api/pacing/attempts.ts';
import {
  createOrderFinder,
  type LookupResult,
  type RespelledOrders,
} from '../../../src/api/pages/order-finder.ts';
import { envelopes, frameworkEnvelopes, listService } from '../list-services.ts';
import { clientOf, lost, type ReceivedRequest, type Reply, startWithClient } from '../stub-service.ts';

interface StoredOrder {
  id: string;
  externalOrderId?: string | null;
  status?: string;
}

/** Orders with these external order IDs; the id of each ends with its index. */
const ordersWith = (...externalOrderIds: string[]): StoredOrder[] =>
  externalOrderIds.map((externalOrderId, index) => ({ id: `S-${index}`, externalOrderId }));
const shop = ordersWith('UB-0', 'UB-1', 'UB-2', 'UB-3', 'UB-4', 'UB-5', 'UB-6');

interface Paging {
  filters?: boolean;
  size?: number;
  base?: 0 | 1;
  stated?: (page: number, total: number) => object;
}

/** A service with these orders, in pages of three. */
function list(all: StoredOrder[], { filters = false, size = 3, base = 1, stated = () => ({}) }: Paging = {}) {
  return ({ query }: ReceivedRequest): Reply => {
    const wantedId = query.externalOrderId;
    const some =
      filters && wantedId !== undefined ? all.filter((order) => order.externalOrderId === wantedId) : all;
    const page = Number(query.page ?? base);
    const start = (page - base) * size;
    const data = start < 0 ? [] : some.slice(start, start + size);
    return { json: { data, ...stated(page, some.length) } };
  };
}

async function start(
  respond: (request: ReceivedRequest) => Reply,
  policy: Partial<AttemptPolicy> = {},
  open: typeof clientOf | typeof startWithClient = clientOf,
) {
  const { client, received } = await open(respond, policy);
  const finder = createOrderFinder(client);
  const filtered = () =>
    received.flatMap(({ query: { externalOrderId: wantedId } }) => (wantedId === undefined ? [] : wantedId));
  const write = () =>
    client.call(
      'create',
      { method: 'POST', path: '/orders' },
      { accepts: () => true, resendsUnknown: false },
    );
  return {
    write,
    find: async (externalOrderId: string) => describeResult(await finder.find(externalOrderId)),
    findAll: (externalOrderIds: string[]) =>
      Promise.all(
        externalOrderIds.map((externalOrderId) =>
          finder.find(externalOrderId).then((lookupResult) => describeResult(lookupResult)),
        ),
      ),
    received,
    /** The external order IDs in the filters. */
    filtered,
    /** Requests for the list without a filter. */
    walked: () => received.length - filtered().length,
  };
}

/** A lookup result as text: the ids of the found orders, with `?` if it is not complete. */
function describeResult(lookupResult: LookupResult | RespelledOrders): string {
  if (lookupResult.kind === 'not_allowed' || lookupResult.kind === 'unsettled') return lookupResult.kind;
  const ids = 'orders' in lookupResult ? lookupResult.orders.map(({ id }) => id).join(' ') : '';
  const what = { found: ids, respelled: `respelled ${ids}`, absent: 'absent' }[lookupResult.kind];
  return lookupResult.isComplete ? what : `${what}?`;
}

const isWalk = ({ query }: ReceivedRequest) => query.externalOrderId === undefined;
const total: Paging['stated'] = (page, count) => ({ page, pageSize: 3, total: count });

describe('a service that filters', () => {
  it('gets one request per lookup, all at the same time', async () => {
    const externalOrderIds = Array.from({ length: 64 }, (_, index) => `UB-${index}`);
    const held: (() => void)[] = [];
    const service = list(shop, { filters: true, stated: total });
    const together = (request: ReceivedRequest): Reply => {
      return (response) => {
        const { json } = service(request) as { json: object };
        held.push(() => response.end(JSON.stringify(json)));
        if (held.length === 64) for (const reply of held) reply();
      };
    };
    const { findAll, filtered, walked } = await start(together, {}, startWithClient);
    expect(await findAll(externalOrderIds)).toEqual(
      externalOrderIds.map((_, index) => (index < 7 ? `S-${index}` : 'absent')),
    );
    expect(filtered().sort()).toEqual([...externalOrderIds].sort());
    expect(walked()).toBe(0);
  });

  it('is read up to the limit when the list is endless', async () => {
    const { find, received } = await start(({ query }) => ({
      json: { data: [{ id: `S-${query.page}`, externalOrderId: 'UB-1' }], page: Number(query.page ?? 1) },
    }));
    expect(await find('UB-1')).toMatch(/^S-undefined S-2 S-3 .* S-200\?$/);
    expect(received.length).toBe(200);
  });

  it('gives no complete result without a certain end of the list', async () => {
    const one = { id: 'S-1', externalOrderId: 'UB-1' };
    const samePage = await start(() => ({ json: { data: [one] } }));
    expect(await samePage.find('UB-1')).toBe('S-1?');
    const cursor = await start(() => ({ json: { data: [one], next_cursor: 'x' } }));
    expect(await cursor.find('UB-1')).toBe('S-1?');
    const counts = ({ query }: ReceivedRequest) => ({
      json: { data: query.page === undefined ? [one] : [], total: 41 },
    });
    expect(await (await start(counts)).find('UB-1')).toBe('S-1?');
  });

  it('has no such order when the list is empty, and so is the whole one where the total says otherwise', async () => {
    const { find } = await start(({ query }) => {
      const orders = query.externalOrderId === undefined ? ordersWith('UB-2') : [];
      return { json: { data: orders, total: 1 } };
    });
    expect(await find('UB-1')).toBe('absent');
    const contradicting = await start(() => ({ json: { data: [], total: 41 } }));
    expect(await contradicting.find('UB-1')).toBe('unsettled');
  });
});

describe('a service that ignores the filter', () => {
  it('gets no more filters, and is walked once for all waiting lookups', async () => {
    const { find, findAll, filtered, walked } = await start(list(shop, { stated: total }));
    expect(await find('UB-9')).toBe('absent');
    expect([filtered(), walked()]).toEqual([['UB-9'], 3]);
    const externalOrderIds = Array.from({ length: 1000 }, (_, index) => `UB-${index}`);
    expect(await findAll(externalOrderIds)).toEqual(
      externalOrderIds.map((_, index) => (index < 7 ? `S-${index}` : 'absent')),
    );
    expect([filtered(), walked()]).toEqual([['UB-9'], 6]);
  });

  it('gets at most 64 filtered requests before this is known, and one walk', async () => {
    const { findAll, filtered, walked } = await start(list(shop, { stated: total }));
    const externalOrderIds = Array.from({ length: 1000 }, (_, index) => `UB-${index}`);
    expect((await findAll(externalOrderIds)).slice(5, 9)).toEqual(['S-5', 'S-6', 'absent', 'absent']);
    expect(filtered().length).toBeLessThanOrEqual(64);
    expect(walked()).toBe(3);
  });

  it('is walked again for a lookup that starts during a walk', async () => {
    const all = ordersWith('UB-0', 'UB-1', 'UB-2', 'UB-3');
    const service = list(all);
    const late: Promise<string>[] = [];
    const started = await start((request) => {
      const reply = service(request);
      if (isWalk(request) && late.length === 0) {
        // The order is created after this page was read.
        all.unshift({ id: 'S-9', externalOrderId: 'UB-9' });
        late.push(started.find('UB-9'));
      }
      return reply;
    });
    expect(await started.find('UB-3')).toBe('S-3');
    expect(await late[0]).toBe('S-9');
  });

  it('proves nothing beyond 200 pages', async () => {
    const endless = ({ query }: ReceivedRequest): Reply => {
      const page = Number(query.page ?? 1);
      return { json: { data: [{ id: `S-${page}`, externalOrderId: `UB-${page}` }], page } };
    };
    const { find, findAll, walked } = await start(endless);
    await find('UB-0');
    expect(walked()).toBe(200);
    expect(await findAll(['UB-1', 'UB-200', 'UB-201'])).toEqual(['S-1?', 'S-200?', 'unsettled']);
    expect(walked()).toBe(400);
  });

  it('also counts the orders of its filtered response', async () => {
    const two = ordersWith('UB-1', 'UB-2');
    const { find } = await start((request) => ({
      json: { data: isWalk(request) ? two.slice(1) : two, hasMore: false },
    }));
    expect(await find('UB-1')).toBe('S-0?');
  });
});

describe('a response that proves nothing', () => {
  it.each<[string, Reply, string, string]>([
    ['401', { status: 401 }, 'not_allowed', 'not_allowed'],
    ['403', { status: 403 }, 'not_allowed', 'not_allowed'],
    ['500', { status: 500 }, 'unsettled', 'unsettled'],
    ['no response', lost, 'unsettled', 'unsettled'],
    ['a response without a list', { json: { message: 'Hello' } }, 'unsettled', 'unsettled'],
    ['an empty response', { json: {} }, 'unsettled', 'S-0?'],
    ['a redirect', { status: 302, headers: { location: '/' } }, 'unsettled', 'unsettled'],
    // That page can never be read, so the pages before it count.
    ['400', { status: 400, json: { message: 'The result window is too large' } }, 'unsettled', 'S-0?'],
  ])('%s, at the start and in the middle of a walk', async (_name, reply, atOnce, onPage2) => {
    const { find } = await start(() => reply);
    expect(await find('UB-0')).toBe(atOnce);
    const service = list(shop, { stated: total });
    const { findAll } = await start((request) =>
      isWalk(request) && request.query.page === '2' ? reply : service(request),
    );
    expect(await findAll(['UB-0', 'UB-9'])).toEqual([onPage2, atOnce]);
  });

  it('is a 404, except beyond the last page', async () => {
    expect(await (await start(() => ({ status: 404 }))).find('UB-0')).toBe('unsettled');
    const service = list(shop);
    const { findAll } = await start((request) =>
      Number(request.query.page) > 3 ? { status: 404 } : service(request),
    );
    expect(await findAll(['UB-6', 'UB-9'])).toEqual(['S-6', 'absent']);
  });

  it('is an interrupted walk; the next one is complete', async () => {
    const stopping = new AbortController();
    const service = list(shop, { stated: total });
    const respond = (request: ReceivedRequest): Reply => {
      if (stopping.signal.aborted || !isWalk(request) || request.query.page !== '2') return service(request);
      return () => stopping.abort();
    };
    const { find, write } = await start(respond, { stopping: stopping.signal }, startWithClient);
    await write();
    expect(await find('UB-0')).toBe('unsettled');
    expect(await find('UB-0')).toBe('S-0');
  });

  it('is a list that counts orders and no longer returns any', async () => {
    const { find } = await start((request) => ({ json: { data: isWalk(request) ? [] : shop, total: 41 } }));
    expect(await find('UB-9')).toBe('unsettled');
  });

  it('is a list of orders without external order IDs', async () => {
    const bare = ['S-1', 'S-2', 'S-3', 'S-4'].map((id) => ({ id, status: 'NEW' }));
    const { find, received } = await start(list(bare));
    expect(await find('UB-1')).toBe('unsettled');
    expect(received.length).toBeLessThan(8);
  });

  it('is an order with that external order ID, but without an id', async () => {
    const withoutId = (externalOrderId: string) => ({ orderId: 7, externalOrderId });
    const { find } = await start(() => ({ json: { data: [withoutId('UB-1')], pageSize: 3, total: 1 } }));
    expect([await find('UB-1'), await find('ub-1')]).toEqual(['unsettled', 'unsettled']);
    const data = [withoutId('UB-1'), ...ordersWith('UB-1', 'UB-2')];
    const { findAll } = await start(() => ({ json: { data, pageSize: 9, total: 3 } }));
    expect(await findAll(['UB-1', 'UB-2', 'UB-3'])).toEqual(['S-0?', 'S-1', 'absent']);
  });

  it('is not an order without an external order ID among others', async () => {
    const all: StoredOrder[] = [
      { id: 'S-7', status: 'NEW' },
      { id: 'S-8', externalOrderId: null },
      ...ordersWith('UB-0', 'UB-1'),
    ];
    const { findAll } = await start(list(all, { size: 1 }));
    expect(await findAll(['UB-1', 'UB-9'])).toEqual(['S-1', 'absent']);
  });
});

describe('an external order ID in another spelling', () => {
  const shown = [1042, 'UB-1', 'UB-2', 'ub-2', 7].map((externalOrderId, index) => ({
    id: `S-${index}`,
    externalOrderId,
  }));
  const page = { json: { data: shown, pageSize: 9, total: shown.length } };
  const expected = {
    '1042': 'respelled S-0',
    '104': 'absent',
    '007': 'respelled S-4',
    'ub-1': 'respelled S-1',
    'Ub-2': 'respelled S-2 S-3',
    'UB-2': 'S-2?',
    'UB-3': 'absent',
  };

  it('is neither found nor absent, in a walk for many', async () => {
    const { findAll } = await start(() => page);
    expect(await findAll(Object.keys(expected))).toEqual(Object.values(expected));
  });

  it.each(Object.entries(expected))(
    'is neither found nor absent, by a filter that ignores it: %s',
    async (id, result) => {
      const { find, walked } = await start(({ query: { externalOrderId: wanted = '' } }) => {
        const isSame = (text: string) => text.toLowerCase() === wanted.replace(/^0+/, '').toLowerCase();
        const data = shown.filter((order) => isSame(`${order.externalOrderId}`));
        return { json: { data, pageSize: 9, total: data.length } };
      });
      expect([await find(id), walked()]).toEqual([result, 0]);
    },
  );

  it('proves nothing when the list cannot be read to its end, but is there', async () => {
    const { client } = clientOf(({ query }) =>
      query.page === undefined
        ? { json: { data: shown.slice(0, 2), pageSize: 2, total: 5 } }
        : { status: 500 },
    );
    expect(await createOrderFinder(client).find('ub-1')).toMatchObject({ kind: 'unsettled', isListed: true });
  });
});

describe('a list that grows while it is walked', () => {
  const grows = [
    ['at its front', 1],
    ['at its front', 3],
    ['at its end', 1],
    ['at its end', 3],
  ] as const;
  const statements = [
    ['nothing', () => ({})],
    ['its number', (page: number) => ({ page })],
    ['its number and the total', total],
  ] as const;

  it.each(
    grows.flatMap(([where, by]) => statements.map(([name, stated]) => [where, by, name, stated] as const)),
  )('%s by %i, and states %s: the earlier orders are found', async (where, by, _name, stated) => {
    for (const growingRequest of [1, 2, 3, 4]) {
      const all = [...shop];
      const service = list(all, { stated });
      let walked = 0;
      const { findAll } = await start((request) => {
        const reply = service(request);
        const made = Array.from({ length: by }, (_, index) => ({
          id: `N-${index}`,
          externalOrderId: 'NEW',
        }));
        if (isWalk(request) && ++walked === growingRequest) {
          where === 'at its front' ? all.unshift(...made) : all.push(...made);
        }
        return reply;
      });
      const externalOrderIds = [...shop.map(({ externalOrderId }) => `${externalOrderId}`), 'UB-9'];
      expect(await findAll(externalOrderIds)).toEqual([...shop.map(({ id }) => id), 'absent']);
    }
  });
});

describe('a list that never stops growing', () => {
  const statements = { nothing: () => ({}), number: (page: number) => ({ page }), total };
  const scene = fc.record({
    stated: fc.constantFrom(...Object.values(statements)),
    // Growth by exactly one page looks like a repeated last page.
    growth: fc.array(
      fc.nat(7).filter((by) => by !== 3),
      { minLength: 1, maxLength: 6 },
    ),
    where: fc.nat(40),
    wanted: fc.uniqueArray(fc.constantFrom('UB-0', 'UB-3', 'UB-8', 'UB-19', 'UB-20'), { minLength: 1 }),
  });

  it('reports no existing order as absent, and no missing one as found', async () => {
    let respond: (request: ReceivedRequest) => Reply = () => ({ status: 500 });
    const { client } = clientOf((request) => respond(request));
    await fc.assert(
      fc.asyncProperty(scene, async ({ stated, growth, where, wanted }) => {
        const all = ordersWith(...Array.from({ length: 20 }, (_, index) => `UB-${index}`));
        const service = list(all, { stated });
        let requestCount = 0;
        respond = (request) => {
          const reply = service(request);
          const by = all.length < 200 ? (growth[++requestCount % growth.length] as number) : 0;
          for (let made = 0; made < by; made++) {
            all.splice(where % all.length, 0, { id: `N-${all.length}`, externalOrderId: 'NEW' });
          }
          return reply;
        };
        const finder = createOrderFinder(client);
        const lookupResults = await Promise.all(wanted.map((wantedId) => finder.find(wantedId)));
        for (const [index, wantedId] of wanted.entries()) {
          const text = describeResult(lookupResults[index] as LookupResult).replace('?', '');
          expect([
            wantedId,
            wantedId === 'UB-20' ? 'absent' : wantedId.replace('UB', 'S'),
            'unsettled',
          ]).toContain(text);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is given up when it grows faster than it is read', async () => {
    const all = [...shop];
    const service = list(all);
    const { findAll, walked } = await start((request) => {
      const reply = service(request);
      all.unshift(
        ...ordersWith('N', 'N', 'N', 'N').map((order) => ({ ...order, id: `N-${all.length}-${order.id}` })),
      );
      return reply;
    });
    expect(await findAll(['UB-0', 'UB-6'])).toEqual(['S-0?', 'unsettled']);
    expect(walked()).toBe(200);
  });
});

describe('any service', () => {
  // A list with a name of its own is recognized by the fields of its orders, which may be missing here.
  const kinds = Object.keys({ ...envelopes, ...frameworkEnvelopes }).filter(
    (name) => !name.includes('of its own'),
  );
  /** Null in place of an empty list, and no count. */
  const provesNothing = ['Go, nil slice under data', 'Go, nil slice alone'];
  const externalOrderId = fc.option(fc.constantFrom('A', 'B', 'C', 'D', 'E'), { nil: null });
  const scene = fc.record({
    externalOrderIds: fc.array(fc.option(externalOrderId, { nil: undefined }), { maxLength: 30 }),
    envelope: fc.constantFrom(...kinds),
    base: fc.constantFrom(0 as const, 1 as const),
    size: fc.integer({ min: 1, max: 8 }),
    isFiltering: fc.boolean(),
    isStrict: fc.boolean(),
    wanted: fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G'), { minLength: 1 }),
  });

  it('finds exactly the existing orders, in a limited number of requests', async () => {
    let respond: (request: ReceivedRequest) => Reply = () => ({ status: 500 });
    const { client, received } = clientOf((request) => respond(request));
    await fc.assert(
      fc.asyncProperty(
        scene,
        async ({ externalOrderIds, envelope, base, size, isFiltering, isStrict, wanted }) => {
          const all = externalOrderIds.map((externalOrderId, index) => ({
            id: `S-${index}`,
            status: 'NEW',
            ...(externalOrderId === undefined ? {} : { externalOrderId }),
          }));
          respond = (request) => {
            const { externalOrderId: wantedId, page } = request.query;
            const isWhole = !isFiltering || wantedId === undefined;
            const orders = isWhole ? all : all.filter(({ externalOrderId }) => externalOrderId === wantedId);
            const count = orders.length;
            if (isStrict && page !== undefined && (Number(page) - base) * size >= count)
              return { status: 404 };
            return listService({ envelope, base, defaultSize: size, count, orders })(request);
          };
          received.length = 0;
          const finder = createOrderFinder(client);
          const lookupResults = await Promise.all(wanted.map((wantedId) => finder.find(wantedId)));
          const isHidden =
            !isFiltering && all.length > 0 && externalOrderIds.every((wantedId) => wantedId === undefined);
          const expected = wanted.map((wantedId) => {
            const there = all
              .filter(({ externalOrderId }) => externalOrderId === wantedId)
              .map(({ id }) => id);
            // No walk of such a service is known to be complete.
            if (provesNothing.includes(envelope))
              return expect.stringMatching(`^(?:${there.join(' ') || 'absent|unsettled'})\\??$`);
            if (there.length > 0) return there.join(' ');
            return isHidden ? 'unsettled' : 'absent';
          });
          expect(lookupResults.map(describeResult)).toEqual(expected);
          const pages = Math.ceil(all.length / size);
          expect(received.length).toBeLessThanOrEqual(4 * wanted.length + 3 * (pages + 4));
        },
      ),
      { numRuns: 150 },
    );
  });
});
