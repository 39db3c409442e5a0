import { describe, expect, it } from 'vitest';
import { findOrder, getOrder, lookUp } from '../../../src/api/operations/find.ts';
import type { ReferenceKind } from '../../../src/orders/order-reference.ts';
import { lost, orders, type ReceivedRequest, type Reply, startWithClient } from '../stub-service.ts';

const uuid = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';
const other = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

interface Stored extends Record<string, string> {
  id: string;
  orderNumber: string;
  externalOrderId: string;
}

const stored = (id: string, orderNumber: string, externalOrderId: string): Stored => {
  return { id, orderNumber, externalOrderId };
};

/** A service that keeps its promises: reads by id, filters its list. */
function service(kept: Stored[]) {
  return ({ path, query }: ReceivedRequest): Reply => {
    if (path === orders) {
      const data = kept.filter((order) =>
        Object.entries(query).every(([key, value]) => order[key] === value),
      );
      return { json: { data } };
    }
    const id = decodeURIComponent(path.slice(orders.length + 1)).toLowerCase();
    const json = kept.find((order) => order.id === id);
    return json === undefined ? { status: 404, json: { code: 'NO_ORDER' } } : { json };
  };
}

async function find(answer: (request: ReceivedRequest) => Reply, reference: string, by?: ReferenceKind) {
  const { client, received } = await startWithClient(answer);
  const found = findOrder(client, reference, by).then(
    ({ id }) => id,
    (error: { code?: string }) => error.code,
  );
  return { found: await found, asked: received.map(({ path, query }) => [path.slice(orders.length), query]) };
}

const kept = [stored(uuid, 'ORD-2026-000001', 'UB-1'), stored(other, 'ORD-2026-000002', uuid.slice(0, 8))];

describe('findOrder', () => {
  it.each([
    [uuid, uuid, [[`/${uuid}`, {}]]],
    [uuid.toUpperCase(), uuid, [[`/${uuid.toUpperCase()}`, {}]]],
    [
      'ORD-2026-000002',
      other,
      [
        ['', { orderNumber: 'ORD-2026-000002' }],
        [`/${other}`, {}],
      ],
    ],
    [
      'UB-1',
      uuid,
      [
        ['', { externalOrderId: 'UB-1' }],
        [`/${uuid}`, {}],
      ],
    ],
    ['UB-2', 'order_not_found', [['', { externalOrderId: 'UB-2' }]]],
    [
      'ORD-2026-000009',
      'order_not_found',
      [
        ['', { orderNumber: 'ORD-2026-000009' }],
        ['', { externalOrderId: 'ORD-2026-000009' }],
      ],
    ],
  ])('%s: %s', async (reference, found, asked) => {
    expect(await find(service(kept), reference)).toEqual({ found, asked });
  });

  it('tries what looks like an id or a number as an own id as well', async () => {
    const odd = [stored(uuid, 'ORD-2026-000001', other), stored(other.replace('7', '8'), 'X', 'ORD-1999-1')];
    expect((await find(service(odd), other)).found).toBe(uuid);
    expect((await find(service(odd), 'ORD-1999-1')).found).toBe(other.replace('7', '8'));
  });

  it.each([
    ['id', uuid, uuid],
    ['number', uuid, 'order_not_found'],
    ['external', uuid, 'order_not_found'],
    ['number', 'ORD-2026-000001', uuid],
    ['external', 'ORD-2026-000001', 'order_not_found'],
    ['id', 'UB-1', 'order_not_found'],
    ['external', 'UB-1', uuid],
  ] as const)('one reading alone: --by %s %s: %s', async (by, reference, found) => {
    const { asked, ...result } = await find(service(kept), reference, by);
    expect(result).toEqual({ found });
    expect(asked[0]).toEqual([by === 'id' ? `/${reference}` : '', expect.anything()]);
  });

  it('names the candidates when a reference means two orders', async () => {
    const two = [stored('S-1', 'ORD-2026-000001', 'UB-1'), stored('S-2', 'ORD-2026-000002', 'UB-1')];
    const { client } = await startWithClient(service(two));
    await expect(findOrder(client, 'UB-1', undefined)).rejects.toMatchObject({
      code: 'ambiguous_order',
      message: 'UB-1 matches 2 orders: ORD-2026-000001 (S-1), ORD-2026-000002 (S-2).',
    });
  });

  it.each<[string, Reply, string]>([
    ['401', { status: 401 }, 'key_refused'],
    ['403', { status: 403 }, 'permission_missing'],
    ['500', { status: 500 }, 'unreachable'],
    ['no response', lost, 'unreachable'],
    ['another order', { json: { id: other } }, 'unreadable_answer'],
    ['no order', { json: {} }, 'unreadable_answer'],
  ])('%s is not taken for an order that is not there', async (_name, reply, code) => {
    expect(await find(() => reply, uuid, 'id')).toMatchObject({ found: code });
  });
});

