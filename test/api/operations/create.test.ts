import { describe, expect, it } from 'vitest';
import { createOrder, type EarlierAttempts, type NewOrder } from '../../../src/api/operations/create.ts';
import type { AttemptPolicy } from '../../../src/api/pacing/attempts.ts';
import { createOrderFinder } from '../../../src/api/pages/order-finder.ts';
import { type Order, writeOrderBody } from '../../../src/orders/order.ts';
import { defaultPlaces, resolvePlaces } from '../../../src/orders/unnamed-fields.ts';
import { asText, textOf } from '../../support/advice.ts';
import { lost, orders, type ReceivedRequest, type Reply, startWithClient } from '../stub-service.ts';

const order: Order = {
  externalOrderId: 'UB-1',
  customer: { phone: '99112233' },
  items: [{ sku: 'TEA-1' }],
  collectionMode: 'COLLECT',
  collectionAmount: '25000',
  total: '25000',
  requestedDeliveryDate: '2026-12-01',
  note: 'Өдөр',
};
const theirs = { id: 'S-1', orderNumber: 'ORD-2026-000001', status: 'CONFIRMED', ...order };
const created: Reply = { status: 201, json: theirs };
const replayed: Reply = { ...created, headers: { 'idempotent-replayed': 'true' } };
const known: Reply = { status: 422, json: { code: 'PRODUCT_SKU_NOT_FOUND', message: 'No TEA-1.' } };
const unknownCode: Reply = { status: 422, json: { code: 'DUPLICATE', message: 'That is there.' } };
const present: Reply = { json: { data: [theirs], page: 1, pageSize: 20, total: 1 } };
const absent: Reply = { json: { data: [] } };

const noAttempts: EarlierAttempts = {
  hasOpenAttempt: false,
  mayTakeEffectLate: false,
  looksUpRejections: false,
  isOverdue: false,
};

interface Scene {
  /** The replies to the creates, in order; the last one repeats. */
  posts: Reply[];
  /** The replies to the lookups, in order; the last one repeats. By default, none is expected. */
  lists?: Reply[] | ((query: ReceivedRequest['query']) => Reply);
  create?: Partial<NewOrder>;
  earlier?: Partial<EarlierAttempts>;
  policy?: Partial<AttemptPolicy>;
}

async function play({ posts, lists = [], create = {}, earlier = {}, policy = {} }: Scene) {
  let [posted, listed] = [0, 0];
  const respond = ({ method, query }: ReceivedRequest): Reply => {
    if (method === 'POST') return posts[Math.min(posted++, posts.length - 1)] as Reply;
    if (typeof lists === 'function') return lists(query);
    return lists[Math.min(listed++, lists.length - 1)] ?? { status: 500, text: 'unexpected lookup' };
  };
  const { client, requests, baseUrl } = await startWithClient(respond, policy);
  const sent = create.order ?? order;
  const body = writeOrderBody(sent);
  const newOrder: NewOrder = {
    externalOrderId: 'UB-1',
    order: sent,
    body,
    key: 'K-1',
    recreated: new Set(),
    places: defaultPlaces,
    ...create,
  };
  const attempts = { ...noAttempts, ...earlier };
  const creation = await createOrder(client, createOrderFinder(client), newOrder, attempts);
  const details = 'error' in creation ? { code: creation.error.code, ...creation.error.details } : undefined;
  return {
    ...creation,
    details,
    body,
    baseUrl,
    posts: requests('POST'),
    lists: requests('GET').filter(({ path }) => path === orders),
  };
}

/** Expects the same bytes and key in every attempt. */
function expectSameRequests({ posts, body }: { posts: ReceivedRequest[]; body: string }, attempts: number) {
  expect(posts.map(({ path, headers, body: sent }) => [path, headers['idempotency-key'], sent])).toEqual(
    Array(attempts).fill([orders, 'K-1', body]),
  );
}

