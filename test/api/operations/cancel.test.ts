import { describe, expect, it } from 'vitest';
import { cancelOrder } from '../../../src/api/operations/cancel.ts';
import { isCancelled } from '../../../src/api/responses/order.ts';
import type { CliError } from '../../../src/errors.ts';
import { asText } from '../../support/advice.ts';
import { clientOf, lost, orders, type Reply } from '../stub-service.ts';

const before = { id: 'S-1', orderNumber: 'ORD-2026-000001', externalOrderId: 'UB-1', status: 'CONFIRMED' };
const cancelled = { ...before, status: 'CANCELLED' };
const confirmed: Reply = { json: before };
const nowCancelled: Reply = { json: cancelled };

/** Replies with `posts` to the cancellations, in order, and with `read` to every read. */
async function play(posts: Reply[], read: Reply = { status: 500, text: 'unexpected read' }, id = 'S-1') {
  let posted = 0;
  const { client, received, requests } = clientOf(({ method }) => {
    return method === 'POST' ? (posts[posted++] ?? { status: 500, text: 'unexpected cancellation' }) : read;
  });
  const result = cancelOrder(client, { id, order: { ...before, id } }, 'Өөр өдөр');
  const ended = await result.catch((thrown: unknown) => ({ outcome: 'thrown' as const, error: thrown }));
  return { ...ended, received, posts: requests('POST'), reads: requests('GET') };
}

