import { describe, expect, it } from 'vitest';
import { cancelOrder } from '../../../src/api/operations/cancel.ts';
import { isCancelled } from '../../../src/api/responses/order.ts';
import type { CliError } from '../../../src/errors.ts';
import { lost, orders, type Reply, startWithClient } from '../stub-service.ts';

const before = { id: 'S-1', orderNumber: 'ORD-2026-000001', status: 'CONFIRMED' };
const cancelled = { ...before, status: 'CANCELLED' };
const confirmed: Reply = { json: before };
const isGone: Reply = { json: cancelled };

/** Answers to the cancellations, in turn, and to every read. */
async function play(
  posts: Reply[],
  read: Reply = { status: 500, text: 'nobody was to read it' },
  id = 'S-1',
) {
  let posted = 0;
  const { client, received, requests } = await startWithClient(({ method }) => {
    return method === 'POST' ? (posts[posted++] ?? { status: 500, text: 'one too many' }) : read;
  });
  const result = cancelOrder(client, { id, order: { ...before, id } }, 'Өөр өдөр');
  const ended = await result.catch((thrown: unknown) => ({ outcome: 'thrown' as const, error: thrown }));
  return { ...ended, received, posts: requests('POST'), reads: requests('GET') };
}

describe('cancelled', () => {
  it.each<[string, Reply]>([
    ['bare', { json: cancelled }],
    ['under data', { json: { data: cancelled } }],
    ['whose status nobody knows', { status: 202, json: { ...before, status: 'VOID' } }],
  ])('with the order of the answer, %s', async (_name, reply) => {
    const played = await play([reply]);
    expect(played).toMatchObject({ outcome: 'cancelled', order: { id: 'S-1' }, reads: [] });
    expect(played.received.length).toBe(1);
  });

  it.each<[string, Reply]>([
    ['nothing', { status: 204 }],
    ['blanks', { text: ' \n' }],
    ['an empty object', { json: {} }],
    ['a word', { text: '"OK"' }],
    ['a word of success', { json: { code: 'SUCCESS', message: 'done' } }],
    ['success alone', { json: { success: true } }],
  ])('with the order as it is read, when the answer is %s', async (_name, reply) => {
    const played = await play([reply], isGone);
    expect(played).toMatchObject({ outcome: 'cancelled', order: { id: 'S-1', order: cancelled } });
    expect(played.reads.map(({ path }) => path)).toEqual([`${orders}/S-1`]);
    expect(played).toMatchObject({ isCurrent: true });
  });

  it.each<[string, Reply]>([
    ['500', { status: 500 }],
    ['404', { status: 404 }],
    ['no order', { json: {} }],
    ['another order', { json: { ...cancelled, id: 'S-2' } }],
  ])('with what names the order and nothing of before, when the read brings %s', async (_name, read) => {
    const { outcome, order, isCurrent } = (await play([{ status: 204 }], read)) as Record<string, unknown>;
    expect({ outcome, order, isCurrent }).toEqual({
      outcome: 'cancelled',
      order: { id: 'S-1', order: { id: 'S-1', orderNumber: 'ORD-2026-000001' } },
      isCurrent: false,
    });
  });

  it('sends the reason as JSON, to that order alone', async () => {
    const { posts } = await play([{ json: cancelled }]);
    expect(posts).toMatchObject([
      {
        path: `${orders}/S-1/cancel`,
        headers: { 'content-type': 'application/json' },
        body: '{"reason":"Өөр өдөр"}',
      },
    ]);
  });

  it.each([
    ['...', '...'],
    ['b?c#d', 'b%3Fc%23d'],
    ['..S-2', '..S-2'],
    ['%2E%2E', '%252E%252E'],
    ['Ө', '%D3%A8'],
  ])('keeps the id %j one piece of the path', async (id, segment) => {
    const { posts } = await play([{ json: { ...cancelled, id } }], undefined, id);
    expect(posts.map(({ path }) => path)).toEqual([`${orders}/${segment}/cancel`]);
  });

  it.each([
    ...[
      '.',
      '..',
      '',
      '/',
      'a/b',
      '../S-2',
      'S-2/cancel',
      '..\\S-2',
      'S-2\n',
      'S\u0000',
      'S\u0085',
      '\ud800',
    ],
  ])('never with the id %j, which could be another route', async (id) => {
    expect(await play([{ json: cancelled }], undefined, id)).toMatchObject({
      outcome: 'thrown',
      error: { code: 'order_not_found' },
      received: [],
    });
  });

  it('once it could be sent', async () => {
    const wait: Reply = { status: 429, headers: { 'retry-after': '1' } };
    expect(await play([wait, wait, { json: cancelled }])).toMatchObject({ outcome: 'cancelled', reads: [] });
  });
});

