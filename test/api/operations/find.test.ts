import { describe, expect, it } from 'vitest';
import { findOrder, getOrder, lookUp } from '../../../src/api/operations/find.ts';
import { asText } from '../../support/advice.ts';
import { clientOf, lost, orders, type ReceivedRequest, type Reply } from '../stub-service.ts';

type FindOptions = NonNullable<Parameters<typeof findOrder>[2]>;

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

/** A service that reads orders by ID and filters its list. */
function service(all: Stored[]) {
  return ({ path, query }: ReceivedRequest): Reply => {
    if (path === orders) {
      const data = all.filter((order) => Object.entries(query).every(([key, value]) => order[key] === value));
      return { json: { data } };
    }
    const id = decodeURIComponent(path.slice(orders.length + 1)).toLowerCase();
    const json = all.find((order) => order.id === id);
    return json === undefined ? { status: 404, json: { code: 'NO_ORDER' } } : { json };
  };
}

async function find(
  respond: (request: ReceivedRequest) => Reply,
  reference: string,
  options: FindOptions = {},
) {
  const { client, received } = clientOf(respond);
  const found = findOrder(client, reference, options).then(
    ({ id }) => id,
    (error: { code?: string }) => error.code,
  );
  return {
    found: await found,
    requests: received.map(({ path, query }) => [path.slice(orders.length), query]),
  };
}

const storedOrders = [
  stored(uuid, 'ORD-2026-000001', 'UB-1'),
  stored(other, 'ORD-2026-000002', uuid.slice(0, 8)),
];

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
  ])('%s: %s', async (reference, found, requests) => {
    expect(await find(service(storedOrders), reference)).toEqual({ found, requests });
  });

  it('takes an order number in small letters', async () => {
    expect((await find(service(storedOrders), 'ord-2026-000002')).found).toBe(other);
    expect((await find(service(storedOrders), 'ord-2026-000002', { by: 'number' })).found).toBe(other);
    const odd = [stored(uuid, 'ORD-2026-000001', 'ord-2026-000002')];
    expect((await find(service(odd), 'ord-2026-000002')).found).toBe(uuid);
  });

  it.each(['ORD-2026-000002', other])(
    'finds that %s is also the external ID of another order',
    async (name) => {
      const twice = [stored(uuid, 'ORD-2026-000001', name), stored(other, 'ORD-2026-000002', 'UB-2')];
      const options = { triesAllReadings: true };
      expect((await find(service(twice), name)).found).toBe(other);
      expect((await find(service(twice), name, options)).found).toBe('ambiguous_order');
      expect((await find(service(twice), name, { ...options, by: 'external' })).found).toBe(uuid);
      const once = [stored(other, 'ORD-2026-000002', name)];
      expect((await find(service(once), name, options)).found).toBe(other);
    },
  );

  it('means the order of a UUID when the list cannot show whether another one has it', async () => {
    const respond = ({ path }: ReceivedRequest): Reply =>
      path === orders ? { json: { data: [{ id: uuid }] } } : { json: stored(other, 'X', 'Y') };
    expect((await find(respond, other, { triesAllReadings: true })).found).toBe(other);
  });

  it.each([true, false])('takes an order number that is a JSON number for its text: %s', async (isListed) => {
    const whole = { ...stored(uuid, '77', 'UB-1'), orderNumber: 77 };
    const listed = isListed ? whole : stored(uuid, '77', 'UB-1');
    const respond = ({ path }: ReceivedRequest): Reply =>
      path === orders ? { json: { data: [listed] } } : { json: whole };
    expect((await find(respond, '77', { by: 'number' })).found).toBe(uuid);
  });

  it('names the candidates when a reference matches two orders', async () => {
    const two = [stored('S-1', 'ORD-2026-000001', 'UB-1'), stored('S-2', 'ORD-2026-000002', 'UB-1')];
    const { client } = clientOf(service(two));
    await expect(findOrder(client, 'UB-1')).rejects.toMatchObject({
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
  ])('does not report a missing order after %s', async (_name, reply, code) => {
    expect(await find(() => reply, uuid, { by: 'id' })).toMatchObject({ found: code });
  });
});

