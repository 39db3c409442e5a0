import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '../../../src/api/http/attempt-result.ts';
import type { HttpRequest } from '../../../src/api/http/transport.ts';
import { createOrder, type EarlierAttempts } from '../../../src/api/operations/create.ts';
import type { AttemptPolicy } from '../../../src/api/pacing/attempts.ts';
import { createOrderFinder } from '../../../src/api/pages/order-finder.ts';
import { type Order, writeOrderBody } from '../../../src/orders/order.ts';
import { defaultPaths, resolvePaths } from '../../../src/orders/unnamed-fields.ts';
import { asText, textOf } from '../../support/advice.ts';
import { lost, responseOf } from '../response.ts';
import { aPolicy, clientWith, startWithClient } from '../stub-service.ts';

type NewOrder = Parameters<typeof createOrder>[2];

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
const cancelled = { ...theirs, status: 'Cancelled' };

const json = (status: number, body: unknown, headers = {}) =>
  responseOf(status, JSON.stringify(body), headers);
const status = (code: number, headers = {}) => responseOf(code, '', headers);
const page = (...orders: unknown[]) =>
  json(200, { data: orders, page: 1, pageSize: 20, total: orders.length });
const wait = (code: number, seconds: number) => status(code, { 'retry-after': `${seconds}` });

const created = json(201, theirs);
const replayed = json(201, theirs, { 'idempotent-replayed': 'true' });
const known = json(422, { code: 'PRODUCT_SKU_NOT_FOUND', message: 'No TEA-1.' });
const unknownCode = json(422, { code: 'DUPLICATE', message: 'That is there.' });
const present = page(theirs);
const absent = page();

const noAttempts: EarlierAttempts = {
  hasOpenAttempt: false,
  mayTakeEffectLate: false,
  looksUpRejections: false,
  isOverdue: false,
};

interface Scene {
  /** The results of the creates, in order; the last one repeats. */
  posts: AttemptResult[];
  /** The results of the lookups, in order; the last one repeats. By default, none is expected. */
  lists?: AttemptResult[] | ((query: Record<string, string>) => AttemptResult);
  /** The result of reading an order by its id. By default, that of a lookup. */
  reads?: (id: string) => AttemptResult;
  create?: Partial<NewOrder>;
  earlier?: Partial<EarlierAttempts>;
  policy?: Partial<AttemptPolicy>;
  /** Called during each create. */
  during?: () => void;
}

const newOrder = (fields: Partial<NewOrder> = {}): NewOrder => {
  const sent = fields.order ?? order;
  const body = writeOrderBody(sent);
  const fieldPaths = defaultPaths;
  return {
    externalOrderId: 'UB-1',
    order: sent,
    body,
    key: 'K-1',
    replacedIds: new Set(),
    fieldPaths,
    ...fields,
  };
};

async function play({ posts, lists = [], reads, create, earlier, policy, during }: Scene) {
  const [creates, lookups]: [HttpRequest[], HttpRequest[]] = [[], []];
  const at = (results: AttemptResult[], count: number) => results[Math.min(count, results.length) - 1];
  const client = clientWith(async (request) => {
    if (request.method === 'POST') {
      creates.push(request);
      during?.();
      return at(posts, creates.length) as AttemptResult;
    }
    if (request.path === '') lookups.push(request);
    else if (reads !== undefined) return reads(request.path.slice(1));
    if (typeof lists === 'function') return lists(request.query ?? {});
    return at(lists, Math.max(1, lookups.length)) ?? status(500);
  }, aPolicy(policy));
  const sent = newOrder(create);
  const creation = await createOrder(client, createOrderFinder(client), sent, { ...noAttempts, ...earlier });
  // Every attempt has the same bytes and the same key.
  const wrong = creates.filter(
    ({ body, headers }) => body !== sent.body || headers?.['idempotency-key'] !== 'K-1',
  );
  expect(wrong).toEqual([]);
  const details = 'error' in creation ? { code: creation.error.code, ...creation.error.details } : undefined;
  return { ...creation, details, sent: `${creation.outcome} ${creates.length}/${lookups.length}`, lookups };
}

