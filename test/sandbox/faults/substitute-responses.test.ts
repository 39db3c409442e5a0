import { describe, expect, it } from 'vitest';
import { anOrder, start } from '../start.ts';
import { type ActionSettings, sendWithFault, singleRule } from './faulty-request.ts';
import { readResponse } from './raw-request.ts';

type Status = Extract<ActionSettings, { kind: 'status' }>;

async function sendCreate(
  action: Omit<Status, 'kind'>,
  when: 'before_commit' | 'after_commit' = 'before_commit',
) {
  const sent = await sendWithFault('create', when, { kind: 'status', ...action });
  await sent.connection.ended;
  const { status, headers, body } = readResponse(sent.connection.bytes());
  return { ...sent, status, headers, body: body.toString() };
}

describe('status', () => {
  it.each([200, 201, 204, 205, 299, 304, 400, 418, 425, 429, 499, 500, 503, 520, 599])(
    '%i is returned before and after the commit',
    async (status) => {
      for (const when of ['before_commit', 'after_commit'] as const) {
        const response = await sendCreate({ status }, when);
        expect([response.status, response.store.orders.count()]).toEqual([
          status,
          when === 'after_commit' ? 1 : 0,
        ]);
        expect(response.body === '').toBe([204, 205, 304].includes(status));
      }
    },
  );

  it('has the given body and nothing of the response that it replaces', async () => {
    for (const when of ['before_commit', 'after_commit'] as const) {
      const bodyOf = async (body: Status['body']) => {
        const response = await sendCreate({ status: 502, body }, when);
        expect(response.headers).toMatchObject({
          'x-request-id': expect.any(String),
          'x-merchant-orders-sandbox': response.sandbox.identity,
        });
        return [response.headers['content-type'], response.body];
      };
      expect(await bodyOf('nothing')).toEqual([undefined, '']);
      expect(await bodyOf('html')).toEqual(['text/html', expect.stringMatching(/^<!DOCTYPE html>.*502/)]);
      const [type, error] = await bodyOf('error');
      expect([type, JSON.parse(error ?? '')]).toMatchObject([
        'application/json',
        { error: { code: 'FAULT' } },
      ]);
    }
  });

  it('has an error in the form of the behaviour', async () => {
    const otherSettings = { responses: { error: 'problem_details' } } as const;
    const action = { kind: 'status', status: 500, code: 'BOOM' } as const;
    const { connection } = await sendWithFault('create', 'before_commit', action, otherSettings);
    await connection.ended;
    const { headers, body } = readResponse(connection.bytes());
    expect(headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(body.toString())).toMatchObject({ status: 500 });
  });

  it('sends Retry-After, which is logged before and after the commit', async () => {
    for (const when of ['before_commit', 'after_commit'] as const) {
      const response = await sendCreate({ status: 503, retryAfter: 7 }, when);
      expect(response.headers).toMatchObject({ 'retry-after': '7' });
      expect(response.loggedRequests()).toMatchObject([{ notBefore: response.clock.now + 7000 }]);
    }
  });
});

describe('a status of 5xx', () => {
  const failing = (attempt: number) =>
    singleRule('before_commit', { kind: 'status', status: 500, code: 'BOOM' }, { route: 'create', attempt });

  it.each([
    ['everything', 500],
    ['refusals', 201],
    ['successes', 201],
    ['nothing', 201],
  ] as const)('with keys.kept %s, is followed by %i for the same key', async (kept, status) => {
    const { create, store } = await start({ behaviour: { keys: { kept }, faults: failing(1) } });
    const order = anOrder();
    const headers = { 'idempotency-key': 'K' };
    const first = await create(order, { headers });
    expect([first.status, first.json.error.code]).toEqual([500, 'BOOM']);
    const second = await create(order, { headers });
    expect(second.status).toBe(status);
    expect(second.text === first.text).toBe(status === 500);
    expect((await create(order)).status).toBe(status === 500 ? 201 : 409);
    expect(store.orders.count()).toBe(1);
  });

  it('does not replace a stored response', async () => {
    const { create, store } = await start({
      behaviour: { keys: { kept: 'everything' }, faults: failing(2) },
    });
    const order = anOrder();
    const headers = { 'idempotency-key': 'K' };
    const first = await create(order, { headers });
    expect((await create(order, { headers })).status).toBe(500);
    const third = await create(order, { headers });
    expect([third.status, third.text]).toEqual([201, first.text]);
    expect(store.orders.count()).toBe(1);
  });

  it('is not stored after the commit, nor is a rejection by a fault', async () => {
    for (const [when, status] of [
      ['after_commit', 500],
      ['before_commit', 422],
    ] as const) {
      const faults = singleRule(when, { kind: 'status', status }, { route: 'create', attempt: 1 });
      const { create } = await start({ behaviour: { keys: { kept: 'everything' }, faults } });
      const order = anOrder();
      const headers = { 'idempotency-key': 'K' };
      expect((await create(order, { headers })).status).toBe(status);
      expect((await create(order, { headers })).status).toBe(201);
    }
  });
});