describe('created', () => {
  it('returns the order of the response', async () => {
    const played = await play({ posts: [created] });
    expect(played).toMatchObject({ outcome: 'created', attempts: 1, order: { id: 'S-1', order: theirs } });
    expectSameRequests(played, 1);
    expect(played.lists).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['under data', { data: theirs }],
    ['under data.order', { success: true, data: { order: theirs } }],
    ['without the external order ID', { ...theirs, externalOrderId: undefined }],
    ['with null for the external order ID', { ...theirs, externalOrderId: null }],
    [
      'normalised',
      { ...theirs, total: 25000.0, customer: { id: 'C', phone: '+97699112233' }, delivery: null },
    ],
  ])('accepts an order %s', async (_name, json) => {
    expect(await play({ posts: [{ status: 200, json }] })).toMatchObject({ outcome: 'created', attempts: 1 });
  });

  const truncated: Reply = (response) => {
    response.writeHead(201, { 'content-length': '1000' }).write('{"id":"S-1",', () => response.destroy());
  };

  it.each<[string, Reply]>([
    ['a lost response', lost],
    ['a truncated response', truncated],
    ['500', { status: 500 }],
    ['502 with HTML', { status: 502, text: '<html>' }],
    ['503', { status: 503, headers: { 'retry-after': '1' } }],
    ['408', { status: 408 }],
  ])('sends the same request again after %s, and accepts the replay', async (_name, first) => {
    const played = await play({ posts: [first, replayed] });
    expect(played).toMatchObject({ outcome: 'created', attempts: 2, order: { id: 'S-1' } });
    expectSameRequests(played, 2);
    expect(played.lists).toEqual([]);
  });

  it.each<[string, Reply]>([
    ['204', { status: 204 }],
    ['202 without an order', { status: 202, json: { message: 'queued' } }],
    ['an id alone, which may be that of a job', { status: 202, json: { id: 'job-1', status: 'queued' } }],
    ['the id of a session', { json: { id: 'S-9', user: { name: 'x' } } }],
    ['an external order ID as a number', { status: 201, json: { ...theirs, externalOrderId: 1 } }],
    ['an external order ID as an object', { status: 201, json: { ...theirs, externalOrderId: {} } }],
    ['an external order ID as false', { status: 201, json: { ...theirs, externalOrderId: false } }],
    ['an external order ID as a list', { status: 201, json: { ...theirs, externalOrderId: ['UB-1'] } }],
    ['an order without an id', { status: 201, json: { ...theirs, id: undefined } }],
    ['an id of 201 characters', { status: 201, json: { ...theirs, id: 'S'.repeat(201) } }],
    ['an id with a control character', { status: 201, json: { ...theirs, id: 'S-1\u0007' } }],
    ["another order's id", { status: 201, json: { ...theirs, externalOrderId: 'UB-2' } }],
    ['an empty 201', { status: 201, text: '' }],
    ['truncated JSON', { status: 201, text: '{"id":"S-1"' }],
    ['a web page', { text: '<html><title>Sign in</title></html>' }],
    ['an error in a 200', { json: { success: false, error: { code: 'BUSY' } } }],
    ['409', { status: 409 }],
  ])(
    'looks the order up after %s, and sends the same request again when it is absent',
    async (_name, first) => {
      const played = await play({ posts: [first, replayed], lists: [absent] });
      expect(played).toMatchObject({ attempts: 2, order: { id: 'S-1' } });
      expectSameRequests(played, 2);
      expect(played.lists.length).toBe(1);
      const found = await play({ posts: [first], lists: [present] });
      expect(found).toMatchObject({ attempts: 1, order: { id: 'S-1' } });
      expect(found.lists.length).toBe(1);
    },
  );

  it('succeeds after several kinds of failures', async () => {
    const played = await play({
      posts: [lost, { status: 429, headers: { 'retry-after': '3' } }, { status: 504 }, lost, created],
    });
    expect(played).toMatchObject({ outcome: 'created', attempts: 5 });
    expectSameRequests(played, 5);
  });

  it('accepts a replay of an attempt of an earlier run', async () => {
    const played = await play({ posts: [replayed], earlier: { hasOpenAttempt: true } });
    expect(played).toMatchObject({ outcome: 'created', attempts: 1 });
  });
});

describe('already exists', () => {
  it('when the first response is a replay', async () => {
    expect(await play({ posts: [replayed] })).toMatchObject({ outcome: 'already_exists', attempts: 1 });
  });

  it.each<[string, Reply]>([
    ['409', { status: 409 }],
    ['409 with a code', { status: 409, json: { code: 'DUPLICATE' } }],
    ['422 with an unknown code', unknownCode],
    ['400 without a code', { status: 400, text: 'no' }],
    ['404 with a code', { status: 404, json: { code: 'DUPLICATE' } }],
  ])('when the lookup after %s finds an equal order', async (_name, rejection) => {
    const played = await play({ posts: [rejection], lists: [present] });
    expect(played).toMatchObject({ outcome: 'already_exists', attempts: 1, order: { id: 'S-1' } });
    expectSameRequests(played, 1);
    expect(played.lists.map(({ path, query }) => [path, query])).toEqual([
      [orders, { externalOrderId: 'UB-1' }],
    ]);
  });

  it.each<[string, Partial<Scene>]>([
    ['an earlier attempt was lost', { posts: [lost, unknownCode] }],
    ['an attempt of an earlier run is open', { posts: [unknownCode], earlier: { hasOpenAttempt: true } }],
  ])('is created when %s', async (_name, scene) => {
    const played = await play({ posts: [unknownCode], lists: [present], ...scene });
    expect(played).toMatchObject({ outcome: 'created', order: { id: 'S-1' } });
  });
});