describe('cancelled', () => {
  it.each<[string, Reply]>([
    ['bare', { json: cancelled }],
    ['under data', { json: { data: cancelled } }],
    ['with an unknown status', { status: 202, json: { ...before, status: 'VOID' } }],
  ])('returns the order of the response, %s', async (_name, reply) => {
    const played = await play([reply]);
    expect(played).toMatchObject({ outcome: 'cancelled', order: { id: 'S-1' }, reads: [] });
    expect(played.received.length).toBe(1);
  });

  it.each<[string, Reply]>([
    ['empty', { status: 204 }],
    ['white space', { text: ' \n' }],
    ['an empty object', { json: {} }],
    ['a string', { text: '"OK"' }],
    ['a success message', { json: { code: 'SUCCESS', message: 'done' } }],
    ['only success', { json: { success: true } }],
  ])('reads the order when the response is %s', async (_name, reply) => {
    const played = await play([reply], nowCancelled);
    expect(played).toMatchObject({ outcome: 'cancelled', order: { id: 'S-1', order: cancelled } });
    expect(played.reads.map(({ path }) => path)).toEqual([`${orders}/S-1`]);
    expect(played).toMatchObject({ isCurrent: true });
  });

  it.each<[string, Reply]>([
    ['500', { status: 500 }],
    ['404', { status: 404 }],
    ['no order', { json: {} }],
    ['another order', { json: { ...cancelled, id: 'S-2' } }],
    ['an external order ID as a list', { json: { ...cancelled, externalOrderId: ['UB-1'] } }],
  ])('returns only the IDs of the order when the read ends with %s', async (_name, read) => {
    const { outcome, order, isCurrent } = (await play([{ status: 204 }], read)) as Record<string, unknown>;
    expect({ outcome, order, isCurrent }).toEqual({
      outcome: 'cancelled',
      order: { id: 'S-1', order: { id: 'S-1', orderNumber: 'ORD-2026-000001', externalOrderId: 'UB-1' } },
      isCurrent: false,
    });
  });

  it('sends the reason as JSON', async () => {
    const { posts } = await play([{ json: cancelled }]);
    expect(posts).toMatchObject([
      {
        path: `${orders}/S-1/cancel`,
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
  ])('keeps the ID %j in one path segment', async (id, segment) => {
    const { posts } = await play([{ json: { ...cancelled, id } }], undefined, id);
    expect(posts.map(({ path }) => path)).toEqual([`${orders}/${segment}/cancel`]);
  });

  it.each([
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
  ])('sends no request with the ID %j, which could be another route', async (id) => {
    expect(await play([{ json: cancelled }], undefined, id)).toMatchObject({
      outcome: 'thrown',
      error: { code: 'order_not_found' },
      received: [],
    });
  });
});

describe('an implausible response', () => {
  const implausible: [string, Reply][] = [
    ['another order', { json: { ...cancelled, id: 'S-2' } }],
    ['another external order ID', { json: { ...cancelled, externalOrderId: 'UB-2' } }],
    ['an external order ID as a number', { json: { ...cancelled, externalOrderId: 1 } }],
    ['an external order ID as an object', { json: { ...cancelled, externalOrderId: {} } }],
    ['an external order ID as false', { json: { ...cancelled, externalOrderId: false } }],
    ['an order without an id', { json: { orderNumber: 'ORD-2026-000009', status: 'CANCELLED' } }],
    ['HTML', { text: '<html><body>Sign in</body></html>' }],
    ['a truncated order', { text: '{"id":"S-1","status":"CANCEL' }],
    ['a code and a message', { json: { code: 'ORDER_LOCKED', message: 'It is being packed.' } }],
    ['a status inside', { json: { statusCode: 409, message: 'It is being packed.' } }],
    ['ok false', { json: { ok: false } }],
    ['problem details', { json: { type: 'about:blank', title: 'Conflict', status: 409 } }],
    ['a fault', { json: { fault: { faultstring: 'no' } } }],
  ];

  it.each(implausible)('the status of the order decides: %s', async (_name, reply) => {
    expect(await play([reply], nowCancelled)).toMatchObject({
      outcome: 'already_cancelled',
      isCurrent: true,
    });
    const open = await play([reply], confirmed);
    expect(open).toMatchObject({ outcome: 'unknown', order: { order: before }, error: { exitCode: 8 } });
    expect(open.posts.length).toBe(1);
  });
});

describe('a success response without the order', () => {
  type Unconfirmed = [name: string, json: object | string | boolean | null, words: string];
  const refused: Unconfirmed[] = [
    ['a failed status', { status: 'ERROR', message: 'Already picked up.' }, 'Already picked up'],
    ['cancelled false', { cancelled: false, reason: 'Courier is on the way' }, 'Courier is on the way'],
    ['a failed result', { result: 'ERROR', message: 'Already picked up' }, 'Already picked up'],
    ['success as text', { success: 'false', message: 'Too late' }, 'Too late'],
    ['a number as code', { code: 17, message: 'Already picked up' }, 'Already picked up'],
    ['result false', { result: false }, 'status 200'],
    ['false', false, 'status 200'],
  ];
  const accepted: Unconfirmed[] = [
    ['words inside', { data: { message: 'Already picked up' } }, 'Already picked up'],
    ['success', { success: true }, 'status 200'],
    ['a redirect', { redirect: '/login' }, 'status 200'],
    ['a list', { messages: [{ id: 7, text: 'ok' }] }, 'status 200'],
    ['no field', {}, 'status 200'],
    ['a text', 'OK', 'status 200'],
    ['null', null, 'status 200'],
  ];

  it.each(refused)('is unknown while the status is the same: %s', async (_name, json, words) => {
    const played = await play([{ json }], confirmed);
    expect(played).toMatchObject({
      outcome: 'unknown',
      order: { order: before },
      error: {
        exitCode: 8,
        message:
          'It is not known whether order ORD-2026-000001 was cancelled: the service did not confirm it. ' +
          `Its status is now CONFIRMED. The last response was: ${words}.`,
        details: { status: 200, outcome: 'unknown' },
      },
    });
    expect([played.posts.length, played.reads.length]).toEqual([1, 1]);
  });

  it.each(accepted)('is pending while nothing has changed: %s', async (_name, json, words) => {
    const played = await play([{ json }], confirmed);
    expect(played).toMatchObject({
      outcome: 'cancel_pending',
      order: { order: before },
      error: {
        exitCode: 8,
        message:
          'The service accepted the cancellation of order ORD-2026-000001, but has not cancelled it yet: ' +
          `its status is still CONFIRMED. The last response was: ${words}.`,
        details: { outcome: 'unknown' },
      },
    });
    expect([played.posts.length, played.reads.length]).toEqual([1, 1]);
  });

  it.each<[string, object | string, string]>([
    ['a message', { message: 'Order cancelled' }, 'VOID'],
    ['success', { success: true, cancelled: true }, 'CANCELLING'],
    ['its status', { status: 'VOID', code: 'ACCEPTED' }, 'VOID'],
    ['a text', 'OK', 'VOID'],
    ['nothing about it', { redirect: '/orders' }, 'canceled'],
    ['result false', { result: false }, 'CANCELLED'],
  ])('is a success once the status shows it: %s', async (_name, json, status) => {
    const now = { ...before, status };
    const played = await play([{ json }], { json: now });
    expect(played).toMatchObject({ outcome: 'cancelled', order: { order: now }, isCurrent: true });
    expect(played.posts.length).toBe(1);
  });

  it.each<[string, object]>([
    ['result false', { result: false }],
    ['cancelled false', { cancelled: false, reason: 'Courier is on the way' }],
    ['a failed status', { status: 'ERROR', message: 'Already picked up' }],
    ['success as text', { success: 'false' }],
    ['a number as code', { code: 17, message: 'Already picked up' }],
    ['an error', { error: 'Already picked up' }],
  ])('is unknown when it is a failure and the courier changed the status: %s', async (_name, json) => {
    const now = { ...before, status: 'PICKED_UP' };
    expect(await play([{ json }], { json: now })).toMatchObject({
      outcome: 'unknown',
      order: { order: now },
    });
  });
});

describe('an attempt that may have been processed', () => {
  const unknowns: [string, Reply][] = [
    ['no response', lost],
    ['500', { status: 500 }],
    ['503', { status: 503, headers: { 'retry-after': '1' } }],
    ['408', { status: 408 }],
  ];

  it.each(unknowns)('is not sent again, and the order is read as cancelled: %s', async (_name, reply) => {
    const played = await play([reply], nowCancelled);
    expect(played).toMatchObject({ outcome: 'already_cancelled', order: { order: cancelled } });
    expect([played.posts.length, played.reads.length]).toEqual([1, 1]);
  });

  it.each(unknowns)('is unknown when the order is not cancelled: %s', async (_name, reply) => {
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
  ])('is unknown when the read ends with %s', async (_name, reply) => {
    const { outcome, order, error } = (await play([lost], reply)) as Record<string, unknown>;
    expect({ outcome, order }).toEqual({
      outcome: 'unknown',
      order: { id: 'S-1', order: { id: 'S-1', orderNumber: 'ORD-2026-000001', externalOrderId: 'UB-1' } },
    });
    expect(error).toMatchObject({
      exitCode: 8,
      message:
        'It is not known whether order ORD-2026-000001 was cancelled: the service did not confirm it. ' +
        'Its current status is not known. The last attempt failed: the connection was closed.',
      details: {
        hint: asText(
          'If it is not cancelled, run the same command again. Check it with: merchant-orders get ORD-2026-000001',
        ),
      },
    });
  });

  it('shows the status of the order and the details of the last response', async () => {
    const reply = {
      status: 503,
      json: { code: 'WAREHOUSE_DOWN', message: 'Later.', requestId: 'R-7' },
    };
    const { error } = (await play([reply], { json: { ...before, status: 'PACKED' } })) as { error: CliError };
    expect(error.message).toBe(
      'It is not known whether order ORD-2026-000001 was cancelled: the service did not confirm it. ' +
        'Its status is now PACKED. The last response was: Later.',
    );
    expect(error.details).toEqual({
      status: 503,
      serviceCode: 'WAREHOUSE_DOWN',
      requestId: 'R-7',
      hint: asText(
        'If it is not cancelled, run the same command again. Check it with: merchant-orders get ORD-2026-000001',
      ),
      outcome: 'unknown',
    });
  });

  it('puts only a shell-safe number of the service into the suggested command', async () => {
    expect(await play([lost], { json: { ...before, orderNumber: '$(reboot)' } })).toMatchObject({
      error: { details: { hint: asText(/merchant-orders get S-1$/) } },
    });
  });
});

describe('a redirect', () => {
  const redirect: Reply = { status: 307, headers: { location: 'https://e.mn/orders?token=t' } };

  it('may come after the cancellation, and the order is read', async () => {
    expect(await play([redirect], nowCancelled)).toMatchObject({ outcome: 'already_cancelled' });
  });

  it.each<[string, Reply, string]>([
    ['not cancelled', confirmed, 'Its status is now CONFIRMED.'],
    ['redirected as well', redirect, 'Its current status is not known.'],
  ])('leaves it unknown, and ends a run, if the read is %s', async (_name, reply, current) => {
    const elsewhere = 'The merchant orders API is not at this address: it redirects to e.mn.';
    expect(await play([redirect], reply)).toMatchObject({
      outcome: 'unknown',
      error: {
        exitCode: 8,
        message: `It is not known whether order ORD-2026-000001 was cancelled: the service did not confirm it. ${current} ${elsewhere}`,
        details: { outcome: 'unknown', hint: asText(/^Check the base URL\. If it is not cancelled/) },
      },
      stop: { code: 'wrong_base_url', message: elsewhere },
    });
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
    [['CANCELLED'], true],
    [{ code: 'CANCELLED', label: 'Цуцалсан' }, true],
    [{ code: 'CONFIRMED', label: 'Cancelled' }, false],
    [{ current: 'CONFIRMED', before: 'CANCELLED' }, false],
  ])('%j: %s', (status, expected) => {
    expect(isCancelled({ id: 'S-1', order: { status } })).toBe(expected);
  });

  it('is false without a status', () => {
    expect(isCancelled({ id: 'S-1', order: {} })).toBe(false);
  });
});