describe('getOrder', () => {
  it.each<[string, object]>([
    ['bare', { id: uuid }],
    ['under data', { data: { id: uuid } }],
    ['under data.order', { data: { order: { id: uuid } } }],
    ['with its id in capitals', { id: uuid.toUpperCase() }],
  ])('takes an order %s', async (_name, json) => {
    const { client } = await startWithClient(() => ({ json }));
    expect((await getOrder(client, uuid)).id.toLowerCase()).toBe(uuid);
  });

  it('takes no other id for it that is not a UUID', async () => {
    const { client } = await startWithClient(() => ({ json: { id: 's-1' } }));
    await expect(getOrder(client, 'S-1')).rejects.toMatchObject({ code: 'unreadable_answer' });
  });

  it('asks again until the answer is that order', async () => {
    const replies: Reply[] = [lost, { json: { id: other } }, { text: '{"id"' }, { json: { id: uuid } }];
    const { client, received } = await startWithClient(() => replies.shift() as Reply);
    expect(await getOrder(client, uuid)).toEqual({ id: uuid, order: { id: uuid } });
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array(4).fill(`GET ${orders}/${uuid}`),
    );
  });

  it.each([
    ['...', '...'],
    ['%2E%2E', '%252E%252E'],
    ['%2F', '%252F'],
    ['x?y#z', 'x%3Fy%23z'],
  ])('keeps %s one piece of the path', async (id, segment) => {
    const { client, received } = await startWithClient(() => ({ json: { id } }));
    await getOrder(client, id);
    expect(received.map(({ path }) => path)).toEqual([`${orders}/${segment}`]);
  });

  it.each([...['.', '..', '', '/', 'a/b', '../orders', '..\\orders', 'S\n', 'S\u0000', 'S\u0085', '\udfff']])(
    'does not ask for %j, which could be another route',
    async (id) => {
      expect(await find(service(kept), id, 'id')).toEqual({ found: 'order_not_found', asked: [] });
    },
  );
});

describe('lookUp', () => {
  const pageOf = (page: number, size = 2) =>
    Array.from({ length: size }, (_, index) => ({
      id: `S-${page}-${index}`,
      externalOrderId: `UB-${page}-${index}`,
    }));

  /** A service that does not know the filter: every page of what it has. */
  const ignores = (pages: number) => {
    return ({ query }: ReceivedRequest): Reply => {
      const page = Number(query.page ?? 1);
      return { json: { data: page <= pages ? pageOf(page) : [], page } };
    };
  };

  async function search(answer: (request: ReceivedRequest) => Reply, value: string) {
    const { client, received } = await startWithClient(answer);
    const found = await lookUp(client, 'externalOrderId', value).catch(({ code }) => code);
    return {
      found: Array.isArray(found) ? found.map(({ id }) => id) : found,
      asked: received.length,
      received,
    };
  }

  it('asks a service that filters once', async () => {
    const filters = ({ query }: ReceivedRequest): Reply => ({
      json: [{ id: 'S-1', externalOrderId: query.externalOrderId }],
    });
    expect(await search(filters, 'UB-1')).toMatchObject({ found: ['S-1'], asked: 1 });
    expect(await search(() => ({ json: { data: [] } }), 'UB-1')).toMatchObject({ found: [], asked: 1 });
  });

  it.each([
    ['UB-1-1', ['S-1-1']],
    ['UB-3-0', ['S-3-0']],
    ['UB-9-0', []],
    ['UB-3', []],
    ['ub-3-0', []],
  ])('walks one that ignores the filter, and takes exactly %s', async (value, expected) => {
    const { found, received } = await search(ignores(3), value);
    expect(found).toEqual(expected);
    expect(received.every(({ query }) => query.externalOrderId === value)).toBe(true);
  });

  it('takes no order for it that does not name it', async () => {
    const others = [{ id: 'S-1' }, { id: 'S-2', externalOrderId: null }];
    expect((await search(() => ({ json: others }), 'UB-1')).found).toEqual([]);
    expect((await search(() => ({ json: [{ externalOrderId: 'UB-1' }] }), 'UB-1')).found).toEqual([]);
  });

  it('learns nothing from orders of which none shows what they were asked by', async () => {
    const { client } = await startWithClient(() => ({ json: [{ id: 'S-1' }, { id: 'S-2' }] }));
    await expect(lookUp(client, 'externalOrderId', 'UB-1')).rejects.toMatchObject({
      code: 'search_incomplete',
      exitCode: 7,
      message:
        'Cannot tell whether order UB-1 exists: the service lists orders without their externalOrderId.',
      details: { hint: expect.stringContaining('order number or UUID') },
    });
    const wrapped = () => ({ json: { data: [{ order: { id: 'S-1', orderNumber: 'ORD-1' } }] } });
    expect((await search(wrapped, 'UB-1')).found).toBe('search_incomplete');
  });

  it('proves nothing when the service counts more orders than it lists', async () => {
    const counts = (data: object[]) => () => ({ json: { data, page: 1, total: 41 } });
    const others = ({ query }: ReceivedRequest) => counts(Number(query.page ?? 1) === 1 ? pageOf(1) : [])();
    expect((await search(others, 'UB-9-9')).found).toBe('search_incomplete');
    expect((await search(others, 'UB-1-1')).found).toEqual(['S-1-1']);
    // It filters, and counts all the same.
    expect((await search(counts([]), 'UB-9-9')).found).toEqual([]);
  });

  it('takes one page that comes again for the whole list', async () => {
    expect((await search(() => ({ json: pageOf(1) }), 'UB-9-9')).found).toEqual([]);
  });

  it('proves nothing when a cursor leads on', async () => {
    const answer = () => ({ json: { data: pageOf(1), next_cursor: 'x' } });
    expect((await search(answer, 'UB-9-9')).found).toBe('search_incomplete');
  });

  it('goes on after an empty page when there is more', async () => {
    const answer = ({ query }: ReceivedRequest): Reply => ({
      json: {
        data: query.page === '3' ? pageOf(3) : [],
        page: Number(query.page ?? 1),
        hasMore: query.page !== '3',
      },
    });
    expect((await search(answer, 'UB-3-1')).found).toEqual(['S-3-1']);
  });

  it('finds an order in an envelope of its own', async () => {
    const wrapped = () => ({ json: { data: [{ order: { id: 'S-1', externalOrderId: 'UB-1' } }] } });
    expect((await search(wrapped, 'UB-1')).found).toEqual(['S-1']);
  });

  it('ends a walk that never ends, and says that it proves nothing', async () => {
    const { found, asked } = await search(ignores(1000), 'UB-9-9');
    expect(found).toBe('search_incomplete');
    expect(asked).toBeLessThan(250);
    expect((await search(ignores(150), 'UB-9-9')).found).toEqual([]);
  });
});