describe('a rejection that may be a stored response', () => {
  const earlier = { looksUpRejections: true };

  it('is followed by a lookup, and an order that is found existed before', async () => {
    const played = await play({ posts: [known], lists: [present], earlier });
    expect(played).toMatchObject({ outcome: 'already_exists', attempts: 1, order: { id: 'S-1' } });
    expect(played.lists.length).toBe(1);
  });

  it.each<[string, Reply]>([
    ['finds nothing', absent],
    ['proves nothing', { status: 500 }],
    ['is not allowed', { status: 403 }],
  ])('is final when the lookup %s', async (_name, reply) => {
    const played = await play({ posts: [known], lists: [reply], earlier });
    expect(played).toMatchObject({ outcome: 'rejected', details: { serviceCode: 'PRODUCT_SKU_NOT_FOUND' } });
  });
});

describe('an order whose attempts are overdue', () => {
  const earlier = { hasOpenAttempt: true, isOverdue: true };

  it.each<[string, Reply]>([
    ['409', { status: 409, json: { code: 'DUPLICATE' } }],
    ['an unknown code', unknownCode],
  ])('is rejected by %s when it is absent', async (_name, reply) => {
    const played = await play({ posts: [reply], lists: [absent], earlier });
    expect(played).toMatchObject({ outcome: 'rejected', attempts: 1, details: { serviceCode: 'DUPLICATE' } });
  });

  it('stays unknown when the lookup proves nothing, or an attempt of this run was lost', async () => {
    const unsettled = await play({ posts: [{ status: 409 }], lists: [{ status: 500 }], earlier });
    const lostNow = await play({ posts: [lost, { status: 409 }], lists: [absent], earlier });
    expect([unsettled.outcome, lostNow.outcome]).toEqual(['unknown', 'unknown']);
  });
});

describe('a response without a replay header', () => {
  // The clock of the test service: the Date header of every response.
  const date = 'Wed, 25 Nov 2026 08:00:00 GMT';
  const shows = (createdAt: unknown, headers: Record<string, string> = { date }): Reply => ({
    status: 201,
    headers,
    json: { ...theirs, createdAt },
  });

  it.each([
    '2026-11-25T07:00:00Z',
    '2026-11-25T07:54:59.5Z',
    '2026-11-25T15:00:00+08:00',
    '2025-11-25T08:00:00z',
  ])(
    'is a replay when the order was created at %s, five minutes before the first attempt',
    async (createdAt) => {
      const played = await play({ posts: [shows(createdAt)], lists: [] });
      expect(played).toMatchObject({ outcome: 'already_exists', attempts: 1 });
    },
  );

  it.each<[string, Reply]>([
    ['a moment before', shows('2026-11-25T07:59:59Z')],
    ['just within five minutes', shows('2026-11-25T07:55:01Z')],
    ['in the future', shows('2026-11-25T16:00:00Z')],
    ['without a zone', shows('2026-11-25T07:00:00')],
    ['without a time of day', shows('2026-11-24')],
    ['at midnight, which may be a date', shows('2026-11-25T00:00:00Z')],
    ['at midnight of a zone', shows('2026-11-24T00:00:00.000+08:00')],
    ['as a number', shows(1764057600)],
    ['without a Date header', shows('2026-11-25T07:00:00Z', { date: '' })],
    ['that cannot exist', shows('2026-13-45T07:00:00Z')],
  ])('concludes nothing from a time %s', async (_name, reply) => {
    expect(await play({ posts: [reply] })).toMatchObject({ outcome: 'created', attempts: 1 });
  });

  it('is ours after an unknown attempt of this call or an earlier one', async () => {
    const old = shows('2026-11-25T07:00:00Z');
    expect((await play({ posts: [lost, old] })).outcome).toBe('created');
    expect((await play({ posts: [old], earlier: { hasOpenAttempt: true } })).outcome).toBe('created');
  });

  it('counts from the first attempt, on the clock of the service', async () => {
    // Ten minutes of waiting lie between the first attempt and the response.
    const wait: Reply = { status: 429, headers: { 'retry-after': '299' } };
    const played = await play({ posts: [wait, wait, shows('2026-11-25T07:54:00Z')] });
    expect(played.outcome).toBe('created');
    const older = await play({ posts: [wait, wait, shows('2026-11-25T07:44:00Z')] });
    expect(older.outcome).toBe('already_exists');
  });

  it.each([
    ['as it is now, which may be cancelled', {}, 'conflict'],
    ['of the response, when another one is read', { externalOrderId: 'UB-2' }, 'already_exists'],
    [
      'of the response, when the external order ID is read as a number',
      { externalOrderId: 1 },
      'already_exists',
    ],
  ])('shows the order %s', async (_name, fields, outcome) => {
    const { client } = await startWithClient(({ method }) =>
      method === 'POST'
        ? shows('2026-11-25T07:00:00Z')
        : { json: { ...theirs, status: 'CANCELLED', ...fields } },
    );
    const newOrder = {
      externalOrderId: 'UB-1',
      order,
      body: writeOrderBody(order),
      key: 'K',
      places: defaultPlaces,
    };
    const creation = await createOrder(
      client,
      createOrderFinder(client),
      { ...newOrder, recreated: new Set() },
      noAttempts,
    );
    expect(creation).toMatchObject({ outcome });
    if (outcome === 'conflict') expect(creation).toMatchObject({ error: { code: 'order_cancelled' } });
  });
});