describe('refused', () => {
  it.each([400, 405, 409, 410, 422])('by %i, with what the service says', async (status) => {
    const json = { code: 'ORDER_DELIVERED', message: 'It is delivered.' };
    expect(await play([{ status, json }])).toMatchObject({
      outcome: 'refused',
      order: { order: before },
      reads: [],
      error: {
        code: 'cancellation_refused',
        message: 'The service rejected the cancellation: It is delivered.',
        details: { status, serviceCode: 'ORDER_DELIVERED', outcome: 'rejected' },
      },
    });
  });
});

describe('not found', () => {
  it.each<[string, Reply]>([
    ['404', { status: 404, json: { code: 'NO_ORDER' } }],
    ['404 without a code', { status: 404 }],
    ['400 that says so', { status: 400, json: { __type: 'ResourceNotFoundException' } }],
  ])('by %s: an end of this order and not of the run', async (_name, reply) => {
    const played = await play([reply]);
    expect(played).toMatchObject({
      outcome: 'not_found',
      reads: [],
      error: { code: 'order_not_found', exitCode: 3 },
    });
    expect(played).toHaveProperty('order.order', { id: 'S-1', orderNumber: 'ORD-2026-000001' });
  });
});

describe('an answer that cannot be believed', () => {
  const unbelievable: [string, Reply][] = [
    ['another order', { json: { ...cancelled, id: 'S-2' } }],
    ['an order without an id', { json: { orderNumber: 'ORD-2026-000009', status: 'CANCELLED' } }],
    ['a page', { text: '<html><body>Sign in</body></html>' }],
    ['a torn order', { text: '{"id":"S-1","status":"CANCEL' }],
    ['a code and a message', { json: { code: 'ORDER_LOCKED', message: 'It is being packed.' } }],
    ['a status inside', { json: { statusCode: 409, message: 'It is being packed.' } }],
    ['ok false', { json: { ok: false } }],
    ['problem details', { json: { type: 'about:blank', title: 'Conflict', status: 409 } }],
    ['a fault', { json: { fault: { faultstring: 'no' } } }],
  ];

  it.each(unbelievable)('%s: what the order says then counts', async (_name, reply) => {
    expect(await play([reply], isGone)).toMatchObject({ outcome: 'already_cancelled', isCurrent: true });
    const open = await play([reply], confirmed);
    expect(open).toMatchObject({ outcome: 'unknown', order: { order: before }, error: { exitCode: 8 } });
    expect(open.posts.length).toBe(1);
  });
});

describe('an attempt that may have been processed', () => {
  const cut: Reply = (response) => {
    response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy());
  };
  const unknowns: [string, Reply][] = [
    ['no response', lost],
    ['a cut answer', cut],
    ['500', { status: 500 }],
    ['503', { status: 503, headers: { 'retry-after': '1' } }],
    ['408', { status: 408 }],
  ];

  it.each(unknowns)(
    '%s: is not sent again, and the order says that it is cancelled',
    async (_name, reply) => {
      const played = await play([reply], isGone);
      expect(played).toMatchObject({ outcome: 'already_cancelled', order: { order: cancelled } });
      expect([played.posts.length, played.reads.length]).toEqual([1, 1]);
    },
  );

  it.each(unknowns)('%s: is unknown when the order is not cancelled', async (_name, reply) => {
    const played = await play([reply], { json: { ...before, status: 'PACKED' } });
    expect(played).toMatchObject({
      outcome: 'unknown',
      order: { order: { status: 'PACKED' } },
      error: { code: 'outcome_unknown', details: { outcome: 'unknown' }, exitCode: 8 },
    });
    expect(played.posts.length).toBe(1);
  });

  it.each<[string, Reply]>([
    ['500', { status: 500 }],
    ['404', { status: 404 }],
    ['no order', { json: {} }],
    ['another order', { json: { ...cancelled, id: 'S-2' } }],
  ])('is unknown when the read brings %s', async (_name, reply) => {
    const { outcome, order, error } = (await play([lost], reply)) as Record<string, unknown>;
    expect({ outcome, order }).toEqual({
      outcome: 'unknown',
      order: { id: 'S-1', order: { id: 'S-1', orderNumber: 'ORD-2026-000001' } },
    });
    expect(error).toMatchObject({
      exitCode: 8,
      message:
        'It is not known whether order ORD-2026-000001 was cancelled: the service did not confirm it. ' +
        'Its current status is not known.',
      details: {
        hint: 'If it is not cancelled, run the same command again. Check it with: merchant-orders get ORD-2026-000001',
      },
    });
  });

  it('names the status of the order, and what the last response said', async () => {
    const reply = {
      status: 503,
      json: { code: 'WAREHOUSE_DOWN', message: 'Later.', requestId: 'R-7' },
    };
    const { error } = (await play([reply], { json: { ...before, status: 'PACKED' } })) as { error: CliError };
    expect(error.message).toBe(
      'It is not known whether order ORD-2026-000001 was cancelled: the service did not confirm it. ' +
        'Its status is now PACKED.',
    );
    expect(error.details).toEqual({
      status: 503,
      serviceCode: 'WAREHOUSE_DOWN',
      requestId: 'R-7',
      hint: 'If it is not cancelled, run the same command again. Check it with: merchant-orders get ORD-2026-000001',
      outcome: 'unknown',
    });
  });

  it('puts no words of the service into a command that a shell would read more into', async () => {
    expect(await play([lost], { json: { ...before, orderNumber: '$(reboot)' } })).toMatchObject({
      error: { details: { hint: expect.stringMatching(/merchant-orders get S-1$/) } },
    });
  });
});