const replaced = { replacedIds: new Set(['S-1']) };
const outcomeUnknown = { code: 'outcome_unknown', outcome: 'unknown', idempotencyKey: 'K-1' };

// The clock of the test service: the Date header of every response.
const date = 'Wed, 25 Nov 2026 08:00:00 GMT';
const shows = (createdAt: unknown, headers: Record<string, string> = { date }) =>
  json(201, { ...theirs, createdAt }, headers);
const oddId = { ...theirs, id: { oid: 41 } };

const named: Record<string, AttemptResult> = {
  ...{ lost, created, replayed, known, present, absent, 'other-code': unknownCode },
  'under-data': json(200, { data: theirs }),
  'under-data.order': json(200, { success: true, data: { order: theirs } }),
  'without-id': json(200, { ...theirs, externalOrderId: null }),
  rewritten: json(200, { ...theirs, total: 25000.0, customer: { phone: '+97699112233' }, delivery: null }),
  'empty-error': json(201, { ...theirs, error: null, errors: [] }),
  'no-scope': json(403, { message: 'No scope.' }),
  '202-code': json(202, { code: 'DUPLICATE' }),
  '404-code': json(404, { code: 'DUPLICATE' }),
  '409-code': json(409, { code: 'DUPLICATE' }),
  'other-id': json(201, { ...theirs, externalOrderId: 'DUPLICATE' }),
  undated: shows('2026-11-25T07:00:00Z', {}),
  'created-odd-id': json(201, { order: oddId }),
  'odd-id': page(oddId),
  'no-id': page({ ...theirs, id: undefined }),
  another: page({ ...theirs, externalOrderId: 'UB-10' }),
  cancelled: page(cancelled),
  'cancelled-and-new': page(cancelled, { ...theirs, id: 'S-2' }),
  'cancelled-of-two': json(200, { data: [cancelled], total: 2 }),
};

/** `409`, `429:3` with a wait of three seconds, `at:TIME` of an order that was created then. */
function resultOf(word: string): AttemptResult {
  const [first = '', ...rest] = word.split(':');
  const text = rest.join(':');
  if (first === 'at') return shows(Number(text) || text);
  return named[word] ?? (text === '' ? status(Number(first)) : wait(Number(first), Number(text)));
}
const resultsOf = (words = '') => words.split(' ').filter(Boolean).map(resultOf);