describe('an order that replaces a cancelled one', () => {
  const cancelled = { ...theirs, status: 'Cancelled' };
  const create = { recreated: new Set(['S-1']) };

  it('is not the cancelled order that a lookup finds', async () => {
    const played = await play({ posts: [unknownCode], lists: [{ json: [cancelled] }], create });
    expect(played).toMatchObject({ outcome: 'rejected', details: { serviceCode: 'DUPLICATE' } });
    const other = { ...theirs, id: 'S-2' };
    const found = await play({ posts: [unknownCode], lists: [{ json: [cancelled, other] }], create });
    expect(found).toMatchObject({ outcome: 'already_exists', order: { id: 'S-2' } });
  });

  it.each([409, 422])('is rejected with the cure by %i, when the service keeps the ID', async (status) => {
    const taken: Reply = { status, json: { message: 'externalOrderId is taken' } };
    const played = await play({
      posts: [taken],
      lists: [{ json: { data: [cancelled], page: 1, pageSize: 20, total: 1 } }],
      create,
    });
    expect(played).toMatchObject({ outcome: 'rejected', attempts: 1, saw409: false });
    expect(played.details?.hint).toBe(
      'The service keeps the ID of a cancelled order: create this one under a new ID.',
    );
  });

  it.each<[string, Scene]>([
    [
      'an unknown attempt',
      {
        posts: [lost, { status: 409 }],
        lists: [{ json: { data: [cancelled], page: 1, pageSize: 20, total: 1 } }],
      },
    ],
    [
      'a list that was not read to its end',
      { posts: [{ status: 409 }], lists: [{ json: { data: [cancelled], total: 2 } }] },
    ],
  ])('stays unknown by 409 after %s', async (_name, scene) => {
    expect((await play({ ...scene, create })).outcome).toBe('unknown');
  });

  it.each<[string, Scene]>([
    ['the create returns a cancelled order', { posts: [{ ...created, json: cancelled }] }],
    ['the create returns the replaced order, as it was', { posts: [created], create }],
    ['a lookup finds a cancelled order', { posts: [unknownCode], lists: [{ json: [cancelled] }] }],
  ])('is in conflict when %s', async (_name, scene) => {
    const played = await play(scene);
    expect(played).toMatchObject({ outcome: 'conflict', order: { id: 'S-1' } });
    expect(played).toMatchObject({
      details: { code: 'order_cancelled', outcome: 'rejected', idempotencyKey: 'K-1' },
      error: { message: 'Order UB-1 was created before and is cancelled (ORD-2026-000001).' },
    });
  });
});