describe('what ends a run', () => {
  it.each<[string, Reply, string]>([
    ['401', { status: 401 }, 'key_refused'],
    ['403', { status: 403 }, 'permission_missing'],
    ['a redirect', { status: 307, headers: { location: '/' } }, 'wrong_base_url'],
    ['429 for too long', { status: 429, headers: { 'retry-after': '301' } }, 'throttled'],
  ])('%s', async (_name, reply, code) => {
    expect(await play([reply], confirmed)).toMatchObject({ outcome: 'thrown', error: { code }, reads: [] });
  });
});

describe('isCancelled', () => {
  it.each([
    ['CANCELLED', true],
    ['CANCELED', true],
    ['cancelled', true],
    ['Canceled', true],
    ['CANCELLING', false],
    ['NOT_CANCELLED', false],
    ['CANCELLED_BY_USER', false],
    ['CONFIRMED', false],
    ['', false],
    [null, false],
    [['CANCELLED'], false],
  ])('%j: %s', (status, expected) => {
    expect(isCancelled({ id: 'S-1', order: { status } })).toBe(expected);
  });

  it('needs a status', () => {
    expect(isCancelled({ id: 'S-1', order: {} })).toBe(false);
  });
});

describe('an error inside a success status', () => {
  it.each<[string, Reply]>([
    ['success false', { json: { success: false, message: 'not now' } }],
    ['an error', { json: { data: null, error: { code: 'LOCKED' } } }],
    ['errors', { json: { errors: [{ detail: 'not now' }] } }],
  ])('is no cancellation, but what the order says then: %s', async (_name, reply) => {
    expect(await play([reply], confirmed)).toMatchObject({ outcome: 'unknown', order: { order: before } });
    expect(await play([reply], isGone)).toMatchObject({ outcome: 'already_cancelled' });
  });

  it('is nothing to an answer that has the order', async () => {
    const reply = { json: { ...cancelled, error: null, errors: [] } };
    expect(await play([reply])).toMatchObject({ outcome: 'cancelled', reads: [] });
  });
});

describe('a refusal after an attempt that may have been processed', () => {
  /** A client whose call was sent twice: no answer came to the first, and the second was refused. */
  async function cancelTwice(status: number, now: object) {
    const { client } = await startWithClient(({ method }) =>
      method === 'POST' ? { status, json: { code: 'ALREADY_CANCELLED' } } : { json: now },
    );
    const call: typeof client.call = async (operation, request, judge) => {
      const result = await client.call(operation, request, judge);
      return operation === 'cancel' ? { ...result, attempts: 2, sawUnknown: true } : result;
    };
    return cancelOrder({ ...client, call }, { id: 'S-1', order: before }, 'no');
  }

  it.each([409, 404, 401])('%i: is success when the order is cancelled', async (status) => {
    expect(await cancelTwice(status, cancelled)).toEqual({
      outcome: 'already_cancelled',
      order: { id: 'S-1', order: cancelled },
      isCurrent: true,
    });
  });

  it.each([409, 404, 401])('%i: is unknown when it is not', async (status) => {
    expect(await cancelTwice(status, before)).toMatchObject({
      outcome: 'unknown',
      error: { exitCode: 8, details: { status, outcome: 'unknown' } },
    });
  });
});