describe('getOrder', () => {
  it('returns the order as the service sent it, and takes no other object for it', async () => {
    const whole = { ...stored(uuid, 'ORD-2026-000001', 'UB-1'), total: '26700.00', error: null };
    const { client } = clientOf(({ path }) =>
      path.endsWith(uuid) ? { json: { data: { order: whole } } } : { json: { customer: { id: other } } },
    );
    expect(await getOrder(client, uuid)).toEqual({ id: uuid, order: whole });
    await expect(getOrder(client, other)).rejects.toMatchObject({ code: 'unreadable_answer' });
  });

  it('ignores case only in UUIDs', async () => {
    const { client } = clientOf(() => ({ json: { id: 's-1' } }));
    await expect(getOrder(client, 'S-1')).rejects.toMatchObject({ code: 'unreadable_answer' });
  });

  it('does not ask again for a response with another order', async () => {
    const { client, received } = clientOf(() => ({ json: { id: other } }));
    await expect(getOrder(client, uuid)).rejects.toMatchObject({ code: 'unreadable_answer' });
    expect(received.length).toBe(1);
  });
});

describe('lookUp', () => {
  const pageOf = (page: number, size = 2) =>
    Array.from({ length: size }, (_, index) => ({
      id: `S-${page}-${index}`,
      externalOrderId: `UB-${page}-${index}`,
    }));

  async function search(respond: (request: ReceivedRequest) => Reply, value: string) {
    const { client, received } = clientOf(respond);
    const found = await lookUp(client, 'externalOrderId', value).catch(({ code }) => code);
    return {
      found: Array.isArray(found) ? found.map(({ id }) => id) : found,
      requestCount: received.length,
      received,
    };
  }

  it('ignores orders without that external order ID or without an ID', async () => {
    const others = [{ id: 'S-1' }, { id: 'S-2', externalOrderId: null }];
    const whole = (data: object[]) => ({ json: { data, hasMore: false } });
    expect((await search(() => whole(others), 'UB-1')).found).toEqual([]);
    expect((await search(() => whole([{ externalOrderId: 'UB-1' }]), 'UB-1')).found).toEqual([]);
  });

  it('fails when no listed order shows the field', async () => {
    const orders = [{ id: 'S-1', customer: {} }, { id: 'S-2' }];
    const { client } = clientOf(() => ({ json: { orders, hasMore: false } }));
    await expect(lookUp(client, 'externalOrderId', 'UB-1')).rejects.toMatchObject({
      code: 'search_incomplete',
      exitCode: 7,
      message:
        'Cannot tell whether order UB-1 exists: the service lists orders without their externalOrderId.',
      details: { hint: asText(/order number or UUID/) },
    });
    const wrapped = () => ({ json: { data: [{ order: { id: 'S-1', orderNumber: 'ORD-1' } }] } });
    expect((await search(wrapped, 'UB-1')).found).toBe('search_incomplete');
  });

  it('fails when the service counts more orders than it lists', async () => {
    const counts = (data: object[]) => () => ({ json: { data, page: 1, total: 41 } });
    const others = ({ query }: ReceivedRequest) => counts(Number(query.page ?? 1) === 1 ? pageOf(1) : [])();
    expect((await search(others, 'UB-9-9')).found).toBe('search_incomplete');
    expect((await search(others, 'UB-1-1')).found).toEqual(['S-1-1']);
    expect((await search(counts([]), 'UB-9-9')).found).toBe('search_incomplete');
    const filters = ({ query }: ReceivedRequest): Reply => ({
      json: { data: query.externalOrderId === undefined ? pageOf(1) : [], page: 1, total: pageOf(1).length },
    });
    expect((await search(filters, 'UB-9-9')).found).toEqual([]);
  });
});

it('a read that failed once with a large page is repeated', async () => {
  let gets = 0;
  const large: Reply = { status: 500, text: `<html>${'x'.repeat(1_200_000)}` };
  const respond = (): Reply => (++gets === 1 ? large : { json: stored(uuid, 'ORD-1', 'UB-1') });
  expect((await find(respond, uuid)).found).toBe(uuid);
});

