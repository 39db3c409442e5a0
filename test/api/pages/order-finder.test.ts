import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AttemptPolicy } from '../../../src/api/pacing/attempts.ts';
import { createOrderFinder, type LookupResult } from '../../../src/api/pages/order-finder.ts';
import { envelopes, listService } from '../list-services.ts';
import { lost, type ReceivedRequest, type Reply, startWithClient } from '../stub-service.ts';

interface Kept {
  id: string;
  externalOrderId?: string | null;
}

/** Orders with those own ids; the id of each stated its place. */
const kept = (...ownIds: string[]): Kept[] =>
  ownIds.map((externalOrderId, place) => ({ id: `S-${place}`, externalOrderId }));
const shop = kept('UB-0', 'UB-1', 'UB-2', 'UB-3', 'UB-4', 'UB-5', 'UB-6');

interface Paging {
  filters?: boolean;
  size?: number;
  base?: 0 | 1;
  stated?: (page: number, total: number) => object;
}

/** A service with these orders, in pages of three. */
function list(all: Kept[], { filters = false, size = 3, base = 1, stated = () => ({}) }: Paging = {}) {
  return ({ query }: ReceivedRequest): Reply => {
    const own = query.externalOrderId;
    const some = filters && own !== undefined ? all.filter((order) => order.externalOrderId === own) : all;
    const page = Number(query.page ?? base);
    const start = (page - base) * size;
    const data = start < 0 ? [] : some.slice(start, start + size);
    return { json: { data, ...stated(page, some.length) } };
  };
}

async function start(answer: (request: ReceivedRequest) => Reply, policy: Partial<AttemptPolicy> = {}) {
  const { client, received } = await startWithClient(answer, policy);
  const finder = createOrderFinder(client);
  const filtered = () =>
    received.flatMap(({ query: { externalOrderId: own } }) => (own === undefined ? [] : own));
  return {
    find: async (ownId: string) => say(await finder.find(ownId)),
    findAll: (ownIds: string[]) =>
      Promise.all(ownIds.map((ownId) => finder.find(ownId).then((lookupResult) => say(lookupResult)))),
    received,
    /** The own ids that the list was filtered by. */
    filtered,
    /** Requests for the list without a filter. */
    walked: () => received.length - filtered().length,
  };
}

/** A finding in words: the ids of what was found, and `?` after what is not complete. */
function say(lookupResult: LookupResult): string {
  if (lookupResult.kind === 'not_allowed' || lookupResult.kind === 'unsettled') return lookupResult.kind;
  const what =
    lookupResult.kind === 'found' ? lookupResult.orders.map(({ id }) => id).join(' ') : lookupResult.kind;
  return lookupResult.isComplete ? what : `${what}?`;
}

const isWalk = ({ query }: ReceivedRequest) => query.externalOrderId === undefined;
const total: Paging['stated'] = (page, count) => ({ page, pageSize: 3, total: count });