describe('an order that is not there', () => {
  it.each<[string, Reply]>([
    ['404', { status: 404 }],
    ['410', { status: 410, json: { code: 'ORDER_GONE' } }],
    ['400 that says so', { status: 400, json: { __type: 'ResourceNotFoundException', Message: 'no' } }],
    ['422 that says so', { status: 422, json: { code: 'no-such-order' } }],
    ['405 that says so', { status: 405, json: { code: 'ORDER_DOES_NOT_EXIST' } }],
  ])('%s to a read: none', async (_name, reply) => {
    const { client } = await startWithClient(({ path }) => (path === orders ? { json: [] } : reply));
    await expect(findOrder(client, uuid, undefined)).rejects.toMatchObject({
      code: 'order_not_found',
      exitCode: 3,
      message: `There is no order ${uuid}.`,
      details: { status: (reply as { status: number }).status },
    });
  });

  it.each<[string, Reply, string]>([
    ['401', { status: 401, json: { code: 'KEY_NOT_FOUND' } }, 'key_refused'],
    ['403', { status: 403, json: { code: 'SCOPE_NOT_FOUND' } }, 'permission_missing'],
    ['400', { status: 400, json: { code: 'BAD_ID' } }, 'request_refused'],
    ['405', { status: 405 }, 'request_refused'],
    ['500', { status: 500, json: { code: 'NOT_FOUND' } }, 'unreachable'],
  ])('%s to a read: says nothing of it', async (_name, reply, code) => {
    expect((await find(() => reply, uuid)).found).toBe(code);
  });
});

describe('an answer that is another order', () => {
  it('lends the error no code and no words', async () => {
    const json = {
      id: other,
      status: 'CONFIRMED',
      type: 'gift',
      description: 'Fragile',
      message: 'Happy birthday',
    };
    const { client } = await startWithClient(() => ({ json, headers: { 'x-request-id': 'r-1' } }));
    const error: { details: object } = await getOrder(client, uuid).catch((thrown) => thrown);
    expect(error.details).toEqual({ hint: expect.any(String), status: 200, requestId: 'r-1' });
  });
});

describe('an error inside a success status', () => {
  it.each([
    { error: { code: 'LOCKED' }, id: uuid },
    { success: false, id: uuid },
    { status: 500, id: uuid },
    { errors: ['no'], data: { id: uuid } },
  ])('is never shown as the order: %j', async (json) => {
    expect((await find(() => ({ json }), uuid, 'id')).found).toBe('unreadable_answer');
  });

  it('is not seen in the words of an order under data', async () => {
    const json = { data: { ...kept[0], status: 'failed', code: 'GIFT', message: 'Happy birthday' } };
    expect((await find(() => ({ json }), uuid, 'id')).found).toBe(uuid);
  });

  it('is not seen in an order that has a field of that name', async () => {
    const words = { status: 'failed', code: 'GIFT', message: 'Happy birthday' };
    const json = { ...kept[0], error: 'address not found', errors: ['x'], ...words };
    expect((await find(() => ({ json }), uuid, 'id')).found).toBe(uuid);
  });
});

describe('an order that is not the one that was listed', () => {
  it('is not taken for it', async () => {
    const answer = ({ path }: ReceivedRequest): Reply =>
      path === orders
        ? { json: { data: [stored(uuid, 'ORD-2026-000002', 'A2')] } }
        : { json: stored(uuid, 'ORD-2026-000001', 'A1') };
    const { client } = await startWithClient(answer);
    await expect(findOrder(client, 'A2', undefined)).rejects.toMatchObject({
      code: 'unreadable_answer',
      exitCode: 7,
      message: `The list shows A2, but reading it returned another order (${uuid}).`,
    });
  });
});
