import { describe, expect, it } from 'vitest';
import { cancelOrder, isCancelled } from '../../src/api/cancel-order.ts';
import { lost, orders, type Reply, startWithClient } from './foreign-service.ts';

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
  const { client, seen, requests } = await startWithClient(({ method }) => {
    return method === 'POST' ? (posts[posted++] ?? { status: 500, text: 'one too many' }) : read;
  });
  const result = cancelOrder(client, { id, order: { ...before, id } }, 'Өөр өдөр');
  const ended = await result.catch((thrown: unknown) => ({ outcome: 'thrown' as const, error: thrown }));
  return { ...ended, seen, posts: requests('POST'), reads: requests('GET') };
}

describe('cancelled', () => {
  it.each<[string, Reply]>([
    ['bare', { json: cancelled }],
    ['under data', { json: { data: cancelled } }],
    ['whose status nobody knows', { status: 202, json: { ...before, status: 'VOID' } }],
  ])('with the order of the answer, %s', async (_name, reply) => {
    const played = await play([reply]);
    expect(played).toMatchObject({ outcome: 'cancelled', order: { id: 'S-1' }, reads: [] });
    expect(played.seen.length).toBe(1);
  });

  it.each<[string, Reply]>([
    ['nothing', { status: 204 }],
    ['a word', { text: '"OK"' }],
    ['another order', { json: { ...cancelled, id: 'S-2' } }],
  ])('with the order as it is read, when the answer is %s', async (_name, reply) => {
    const played = await play([reply], isGone);
    expect(played).toMatchObject({ outcome: 'cancelled', order: { id: 'S-1', order: cancelled } });
    expect(played.reads.map(({ path }) => path)).toEqual([`${orders}/S-1`]);
    expect(await play([reply])).toMatchObject({ outcome: 'cancelled', order: { order: before } });
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
    ['a/b?c#d', 'a%2Fb%3Fc%23d'],
    ['../S-2', '..%2FS-2'],
    ['Ө\n', '%D3%A8%0A'],
  ])('keeps the id %j one piece of the path', async (id, segment) => {
    const { posts } = await play([{ json: { ...cancelled, id } }], undefined, id);
    expect(posts.map(({ path }) => path)).toEqual([`${orders}/${segment}/cancel`]);
  });

  it.each(['.', '..', ''])('never with the id %j, which is another route', async (id) => {
    expect(await play([{ json: cancelled }], undefined, id)).toMatchObject({
      outcome: 'thrown',
      error: { code: 'order_not_found' },
      seen: [],
    });
  });

  it('once it could be sent', async () => {
    const wait: Reply = { status: 429, headers: { 'retry-after': '1' } };
    expect(await play([wait, wait, { json: cancelled }])).toMatchObject({ outcome: 'cancelled', reads: [] });
  });
});

describe('refused', () => {
  it.each([400, 409, 410, 422])('by %i, with what the service says', async (status) => {
    const json = { code: 'ORDER_DELIVERED', message: 'It is delivered.' };
    expect(await play([{ status, json }])).toMatchObject({
      outcome: 'refused',
      order: { order: before },
      reads: [],
      error: {
        code: 'cancellation_refused',
        message: 'The service refused: It is delivered.',
        details: { status, serviceCode: 'ORDER_DELIVERED', outcome: 'rejected' },
      },
    });
  });
});

describe('an attempt that may have been processed', () => {
  const cut: Reply = (response) => {
    response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy());
  };
  const unknowns: [string, Reply][] = [
    ['no answer', lost],
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
    expect(await play([lost], reply)).toMatchObject({ outcome: 'unknown', order: { order: before } });
  });
});

describe('what ends a run', () => {
  it.each<[string, Reply, string]>([
    ['401', { status: 401 }, 'key_refused'],
    ['403', { status: 403 }, 'permission_missing'],
    ['404', { status: 404, json: { code: 'NO_ORDER' } }, 'order_not_found'],
    ['404 without a code', { status: 404 }, 'order_not_found'],
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