describe('conflict', () => {
  const other = { ...theirs, total: '30000', items: [{ sku: 'TEA-1' }, { sku: 'TEA-2' }] };
  const details = { code: 'order_conflict', outcome: 'rejected', idempotencyKey: 'K-1' };

  it.each<[string, Scene]>([
    ['the lookup after a rejection', { posts: [{ status: 409 }], lists: [{ json: [other] }] }],
    ['the lookup after a lost response', { posts: [lost], lists: [{ json: [other] }] }],
    ['the response to the create', { posts: [{ status: 200, json: other }] }],
    ['a replay', { posts: [{ ...replayed, json: other }] }],
  ])('when %s has other content', async (_name, scene) => {
    const played = await play(scene);
    expect(played).toMatchObject({ outcome: 'conflict', differing: ['total', 'items'], details });
    expect(played).toMatchObject({
      error: { message: expect.stringContaining('ORD-2026-000001; different: total, items') },
    });
  });
});

describe('a field that the interface does not name', () => {
  const sent: Order = { ...order, items: [{ sku: 'TEA-1', qty: '2' }] };
  const scene = (items: object[]): Scene => ({
    posts: [{ status: 201, json: { ...theirs, items } }],
    create: { order: sent, places: resolvePlaces({ quantity: 'items[].qty' }) },
  });

  it('is a conflict when the response shows another value at its place', async () => {
    const played = await play(scene([{ sku: 'TEA-1', qty: 3 }]));
    expect(played).toMatchObject({ outcome: 'conflict', differing: ['items[].qty'] });
  });

  it.each([[{ qty: 2 }], [{ qty: '2.0' }], [{ quantity: 3 }], [{}]])('is none with %j', async (shown) => {
    expect((await play(scene([{ sku: 'TEA-1', ...shown }]))).outcome).toBe('created');
  });
});

describe('rejected', () => {
  it('by a known code, without a lookup', async () => {
    const played = await play({ posts: [known] });
    expect(played).toMatchObject({ outcome: 'rejected', attempts: 1 });
    expect(played.details).toMatchObject({
      code: 'order_refused',
      serviceCode: 'PRODUCT_SKU_NOT_FOUND',
      status: 422,
      outcome: 'rejected',
      idempotencyKey: 'K-1',
      hint: expect.stringMatching(/catalogue/),
    });
    expect(played.lists).toEqual([]);
  });

  it('by a response that is too large to be read whole', async () => {
    const echo: Reply = { status: 422, json: { echo: 'x'.repeat(1_200_000) } };
    const { outcome, posts } = await play({ posts: [echo], lists: [absent] });
    expect([outcome, posts.length]).toEqual(['rejected', 1]);
  });

  it('by any other code when the lookup finds nothing', async () => {
    const played = await play({ posts: [unknownCode], lists: [absent] });
    expect(played).toMatchObject({ outcome: 'rejected', attempts: 1 });
    expect(played.details).toMatchObject({ code: 'order_refused', serviceCode: 'DUPLICATE' });
    expect(played.lists.length).toBe(1);
  });

  it.each(lookupsWithoutProof)('by any other code when the lookup ends with %s', async (_name, lists) => {
    const city: Reply = { status: 400, json: { message: 'deliveryAddress.city is required' } };
    const played = await play({ posts: [city], lists });
    expect(played).toMatchObject({ outcome: 'rejected', attempts: 1, saw409: false });
    expect(played).toMatchObject({
      error: { message: 'The service rejected the order: deliveryAddress.city is required.' },
    });
  });

  it('by a 404 or 405 without a code, once the service has shown itself', async () => {
    for (const status of [404, 405]) {
      const noCity: Reply = { status, json: { message: 'City not found' } };
      let posted = 0;
      const { client } = await startWithClient(({ method }) =>
        method === 'GET' ? absent : posted++ === 0 ? created : noCity,
      );
      const finder = createOrderFinder(client);
      const newOrder = (externalOrderId: string): NewOrder => {
        const sent = { ...order, externalOrderId };
        const body = writeOrderBody(sent);
        return {
          externalOrderId,
          order: sent,
          body,
          key: externalOrderId,
          recreated: new Set(),
          places: defaultPlaces,
        };
      };
      expect((await createOrder(client, finder, newOrder('UB-1'), noAttempts)).outcome).toBe('created');
      const second = await createOrder(client, finder, newOrder('UB-2'), noAttempts);
      expect(second).toMatchObject({
        outcome: 'rejected',
        error: { message: 'The service rejected the order: City not found.' },
      });
    }
  });

  it.each<[string, Partial<Scene>]>([
    ['of this run', { posts: [lost, known] }],
    ['of an earlier run', { posts: [known], earlier: { hasOpenAttempt: true } }],
  ])('by a known code after an unknown attempt %s, once a lookup found nothing', async (_name, scene) => {
    const played = await play({ posts: [known], lists: [absent], ...scene });
    expect(played).toMatchObject({ outcome: 'rejected', details: { serviceCode: 'PRODUCT_SKU_NOT_FOUND' } });
    expect(played.lists.length).toBe(1);
    expect(await play({ posts: [known], lists: [present], ...scene })).toMatchObject({ outcome: 'created' });
  });

  it('by 403, with the error of the key', async () => {
    const played = await play({ posts: [{ status: 403, json: { message: 'No scope.' } }] });
    expect(played).toMatchObject({ outcome: 'rejected', attempts: 1, lists: [] });
    expect(played.details).toMatchObject({ code: 'permission_missing', status: 403 });
  });
});

