import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { anOrder, orders, start } from '../start.ts';
import { type ActionSettings, sendWithFault, singleRule } from './faulty-request.ts';
import { readResponse } from './raw-request.ts';

type Status = Extract<ActionSettings, { kind: 'status' }>;

async function answerWith(
  action: Omit<Status, 'kind'>,
  when: 'before_commit' | 'after_commit' = 'before_commit',
) {
  const struck = await sendWithFault('create', when, { kind: 'status', ...action });
  await struck.connection.ended;
  const { status, headers, body } = readResponse(struck.connection.bytes());
  return { ...struck, status, headers, body: body.toString() };
}

describe('status', () => {
  it.each([200, 201, 204, 205, 299, 304, 400, 418, 425, 429, 499, 500, 503, 520, 599])(
    '%i is answered, before and after the commit',
    async (status) => {
      for (const when of ['before_commit', 'after_commit'] as const) {
        const told = await answerWith({ status }, when);
        expect([told.status, told.store.orders.count()]).toEqual([status, when === 'after_commit' ? 1 : 0]);
        expect(told.body === '').toBe([204, 205, 304].includes(status));
      }
    },
  );

  it('has the body that is asked for, and nothing of the answer in whose place it leaves', async () => {
    for (const when of ['before_commit', 'after_commit'] as const) {
      const bodyOf = async (body: Status['body']) => {
        const told = await answerWith({ status: 502, body }, when);
        expect(told.headers).toMatchObject({
          'x-request-id': expect.any(String),
          'x-merchant-orders-sandbox': told.sandbox.identity,
        });
        return [told.headers['content-type'], told.body];
      };
      expect(await bodyOf('nothing')).toEqual([undefined, '']);
      expect(await bodyOf('text')).toEqual(['text/plain', 'This response is a requested fault']);
      expect(await bodyOf('html')).toEqual(['text/html', expect.stringMatching(/^<!DOCTYPE html>.*502/)]);
      const [type, error] = await bodyOf('error');
      expect([type, JSON.parse(error ?? '')]).toMatchObject([
        'application/json',
        { error: { code: 'FAULT' } },
      ]);
    }
  });

  it('writes its error as the behaviour writes errors', async () => {
    const otherSettings = { answers: { error: 'problem_details' } } as const;
    const action = { kind: 'status', status: 500, code: 'BOOM' } as const;
    const { connection } = await sendWithFault('create', 'before_commit', action, otherSettings);
    await connection.ended;
    const { headers, body } = readResponse(connection.bytes());
    expect(headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(body.toString())).toMatchObject({ status: 500 });
  });

  it('has more headers, and tells to wait, which the record knows before and after the commit', async () => {
    for (const when of ['before_commit', 'after_commit'] as const) {
      const retryAfter = { form: 'seconds', seconds: 7 } as const;
      const told = await answerWith({ status: 503, headers: { 'X-Mood': 'bad' }, retryAfter }, when);
      expect(told.headers).toMatchObject({ 'x-mood': 'bad', 'retry-after': '7' });
      expect(told.recorded()).toMatchObject([{ notBefore: told.clock.now + 7000 }]);
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
  ] as const)('is replayed to its key where %s is kept: then %i', async (kept, status) => {
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

  it('does not take the place of an answer that is kept already', async () => {
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

  it('is not kept after the commit, nor a refusal that a fault makes up', async () => {
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

describe('other_order', () => {
  it('is never the order that the key brought before', async () => {
    const faults = singleRule('after_commit', { kind: 'other_order' }, { attempt: 2 });
    const { create } = await start({ behaviour: { faults } });
    const order = anOrder();
    const headers = { 'idempotency-key': 'K' };
    const first = await create(order, { headers });
    const second = await create(order, { headers });
    expect(second.status).toBe(201);
    expect(second.json.id).not.toBe(first.json.id);
  });

  it('is one of the same merchant where there is one', async () => {
    const faults = singleRule('after_commit', { kind: 'other_order' }, { externalOrderId: 'B' });
    const { create } = await start({ behaviour: { faults } });
    const { json: first } = await create(anOrder({ externalOrderId: 'A' }));
    expect((await create(anOrder({ externalOrderId: 'B' }))).json).toEqual(first);
  });
});

describe('redirect', () => {
  it.each([301, 302, 303, 307, 308] as const)(
    '%i leads to the second origin, which records what comes',
    async (status) => {
      const faults = singleRule('before_commit', { kind: 'redirect', status }, { route: 'list' });
      const { get, sandbox, store } = await start({ behaviour: { faults } });
      const answer = await get(`${orders}?page=2`);
      const location = String(answer.headers.location);
      expect(answer.status).toBe(status);
      expect(location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/merchant\/orders\?page=2$/);
      expect(new URL(location).origin).not.toBe(sandbox.baseUrl);
      const followed = await request(location, { headers: { authorization: `Bearer ${sandbox.apiKey}` } });
      expect([followed.statusCode, await followed.body.json()]).toMatchObject([
        201,
        { id: expect.any(String) },
      ]);
      expect(store.requests.all().at(-1)).toMatchObject({ route: 'elsewhere', subject: `${orders}?page=2` });
      expect([sandbox.requestCount(), store.requests.totals().requests]).toEqual([1, 1]);
    },
  );
});