const table = readFileSync(new URL('create.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1);

it.each(table.map((row) => row.split('\t')))(
  '%s %s',
  async (_group, _what, posts, lists, also = '', sent) => {
    const earlier = Object.fromEntries(also.split(' ').map((name) => [name, true]));
    const create = also === 'replaced' ? replaced : {};
    const played = await play({ posts: resultsOf(posts), lists: resultsOf(lists), earlier, create });
    expect(played.sent).toBe(sent);
    if (sent?.startsWith('unknown')) expect(played.details).toMatchObject(outcomeUnknown);
  },
);

it('a success returns the order', async () => {
  expect(await play({ posts: [created] })).toMatchObject({
    attempts: 1,
    order: { id: 'S-1', order: theirs },
  });
});

const withoutProof: [string, AttemptResult][] = [
  ['204', status(204)],
  ['202 without an order', json(202, { message: 'queued' })],
  ['an id alone, which may be that of a job', json(202, { id: 'job-1', status: 'queued' })],
  ['the id of a session', json(200, { id: 'S-9', user: { name: 'x' } })],
  ...[1, {}, false, ['UB-1'], 'UB-2'].map((externalOrderId): [string, AttemptResult] => [
    `the external order ID ${JSON.stringify(externalOrderId)}`,
    json(201, { ...theirs, externalOrderId }),
  ]),
  ...[undefined, 'S'.repeat(201), 'S-1\u0007'].map((id): [string, AttemptResult] => [
    `the id ${JSON.stringify(id)}`,
    json(201, { ...theirs, id }),
  ]),
  ['an empty 201', status(201)],
  ['truncated JSON', responseOf(201, '{"id":"S-1"')],
  ['a web page', responseOf(200, '<html><title>Sign in</title></html>')],
  ['an error in a 200', json(200, { success: false, error: { code: 'BUSY' } })],
  ['an error with an id', json(200, { id: 'req-1', error: { code: 'BAD', message: 'not created' } })],
  ['409', status(409)],
];

describe('the order is looked up, and sent again where it is absent', () => {
  it.each(withoutProof)('after %s', async (_what, first) => {
    const again = await play({ posts: [first, replayed], lists: [absent] });
    // A 409 is no attempt that may have been processed.
    const outcome = first.kind === 'response' && first.status === 409 ? 'already_exists' : 'created';
    expect(again.sent).toBe(`${outcome} 2/1`);
    const found = await play({ posts: [first], lists: [present] });
    expect(found).toMatchObject({ attempts: 1, order: { id: 'S-1' } });
    expect(found.sent).toBe(`${outcome} 1/1`);
    expect(found.lookups.map(({ path, query }) => [path, query])).toEqual([
      ['', { externalOrderId: 'UB-1' }],
    ]);
  });
});

/** The results of lookups that neither find an order nor prove that there is none. */
const unsettled: [string, Exclude<Scene['lists'], undefined>][] = [
  ['no response', [lost]],
  ['500', [status(500)]],
  ['401', [status(401)]],
  ['403', [status(403)]],
  ['no list of orders', [json(200, { message: 'ok' })]],
  ['a web page', [responseOf(200, '<html><title>Guest Wi-Fi</title></html>')]],
  ['no such address', [status(404)]],
  ['orders without external order IDs', [json(200, { data: [{ id: 'S-9' }], total: 1 })]],
  [
    'a walk stopped at its limit',
    ({ page = '1' }) => json(200, { data: [{ id: `S-${page}`, externalOrderId: `UB-9${page}` }] }),
  ],
];

describe('a rejection', () => {
  it('says why, and what to do', async () => {
    expect((await play({ posts: [known] })).details).toMatchObject({
      code: 'order_refused',
      serviceCode: 'PRODUCT_SKU_NOT_FOUND',
      status: 422,
      outcome: 'rejected',
      idempotencyKey: 'K-1',
      hint: asText(/catalogue/),
    });
    const noScope = await play({ posts: [json(403, { message: 'No scope.' })] });
    expect(noScope.details).toMatchObject({ code: 'permission_missing', status: 403 });
    for (const code of [409, 422]) {
      const posts = [json(code, { message: 'externalOrderId is taken' })];
      const played = await play({ posts, lists: [page(cancelled)], create: replaced });
      expect(played).toMatchObject({ outcome: 'rejected', attempts: 1, saw409: false });
      expect(textOf(played.details?.hint)).toBe(
        'The service keeps the ID of a cancelled order: create this one under a new ID.',
      );
    }
  });

  it('409 of a replaced order after a lost attempt is remembered', async () => {
    const played = await play({ posts: [lost, status(409)], lists: [page(cancelled)], create: replaced });
    expect(played).toMatchObject({ outcome: 'unknown', saw409: true });
  });

  it('that is too large to be read whole is one', async () => {
    const { client, requests } = await startWithClient(({ method }) =>
      method === 'POST' ? { status: 422, json: { echo: 'x'.repeat(1_200_000) } } : { json: { data: [] } },
    );
    const { outcome } = await createOrder(client, createOrderFinder(client), newOrder(), noAttempts);
    expect([outcome, requests('POST').length]).toEqual(['rejected', 1]);
  });

  it.each(unsettled)(
    'is final for a 400 and unknown for a 409 when the lookup ends with %s',
    async (_what, lists) => {
      const city = await play({ posts: [json(400, { message: 'deliveryAddress.city is required' })], lists });
      expect(city).toMatchObject({ outcome: 'rejected', attempts: 1, saw409: false });
      expect(city).toMatchObject({
        error: { message: 'The service rejected the order: deliveryAddress.city is required.' },
      });
      const taken = await play({ posts: [status(409)], lists });
      expect(taken).toMatchObject({
        outcome: 'unknown',
        saw409: true,
        details: { code: 'outcome_unknown' },
      });
    },
  );

  it.each([404, 405])('is a %i without a code, once the service has shown itself', async (code) => {
    const posts = [created, json(code, { message: 'City not found' })];
    const client = clientWith(
      async ({ method }) => (method === 'GET' ? absent : (posts.shift() as AttemptResult)),
      aPolicy(),
    );
    const finder = createOrderFinder(client);
    const create = (externalOrderId: string) => {
      const sent = { ...order, externalOrderId };
      return createOrder(
        client,
        finder,
        newOrder({ externalOrderId, order: sent, key: externalOrderId }),
        noAttempts,
      );
    };
    posts[0] = json(201, { ...theirs, externalOrderId: 'UB-1' });
    expect((await create('UB-1')).outcome).toBe('created');
    expect(await create('UB-2')).toMatchObject({
      outcome: 'rejected',
      error: { message: 'The service rejected the order: City not found.' },
    });
  });
});

describe('a response without a replay header', () => {
  const old = shows('2026-11-25T07:00:00Z');

  it.each([
    ['as it is now, which may be cancelled', {}, 'conflict'],
    ['of the response, when another one is read', { externalOrderId: 'UB-2' }, 'already_exists'],
    ['of the response, when the ID is read as a number', { externalOrderId: 1 }, 'already_exists'],
  ])('shows the order %s', async (_what, fields, outcome) => {
    const creation = await play({ posts: [old], lists: () => json(200, { ...cancelled, ...fields }) });
    expect(creation.outcome).toBe(outcome);
    if (outcome === 'conflict') expect(creation.details).toMatchObject({ code: 'order_cancelled' });
  });
});

describe('a conflict', () => {
  const other = { ...theirs, total: '30000', items: [{ sku: 'TEA-1' }, { sku: 'TEA-2' }] };

  it.each<[string, Scene]>([
    ['the lookup after a rejection', { posts: [status(409)], lists: [page(other)] }],
    ['the lookup after a lost response', { posts: [lost], lists: [page(other)] }],
    ['the response to the create', { posts: [json(200, other)] }],
    ['a replay', { posts: [json(201, other, { 'idempotent-replayed': 'true' })] }],
  ])('is %s with other content', async (_what, scene) => {
    expect(await play(scene)).toMatchObject({
      outcome: 'conflict',
      differing: ['total', 'items'],
      details: { code: 'order_conflict', outcome: 'rejected', idempotencyKey: 'K-1' },
      error: { message: expect.stringContaining('ORD-2026-000001; different: total, items') },
    });
  });

  it('is none when the create returns a new order that is cancelled', async () => {
    expect(await play({ posts: [json(201, cancelled)] })).toMatchObject({
      outcome: 'created',
      order: { order: cancelled },
    });
  });

  it.each<[string, Scene]>([
    ['the create returns a cancelled order, not as a new one', { posts: [json(200, cancelled)] }],
    ['the create returns the replaced order, as it was', { posts: [created], create: replaced }],
    ['a lookup finds a cancelled order', { posts: [unknownCode], lists: [page(cancelled)] }],
  ])('is one with a cancelled order when %s', async (_what, scene) => {
    expect(await play(scene)).toMatchObject({
      outcome: 'conflict',
      order: { id: 'S-1' },
      details: { code: 'order_cancelled', outcome: 'rejected', idempotencyKey: 'K-1' },
      error: { message: 'Order UB-1 was created before and is cancelled (ORD-2026-000001).' },
    });
  });

  it.each([
    [{ qty: 3 }, 'conflict'],
    [{ qty: 2 }, 'created'],
    [{ qty: '2.0' }, 'created'],
    [{ quantity: 3 }, 'created'],
    [{}, 'created'],
  ])(
    'is another value at the place of a field that the interface does not name: %j',
    async (shown, outcome) => {
      const sent: Order = { ...order, items: [{ sku: 'TEA-1', qty: '2' }] };
      const create = { order: sent, fieldPaths: resolvePaths({ quantity: 'items[].qty' }) };
      const played = await play({
        posts: [json(201, { ...theirs, items: [{ sku: 'TEA-1', ...shown }] })],
        create,
      });
      expect(played.outcome).toBe(outcome);
      if (outcome === 'conflict') expect(played).toMatchObject({ differing: ['items[].qty'] });
    },
  );
});

describe('not sent', () => {
  it.each<[string, AttemptResult, string]>([
    ['401', json(401, { code: 'BAD_KEY', message: 'No.' }), 'key_refused'],
    ['404', status(404), 'wrong_base_url'],
    ['404 with HTML', responseOf(404, '<html>'), 'wrong_base_url'],
    ['405', status(405), 'wrong_base_url'],
    ['429 with a wait beyond the maximum', wait(429, 301), 'throttled'],
  ])('%s', async (_what, result, code) => {
    expect(await play({ posts: [result] })).toMatchObject({ sent: 'not_sent 1/0', details: { code } });
  });

  it('names a wait beyond the longest, with the words of the service', async () => {
    const message = 'The service asks us to wait 1 h, but this command allows only 5 min';
    expect(await play({ posts: [wait(429, 3600)] })).toMatchObject({
      error: { message: `${message}.` },
      details: {
        code: 'throttled',
        outcome: 'not_sent',
        idempotencyKey: 'K-1',
        hint: asText('Run the same command again later.'),
      },
    });
    const quota = json(429, { message: 'Daily quota of 1000 orders reached' }, { 'retry-after': '3600' });
    expect(await play({ posts: [quota] })).toMatchObject({
      outcome: 'not_sent',
      error: { message: `${message}: Daily quota of 1000 orders reached.` },
    });
  });
});

describe('an external order ID that comes back in another spelling', () => {
  const numbered: Order = { ...order, externalOrderId: '1042' };
  const other = { total: '31000', items: [{ sku: 'TEA-9' }] };

  describe.each<[string, Partial<NewOrder>, object]>([
    ['as a number', { externalOrderId: '1042', order: numbered }, { ...theirs, externalOrderId: 1042 }],
    ['in other capitals', {}, { ...theirs, externalOrderId: 'ub-1' }],
  ])('%s', (_what, create, shown) => {
    const { items: _, ...inList } = { items: [], ...shown };
    const scene = { posts: [json(201, shown)], lists: [page(inList)], create, reads: () => json(200, shown) };

    it.each<[string, Partial<Scene>, string]>([
      ['a success', {}, 'created 1/1'],
      ['a success that the filter of the list does not find', { lists: [absent] }, 'created 1/1'],
      ['a success, with a key that may not list', { lists: [status(403)] }, 'created 1/1'],
      ['lost responses', { posts: [lost] }, 'created 5/1'],
      ['a conflict', { posts: [status(409)] }, 'already_exists 1/1'],
      ['a conflict after a lost response', { posts: [lost, status(409)] }, 'created 2/1'],
    ])('is ours with the same content, after %s', async (_after, part, sent) => {
      expect(await play({ ...scene, ...part })).toMatchObject({ sent, order: { id: 'S-1' } });
    });

    it.each<[string, AttemptResult]>([
      ['other content', json(200, { ...shown, ...other })],
      ['another external order ID', json(200, { ...shown, externalOrderId: 'UB-77' })],
      ['no response', lost],
      ['no such order', status(404)],
    ])('is unknown when it is read with %s', async (_with, read) => {
      for (const [first, sent] of [
        [json(201, shown), 'unknown 1/1'],
        [status(409), 'unknown 1/1'],
        [unknownCode, 'unknown 1/1'],
        [lost, 'unknown 5/1'],
      ] as const) {
        const played = await play({ ...scene, posts: [first], reads: () => read });
        expect(played).toMatchObject({ sent, details: { code: 'outcome_unknown' } });
      }
    });

    it('is not that of an order that was rejected, when its content is another', async () => {
      const reads = () => json(200, { ...shown, ...other });
      const earlier = { looksUpRejections: true };
      expect((await play({ ...scene, posts: [known], reads, earlier })).sent).toBe('rejected 1/1');
    });

    it('is compared with each of several', async () => {
      const second = { ...shown, id: 'S-2' };
      const reads = (id: string) => json(200, id === 'S-2' ? second : { ...shown, ...other });
      const played = await play({ ...scene, lists: [page(inList, second)], reads });
      expect(played).toMatchObject({ outcome: 'created', order: { id: 'S-2' } });
    });

    it('is no reason to doubt an order with exactly that ID', async () => {
      const exact = { ...theirs, ...create.order, id: 'S-7' };
      const played = await play({ ...scene, posts: [lost], lists: [page(inList, exact)] });
      expect(played).toMatchObject({ outcome: 'created', order: { id: 'S-7' } });
    });
  });
});

describe('unknown', () => {
  it('has the details of the last response', async () => {
    const body = { code: 'DATABASE_DOWN', message: 'No connection.' };
    const played = await play({ posts: [lost, json(500, body, { 'x-request-id': 'R-7' })], lists: [absent] });
    expect(played.details).toEqual({
      ...outcomeUnknown,
      status: 500,
      serviceCode: 'DATABASE_DOWN',
      requestId: 'R-7',
      hint: asText('Run the same command again: it settles this order and never creates it twice.'),
    });
  });

  it.each<[AttemptResult, string]>([
    [json(500, { detail: 'Database is down' }), 'The last response was: Database is down.'],
    [status(500), 'The last response was: status 500.'],
    [lost, 'The last attempt failed: lost.'],
  ])('says what came last: %j', async (result, words) => {
    const message = `Order UB-1 was sent, but no reliable response was received: it may exist. ${words}`;
    expect(await play({ posts: [result], lists: [absent] })).toMatchObject({ error: { message } });
  });

  it.each([
    ['https://user:pass@e.mn:8443/a?token=t#f', ' to e.mn:8443'],
    ['/elsewhere', ''],
    ['', ''],
    ['not a url', ''],
  ])('names only the host of a redirect to %j', async (location, to) => {
    const elsewhere = `The merchant orders API is not at this address: it redirects${to}.`;
    const redirect = status(308, { location });
    expect(await play({ posts: [redirect], lists: [redirect] })).toMatchObject({
      sent: 'unknown 1/1',
      error: {
        message: `Order UB-1 was sent, but no reliable response was received: it may exist. ${elsewhere}`,
      },
      details: { ...outcomeUnknown, hint: asText(/^Check the base URL\. Run the same command again/) },
      lastError: { code: 'wrong_base_url', message: elsewhere },
      result: { sawUnknown: true },
    });
  });

  it.each<[AttemptResult, string, string]>([
    [absent, 'but it is not in the list', 'Run the same command again: it settles'],
    [status(500), 'and it could not be looked up', 'Run the same command again: it settles'],
    [status(403), 'and this API key may not look it up', 'with a key that may list orders'],
  ])('says that a 409 is a conflict: %j', async (list, words, hint) => {
    const played = await play({ posts: [json(409, { message: 'UB-1 exists' })], lists: [list] });
    const message = `Order UB-1 may exist: the service rejected it as a conflict (UB-1 exists), ${words}.`;
    expect(played).toMatchObject({ outcome: 'unknown', error: { message } });
    expect(textOf(played.details?.hint)).toContain(hint);
  });
});

describe('an interruption', () => {
  it('starts no further attempt, and settles the one in flight; a second one leaves it', async () => {
    const stopping = new AbortController();
    const policy = { stopping: stopping.signal };
    const during = () => stopping.abort();
    expect((await play({ posts: [lost], lists: [present], policy, during })).sent).toBe('created 1/1');
    const leaving = new AbortController();
    const atOnce = { stopping: leaving.signal, leaving: leaving.signal };
    const leave = () => leaving.abort();
    const left = await play({ posts: [lost], lists: [status(500)], policy: atOnce, during: leave });
    expect([left.outcome, left.attempts]).toEqual(['unknown', 1]);
  });
});