describe('not sent', () => {
  it.each<[string, Reply, string]>([
    ['401', { status: 401, json: { code: 'BAD_KEY', message: 'No.' } }, 'key_refused'],
    ['404', { status: 404 }, 'wrong_base_url'],
    ['404 with HTML', { status: 404, text: '<html>' }, 'wrong_base_url'],
    ['405', { status: 405 }, 'wrong_base_url'],
    ['a redirect', { status: 301, headers: { location: 'https://e.mn/a?token=t#f' } }, 'wrong_base_url'],
    ['429 with a wait beyond the maximum', { status: 429, headers: { 'retry-after': '301' } }, 'throttled'],
  ])('%s', async (_name, reply, code) => {
    const played = await play({ posts: [reply] });
    expect(played).toMatchObject({ outcome: 'not_sent', attempts: 1, details: { code } });
    expect(played.lists).toEqual([]);
  });

  it('names only the host of a redirect', async () => {
    const location = 'https://user:pass@e.mn:8443/a?token=t#f';
    const { error } = (await play({ posts: [{ status: 308, headers: { location } }] })) as { error: Error };
    expect(error.message).toBe('The merchant orders API is not at this address: it redirects to e.mn:8443.');
  });

  it.each(['/elsewhere', '', 'not a url'])('names no host of a redirect to %j', async (location) => {
    const { error } = (await play({ posts: [{ status: 302, headers: { location } }] })) as { error: Error };
    expect(error.message).toBe('The merchant orders API is not at this address: it redirects.');
  });
});

describe('a server-requested wait beyond the longest', () => {
  it('is named in the error', async () => {
    const played = await play({ posts: [{ status: 429, headers: { 'retry-after': '900' } }] });
    expect(played).toMatchObject({
      outcome: 'not_sent',
      error: { message: 'The service asks us to wait 15 min, but this command allows only 5 min.' },
      details: {
        code: 'throttled',
        outcome: 'not_sent',
        idempotencyKey: 'K-1',
        hint: asText('Run the same command again later.'),
      },
    });
  });

  it('is named with the words of the service', async () => {
    const quota: Reply = {
      status: 429,
      headers: { 'retry-after': '3600' },
      json: { message: 'Daily quota of 1000 orders reached' },
    };
    const message =
      'The service asks us to wait 60 min, but this command allows only 5 min: Daily quota of 1000 orders reached.';
    expect(await play({ posts: [quota] })).toMatchObject({ outcome: 'not_sent', error: { message } });
  });

  it.each([408, 425, 500, 503, 504])('leaves an order unknown after %i, without a lookup', async (status) => {
    const played = await play({ posts: [{ status, headers: { 'retry-after': '301' } }], lists: [present] });
    expect(played).toMatchObject({ outcome: 'unknown', attempts: 1, lists: [] });
    expect(played).toMatchObject({ result: { stop: { reason: 'wait_too_long' } } });
  });
});

/** The responses to lookups that neither find an order nor prove that there is none. */
const lookupsWithoutProof: [string, Exclude<Scene['lists'], undefined>][] = [
  ['no response', [lost]],
  ['500', [{ status: 500 }]],
  ['401', [{ status: 401 }]],
  ['403', [{ status: 403 }]],
  ['no list of orders', [{ json: { message: 'ok' } }]],
  ['a web page', [{ text: '<html><title>Guest Wi-Fi</title></html>' }]],
  ['no such address', [{ status: 404 }]],
  ['orders without external order IDs', [{ json: { data: [{ id: 'S-9' }], total: 1 } }]],
  [
    'a walk stopped at its limit',
    ({ page = '1' }) => ({ json: { data: [{ id: `S-${page}`, externalOrderId: `UB-9${page}` }] } }),
  ],
];