describe('over the filter', () => {
  it('asks once for each, for all that come together', async () => {
    const ownIds = Array.from({ length: 64 }, (_, place) => `UB-${place}`);
    const held: (() => void)[] = [];
    const service = list(shop, { filters: true, stated: total });
    const together = (request: ReceivedRequest): Reply => {
      return (response) => {
        const { json } = service(request) as { json: object };
        held.push(() => response.end(JSON.stringify(json)));
        if (held.length === 64) for (const answer of held) answer();
      };
    };
    const { findAll, filtered, walked } = await start(together);
    expect(await findAll(ownIds)).toEqual(ownIds.map((_, place) => (place < 7 ? `S-${place}` : 'absent')));
    expect(filtered().sort()).toEqual([...ownIds].sort());
    expect(walked()).toBe(0);
  });

  it('asks for each of two that are the same', async () => {
    const { findAll, filtered } = await start(list(shop, { filters: true, stated: total }));
    expect(await findAll(['UB-1', 'UB-1'])).toEqual(['S-1', 'S-1']);
    expect(filtered()).toEqual(['UB-1', 'UB-1']);
  });

  it.each([0, 1] as const)('brings all orders of one id, from page %i', async (base) => {
    const all = kept('UB-0', 'UB-1', 'UB-1', 'UB-2', 'UB-1', 'UB-1', 'UB-1');
    const { find, walked } = await start(list(all, { filters: true, size: 2, base }));
    expect(await find('UB-1')).toBe('S-1 S-2 S-4 S-5 S-6');
    expect(walked()).toBe(0);
  });

  it('ends when orders of that id never do', async () => {
    const { find, received } = await start(({ query }) => ({
      json: { data: [{ id: `S-${query.page}`, externalOrderId: 'UB-1' }], page: Number(query.page ?? 1) },
    }));
    expect(await find('UB-1')).toMatch(/^S-undefined S-2 S-3 .* S-200\?$/);
    expect(received.length).toBe(200);
  });

  it('is not certain of a list that nobody can see the end of', async () => {
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

  it('takes an empty list at its word, whatever it counts', async () => {
    const { find } = await start(() => ({ json: { data: [], total: 41 } }));
    expect(await find('UB-1')).toBe('absent');
  });
});

describe('a service that ignores the filter', () => {
  it.each([
    ['nothing', 0, undefined],
    ['nothing', 1, undefined],
    ['its number', 0, (page: number) => ({ page })],
    ['its number', 1, (page: number) => ({ page })],
    ['its number and the total', 0, total],
    ['its number and the total', 1, total],
  ] as const)('is walked, when it stated %s and counts pages from %i', async (_name, base, stated) => {
    const { findAll } = await start(list(shop, { base, ...(stated === undefined ? {} : { stated }) }));
    const ownIds = ['UB-0', 'UB-6', 'UB-9', 'ub-1', 'UB', 'UB-3'];
    expect(await findAll(ownIds)).toEqual(['S-0', 'S-6', 'absent', 'absent', 'absent', 'S-3']);
  });

  it('is asked with the filter no more, and walked once for all who wait', async () => {
    const { find, findAll, filtered, walked } = await start(list(shop, { stated: total }));
    expect(await find('UB-9')).toBe('absent');
    expect([filtered(), walked()]).toEqual([['UB-9'], 3]);
    const ownIds = Array.from({ length: 5000 }, (_, place) => `UB-${place}`);
    expect(await findAll(ownIds)).toEqual(ownIds.map((_, place) => (place < 7 ? `S-${place}` : 'absent')));
    expect([filtered(), walked()]).toEqual([['UB-9'], 6]);
  });

  it('is walked once for those who come at the same time, though one behind another', async () => {
    const { find, walked } = await start(list(shop, { stated: total }));
    await find('UB-9');
    const first = find('UB-1');
    for (let step = 0; step < 20; step++) await Promise.resolve();
    expect([await find('UB-2'), await first, walked()]).toEqual(['S-2', 'S-1', 6]);
  });

  it('costs thousands who come before that is known 64 requests and one walk at most', async () => {
    const { findAll, filtered, walked } = await start(list(shop, { stated: total }));
    const ownIds = Array.from({ length: 5000 }, (_, place) => `UB-${place}`);
    expect((await findAll(ownIds)).slice(5, 9)).toEqual(['S-5', 'S-6', 'absent', 'absent']);
    expect(filtered().length).toBeLessThanOrEqual(64);
    expect(walked()).toBe(3);
  });

  it('is walked to the end for all orders of one id', async () => {
    const all = kept('UB-1', 'UB-0', 'UB-1', 'UB-2', 'UB-3', 'UB-4', 'UB-1');
    const { find } = await start(list(all, { stated: total }));
    expect(await find('UB-1')).toBe('S-0 S-2 S-6');
  });

  it('is known by a later page as well', async () => {
    const all = kept('UB-1', 'UB-1', 'UB-0', 'UB-1');
    const { find, filtered } = await start(list(all, { size: 1 }));
    expect(await find('UB-1')).toBe('S-0 S-1 S-3');
    expect(await find('UB-9')).toBe('absent');
    expect(filtered()).toEqual(['UB-1', 'UB-1', 'UB-1', 'UB-1']);
  });

  it('is walked again for who comes while it is walked', async () => {
    const all = kept('UB-0', 'UB-1', 'UB-2', 'UB-3');
    const service = list(all);
    const late: Promise<string>[] = [];
    const started = await start((request) => {
      const answer = service(request);
      if (isWalk(request) && late.length === 0) {
        // The page is cut already, and now the order is there.
        all.unshift({ id: 'S-9', externalOrderId: 'UB-9' });
        late.push(started.find('UB-9'));
      }
      return answer;
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

  it('is believed in what its answer to the filter showed, too', async () => {
    const two = kept('UB-1', 'UB-2');
    const { find } = await start((request) => ({
      json: { data: isWalk(request) ? two.slice(1) : two, hasMore: false },
    }));
    expect(await find('UB-1')).toBe('S-0?');
  });
});

describe('what proves nothing', () => {
  it.each<[string, Reply, string, string]>([
    ['401', { status: 401 }, 'not_allowed', 'not_allowed'],
    ['403', { status: 403 }, 'not_allowed', 'not_allowed'],
    ['500', { status: 500 }, 'unsettled', 'unsettled'],
    ['no response', lost, 'unsettled', 'unsettled'],
    ['no list', { json: {} }, 'unsettled', 'unsettled'],
    ['a redirect', { status: 302, headers: { location: '/' } }, 'unsettled', 'unsettled'],
    // Such a page is never to be had; what the pages before it showed is true.
    ['400', { status: 400, json: { message: 'The result window is too large' } }, 'unsettled', 'S-0?'],
  ])('%s, at once and in the middle of a walk', async (_name, reply, atOnce, onPage2) => {
    const { find } = await start(() => reply);
    expect(await find('UB-0')).toBe(atOnce);
    const service = list(shop, { stated: total });
    const { findAll } = await start((request) =>
      isWalk(request) && request.query.page === '2' ? reply : service(request),
    );
    expect(await findAll(['UB-0', 'UB-9'])).toEqual([onPage2, atOnce]);
  });

  it('is 404, but for a page beyond the last', async () => {
    expect(await (await start(() => ({ status: 404 }))).find('UB-0')).toBe('unsettled');
    const service = list(shop);
    const { findAll } = await start((request) =>
      Number(request.query.page) > 3 ? { status: 404 } : service(request),
    );
    expect(await findAll(['UB-6', 'UB-9'])).toEqual(['S-6', 'absent']);
  });

  it('is a walk that was interrupted; one after that has its time', async () => {
    const stopping = new AbortController();
    const service = list(shop, { stated: total });
    const answer = (request: ReceivedRequest): Reply => {
      if (stopping.signal.aborted || !isWalk(request) || request.query.page !== '2') return service(request);
      return () => stopping.abort();
    };
    const { find } = await start(answer, { stopping: stopping.signal });
    expect(await find('UB-0')).toBe('unsettled');
    expect(await find('UB-0')).toBe('S-0');
  });

  it('is a page that comes again whatever is asked: of what it does not show', async () => {
    const { findAll } = await start(() => ({ json: { data: shop } }));
    expect(await findAll(['UB-0', 'UB-6', 'UB-9'])).toEqual(['S-0?', 'S-6?', 'absent?']);
    const more = await start(() => ({ json: { data: shop, hasMore: true } }));
    expect(await more.findAll(['UB-0', 'UB-9'])).toEqual(['S-0?', 'unsettled']);
  });

  it('is a list that counts more than it shows', async () => {
    const { findAll } = await start(list(shop, { stated: () => ({ total: 41 }) }));
    expect(await findAll(['UB-0', 'UB-9'])).toEqual(['S-0?', 'unsettled']);
  });

  it('is a list that counts orders and shows none, though it showed some', async () => {
    const { find } = await start((request) => ({ json: { data: isWalk(request) ? [] : shop, total: 41 } }));
    expect(await find('UB-9')).toBe('unsettled');
  });

  it('is a list of orders without their own ids', async () => {
    const bare = ['S-1', 'S-2', 'S-3', 'S-4'].map((id) => ({ id }));
    const { find, received } = await start(list(bare));
    expect(await find('UB-1')).toBe('unsettled');
    expect(received.length).toBeLessThan(8);
  });

  it('is an order of that id that has no id of the service', async () => {
    const nameless = (own: string) => ({ orderId: 7, externalOrderId: own });
    const { find } = await start(() => ({ json: { data: [nameless('UB-1')], pageSize: 3, total: 1 } }));
    expect(await find('UB-1')).toBe('unsettled');
    const data = [nameless('UB-1'), ...kept('UB-1', 'UB-2')];
    const { findAll } = await start(() => ({ json: { data, pageSize: 9, total: 3 } }));
    expect(await findAll(['UB-1', 'UB-2', 'UB-3'])).toEqual(['S-0?', 'S-1', 'absent']);
  });

  it('is not an order without an own id among others', async () => {
    const all: Kept[] = [{ id: 'S-7' }, { id: 'S-8', externalOrderId: null }, ...kept('UB-0', 'UB-1')];
    const { findAll } = await start(list(all, { size: 1 }));
    expect(await findAll(['UB-1', 'UB-9'])).toEqual(['S-1', 'absent']);
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
  )('%s by %i, and stated %s: what was there is found', async (where, by, _name, stated) => {
    for (const growingRequest of [1, 2, 3, 4]) {
      const all = [...shop];
      const service = list(all, { stated });
      let walked = 0;
      const { findAll } = await start((request) => {
        const answer = service(request);
        const made = Array.from({ length: by }, (_, place) => ({
          id: `N-${place}`,
          externalOrderId: 'NEW',
        }));
        if (isWalk(request) && ++walked === growingRequest) {
          where === 'at its front' ? all.unshift(...made) : all.push(...made);
        }
        return answer;
      });
      const ownIds = [...shop.map(({ externalOrderId }) => `${externalOrderId}`), 'UB-9'];
      expect(await findAll(ownIds)).toEqual([...shop.map(({ id }) => id), 'absent']);
    }
  });
});

describe('a list that never stops growing', () => {
  const statements = { nothing: () => ({}), number: (page: number) => ({ page }), total };
  const scene = fc.record({
    stated: fc.constantFrom(...Object.values(statements)),
    // By just a page each time, nobody can tell it from a last page that comes again.
    growth: fc.array(
      fc.nat(7).filter((by) => by !== 3),
      { minLength: 1, maxLength: 6 },
    ),
    where: fc.nat(40),
    asked: fc.uniqueArray(fc.constantFrom('UB-0', 'UB-3', 'UB-8', 'UB-19', 'UB-20'), { minLength: 1 }),
  });

  it('has no order absent that is there, and none found that is not', async () => {
    let answer: (request: ReceivedRequest) => Reply = () => ({ status: 500 });
    const { client } = await startWithClient((request) => answer(request));
    await fc.assert(
      fc.asyncProperty(scene, async ({ stated, growth, where, asked }) => {
        const all = kept(...Array.from({ length: 20 }, (_, place) => `UB-${place}`));
        const service = list(all, { stated });
        let requestCount = 0;
        answer = (request) => {
          const reply = service(request);
          const by = all.length < 200 ? (growth[++requestCount % growth.length] as number) : 0;
          for (let made = 0; made < by; made++) {
            all.splice(where % all.length, 0, { id: `N-${all.length}`, externalOrderId: 'NEW' });
          }
          return reply;
        };
        const finder = createOrderFinder(client);
        const findings = await Promise.all(asked.map((own) => finder.find(own)));
        for (const [place, own] of asked.entries()) {
          const said = say(findings[place] as LookupResult).replace('?', '');
          expect([own, own === 'UB-20' ? 'absent' : own.replace('UB', 'S'), 'unsettled']).toContain(said);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is given up at last when it grows faster than it is read', async () => {
    const all = [...shop];
    const service = list(all);
    const { findAll, walked } = await start((request) => {
      const answer = service(request);
      all.unshift(
        ...kept('N', 'N', 'N', 'N').map((order) => ({ ...order, id: `N-${all.length}-${order.id}` })),
      );
      return answer;
    });
    expect(await findAll(['UB-0', 'UB-6'])).toEqual(['S-0?', 'unsettled']);
    expect(walked()).toBe(200);
  });
});

describe('any service', () => {
  const ownId = fc.option(fc.constantFrom('A', 'B', 'C', 'D', 'E'), { nil: null });
  const scene = fc.record({
    ownIds: fc.array(fc.option(ownId, { nil: undefined }), { maxLength: 30 }),
    envelope: fc.constantFrom(...Object.keys(envelopes)),
    base: fc.constantFrom(0 as const, 1 as const),
    size: fc.integer({ min: 1, max: 8 }),
    isFiltering: fc.boolean(),
    isStrict: fc.boolean(),
    asked: fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G'), { minLength: 1 }),
  });

  it('has an order found exactly when it is there, in a bounded number of requests', async () => {
    let answer: (request: ReceivedRequest) => Reply = () => ({ status: 500 });
    const { client, received } = await startWithClient((request) => answer(request));
    await fc.assert(
      fc.asyncProperty(scene, async ({ ownIds, envelope, base, size, isFiltering, isStrict, asked }) => {
        const all = ownIds.map((externalOrderId, place) => ({
          id: `S-${place}`,
          ...(externalOrderId === undefined ? {} : { externalOrderId }),
        }));
        answer = (request) => {
          const { externalOrderId: own, page } = request.query;
          const isWhole = !isFiltering || own === undefined;
          const orders = isWhole ? all : all.filter(({ externalOrderId }) => externalOrderId === own);
          const count = orders.length;
          if (isStrict && page !== undefined && (Number(page) - base) * size >= count) return { status: 404 };
          return listService({ envelope, base, defaultSize: size, count, orders })(request);
        };
        received.length = 0;
        const finder = createOrderFinder(client);
        const findings = await Promise.all(asked.map((own) => finder.find(own)));
        const isHidden = !isFiltering && all.length > 0 && ownIds.every((own) => own === undefined);
        const expected = asked.map((own) => {
          const there = all.filter(({ externalOrderId }) => externalOrderId === own).map(({ id }) => id);
          return there.length > 0 ? there.join(' ') : isHidden ? 'unsettled' : 'absent';
        });
        expect(findings.map(say)).toEqual(expected);
        const pages = Math.ceil(all.length / size);
        expect(received.length).toBeLessThanOrEqual(4 * asked.length + 3 * (pages + 4));
      }),
      { numRuns: 300 },
    );
  });
});