describe('an order that does not exist', () => {
  it('is reported after 410 to a read, with its words, whatever the list says', async () => {
    const { client } = clientOf(() => ({ status: 410, json: { message: 'Order was archived' } }));
    await expect(findOrder(client, uuid, undefined)).rejects.toMatchObject({
      code: 'order_not_found',
      exitCode: 3,
      message: 'The service no longer has this order: Order was archived.',
    });
  });

  it.each<[string, Reply, Reply, string]>([
    ['the whole list has no such order', { json: { data: null } }, { json: [] }, 'order_not_found'],
    ['the list has nothing either', { json: { data: null } }, { json: { data: null } }, 'unreadable_answer'],
    ['no content, and a whole list', { status: 204 }, { json: { total: 0, orders: [] } }, 'order_not_found'],
  ])(
    'is reported after nothing to a read only where a lookup proves it: %s',
    async (_name, read, list, code) => {
      const { client } = clientOf(({ path }) => (path === orders ? list : read));
      await expect(findOrder(client, uuid, undefined)).rejects.toMatchObject({ code });
    },
  );

  it.each<[string, Reply]>([
    ['404', { status: 404 }],
    ['400 with such a code', { status: 400, json: { __type: 'ResourceNotFoundException', Message: 'no' } }],
    ['422 with such a code', { status: 422, json: { code: 'no-such-order' } }],
    ['405 with such a code', { status: 405, json: { code: 'ORDER_DOES_NOT_EXIST' } }],
  ])('is reported after %s to a read', async (_name, reply) => {
    const { client } = clientOf(({ path }) => (path === orders ? { json: [] } : reply));
    await expect(findOrder(client, uuid, undefined)).rejects.toMatchObject({
      code: 'order_not_found',
      exitCode: 3,
      message: `There is no order ${uuid}.`,
      details: { status: (reply as { status: number }).status },
    });
  });
});

describe('a response with another order', () => {
  it('adds neither code nor message to the error', async () => {
    const json = {
      id: other,
      status: 'CONFIRMED',
      type: 'gift',
      description: 'Fragile',
      message: 'Happy birthday',
    };
    const { client } = clientOf(() => ({ json, headers: { 'x-request-id': 'r-1' } }));
    const error: { details: object } = await getOrder(client, uuid).catch((thrown) => thrown);
    expect(error.details).toEqual({ hint: asText(/./), status: 200, requestId: 'r-1' });
  });
});

describe('an order other than the listed one', () => {
  it('is an error', async () => {
    const respond = ({ path }: ReceivedRequest): Reply =>
      path === orders
        ? { json: { data: [stored(uuid, 'ORD-2026-000002', 'A2')] } }
        : { json: stored(uuid, 'ORD-2026-000001', 'A1') };
    const { client } = clientOf(respond);
    await expect(findOrder(client, 'A2', undefined)).rejects.toMatchObject({
      code: 'unreadable_answer',
      exitCode: 7,
      message: `The list shows A2, but reading it returned another order (${uuid}).`,
    });
  });

  it('is no absence when reading it finds none', async () => {
    const respond = ({ path }: ReceivedRequest): Reply =>
      path === orders
        ? { json: { data: [stored(uuid, 'ORD-2026-000002', 'A2')] } }
        : { status: 404, json: { message: 'Order not found' } };
    for (const reference of ['A2', 'ORD-2026-000002']) {
      await expect(findOrder(clientOf(respond).client, reference)).rejects.toMatchObject({
        code: 'unreadable_answer',
        exitCode: 7,
        message: `The list shows ${reference}, but the service says that there is no order ${uuid}.`,
      });
    }
  });

  it.each([2, false, {}, ['A2'], 'A20'])(
    'is one that shows the external order ID %j',
    async (externalOrderId) => {
      const listed = stored(uuid, 'ORD-2026-000002', 'A2');
      const { client } = clientOf(({ path }) =>
        path === orders ? { json: { data: [listed] } } : { json: { ...listed, externalOrderId } },
      );
      const code = 'unreadable_answer';
      await expect(findOrder(client, 'A2', undefined)).rejects.toMatchObject({ code });
      await expect(getOrder(client, uuid, 'A2')).rejects.toMatchObject({ code });
      expect((await getOrder(client, uuid)).id).toBe(uuid);
    },
  );

  it.each(['A2', 'a2', null, undefined])(
    'is not one that shows the external order ID %j',
    async (externalOrderId) => {
      const { client } = clientOf(() => ({ json: { ...storedOrders[0], externalOrderId } }));
      expect((await getOrder(client, uuid, 'A2')).id).toBe(uuid);
    },
  );
});