describe('unknown', () => {
  const details = { code: 'outcome_unknown', outcome: 'unknown', idempotencyKey: 'K-1' };

  it.each<[string, Reply]>([
    ['no response', lost],
    ['500', { status: 500 }],
  ])('after %s five times and a lookup that finds nothing', async (_name, reply) => {
    const played = await play({ posts: [reply], lists: [absent] });
    expect(played).toMatchObject({ outcome: 'unknown', attempts: 5, details });
    expectSameRequests(played, 5);
    expect(played.lists.length).toBe(1);
  });

  it('with the details of the last response', async () => {
    const down: Reply = {
      status: 500,
      headers: { 'x-request-id': 'R-7' },
      json: { code: 'DATABASE_DOWN', message: 'No connection.' },
    };
    const played = await play({ posts: [lost, down], lists: [absent] });
    expect(played.details).toEqual({
      code: 'outcome_unknown',
      status: 500,
      serviceCode: 'DATABASE_DOWN',
      requestId: 'R-7',
      idempotencyKey: 'K-1',
      hint: asText('Run the same command again: it settles this order and never creates it twice.'),
      outcome: 'unknown',
    });
  });

  it.each<[string, Reply, string]>([
    [
      'words',
      { status: 500, json: { detail: 'Database is down' } },
      'The last response was: Database is down.',
    ],
    ['no words', { status: 500 }, 'The last response was: status 500.'],
    ['a failure', lost, 'The last attempt failed: the connection was closed.'],
  ])('says what came last: %s', async (_name, reply, words) => {
    const played = await play({ posts: [reply], lists: [absent] });
    expect(played).toMatchObject({
      error: {
        message: `Order UB-1 was sent, but no reliable response was received: it may exist. ${words}`,
      },
    });
  });

  it('is settled by a lookup that finds the order', async () => {
    const otherId = { status: 201, json: { ...theirs, externalOrderId: 'UB-2' } };
    const played = await play({ posts: [otherId], lists: [present] });
    expect(played).toMatchObject({ outcome: 'created', attempts: 1, order: { id: 'S-1' } });
  });

  it.each<[string, Reply]>([
    ['409', { status: 409, json: { code: 'DUPLICATE' } }],
    ['202', { status: 202, json: { code: 'DUPLICATE' } }],
    ['204', { status: 204, headers: { 'x-code': 'DUPLICATE' } }],
    ["another order's id", { status: 201, json: { ...theirs, externalOrderId: 'DUPLICATE' } }],
  ])('after %s, when the lookups after each attempt and at the end find nothing', async (_name, reply) => {
    const played = await play({ posts: [reply], lists: [absent] });
    expect(played).toMatchObject({ outcome: 'unknown', attempts: 5, details });
    expectSameRequests(played, 5);
    expect(played.lists.length).toBe(6);
  });

  it.each<[string, Reply[]]>([
    ['401', [lost, { status: 401 }]],
    ['403', [lost, { status: 403 }]],
    ['404', [lost, { status: 404 }]],
    ['a redirect', [lost, { status: 302 }]],
    ['429', [lost, { status: 429, headers: { 'retry-after': '301' } }]],
  ])('stays so after %s', async (_name, posts) => {
    const played = await play({ posts, lists: [absent] });
    expect(played).toMatchObject({ outcome: 'unknown', attempts: 2, details });
  });

  it.each([401, 403, 302])('stays so after a 409, a lookup that finds nothing and %i', async (status) => {
    const played = await play({ posts: [{ status: 409 }, { status }], lists: [absent] });
    expect(played).toMatchObject({ outcome: 'unknown', attempts: 2, details });
  });

  it('stays so after rejections without a known code, each followed by a lookup', async () => {
    const played = await play({ posts: [lost, unknownCode], lists: [absent] });
    expect(played).toMatchObject({ outcome: 'unknown', attempts: 5, details });
    expectSameRequests(played, 5);
    expect(played.lists.length).toBe(5);
  });

  it('after a rejection without a known code, when an earlier request may take effect late', async () => {
    const late = await play({ posts: [unknownCode], lists: [absent], earlier: { mayTakeEffectLate: true } });
    expect(late).toMatchObject({ outcome: 'unknown', details });
    const definite = await play({ posts: [known], lists: [absent], earlier: { mayTakeEffectLate: true } });
    expect(definite).toMatchObject({ outcome: 'rejected' });
  });

  it('after a rejection without a known code, with an open attempt of an earlier run', async () => {
    const played = await play({ posts: [unknownCode], lists: [absent], earlier: { hasOpenAttempt: true } });
    expect(played).toMatchObject({ outcome: 'unknown', details });
  });

  it.each(lookupsWithoutProof)('after a 409, when the lookup ends with %s', async (_name, lists) => {
    const played = await play({ posts: [{ status: 409 }], lists });
    expect(played).toMatchObject({ outcome: 'unknown', saw409: true, details });
  });

  it.each<[string, Reply]>([
    ['409', { status: 409 }],
    ['a success without an order', { status: 201, json: { order: { ...theirs, id: 41 } } }],
    ['400', unknownCode],
  ])(
    'after %s, and sent no second time when the list shows the order without a usable id',
    async (_name, reply) => {
      const lists: Reply[] = [{ json: { data: [{ ...theirs, id: 41 }], total: 1 } }];
      expect(await play({ posts: [reply], lists })).toMatchObject({ outcome: 'unknown', attempts: 1 });
    },
  );

  it.each<[string, Exclude<Scene['lists'], undefined>, string, string]>([
    ['absent', [absent], 'but it is not in the list', 'Run the same command again: it settles'],
    [
      'unreadable',
      [{ status: 500 }],
      'and it could not be looked up',
      'Run the same command again: it settles',
    ],
    [
      'not allowed',
      [{ status: 403 }],
      'and this API key may not look it up',
      'with a key that may list orders',
    ],
  ])('says that a 409 is a conflict, when the lookup is %s', async (_name, lists, words, hint) => {
    const taken: Reply = { status: 409, json: { message: 'UB-1 exists' } };
    const played = await play({ posts: [taken], lists });
    expect(played).toMatchObject({
      outcome: 'unknown',
      error: {
        message: `Order UB-1 may exist: the service rejected it as a conflict (UB-1 exists), ${words}.`,
      },
    });
    expect(textOf(played.details?.hint)).toContain(hint);
  });

  it('after a rejection without a known code, when the list has that order without an id', async () => {
    const lists: Reply[] = [{ json: { data: [{ ...theirs, id: undefined }], total: 1 } }];
    expect(await play({ posts: [unknownCode], lists })).toMatchObject({ outcome: 'unknown', details });
  });

  it('when a lookup finds only another order', async () => {
    const lists: Reply[] = [{ json: { data: [{ ...theirs, externalOrderId: 'UB-10' }], total: 1 } }];
    expect(await play({ posts: [lost], lists })).toMatchObject({ outcome: 'unknown' });
  });
});

describe('an interruption', () => {
  it('starts no further attempt, and settles the one in flight', async () => {
    const stopping = new AbortController();
    const interrupt: Reply = (response) => {
      stopping.abort();
      response.socket?.destroy();
    };
    const played = await play({
      posts: [interrupt],
      lists: [present],
      policy: { stopping: stopping.signal },
    });
    expect(played).toMatchObject({ outcome: 'created', attempts: 1 });
    expect([played.posts.length, played.lists.length]).toEqual([1, 1]);
  });

  it('leaves the order unknown at once when repeated', async () => {
    const leaving = new AbortController();
    const leave: Reply = () => leaving.abort();
    const policy = { stopping: leaving.signal, leaving: leaving.signal };
    const played = await play({ posts: [leave], lists: [present], policy });
    expect(played).toMatchObject({ outcome: 'unknown', attempts: 1, lists: [] });
  });
});

describe('an error inside a success status', () => {
  const failed: Reply = {
    status: 200,
    json: { id: 'req-1', error: { code: 'BAD', message: 'not created' } },
  };

  it('is not taken for an order with its id', async () => {
    const played = await play({ posts: [failed], lists: [absent] });
    expect(played).toMatchObject({ outcome: 'unknown' });
    expect(played.posts.length).toBeGreaterThan(1);
  });

  it('is settled by a lookup', async () => {
    const played = await play({ posts: [failed], lists: [present] });
    expect(played).toMatchObject({ outcome: 'created', order: { id: 'S-1' } });
  });

  it('is ignored when empty', async () => {
    const empty: Reply = { status: 201, json: { ...theirs, error: null, errors: [] } };
    const played = await play({ posts: [empty] });
    expect(played).toMatchObject({ outcome: 'created' });
  });
});
