import { describe, expect, it } from 'vitest';
import { singleRule } from '../faults/faulty-request.ts';
import { anOrder, start } from '../start.ts';
import { admin } from './admin-client.ts';

describe('/_sandbox/clock', () => {
  it('returns the time of the service, which continues from the time that was set', async () => {
    const { sandbox, clock } = await start();
    const { get, put } = admin(sandbox);
    expect((await get('/clock')).json).toEqual({ now: '2026-11-25T08:00:00.000Z' });
    const { status, json } = await put('/clock', { now: '2031-12-31T23:59:59+08:00' });
    expect([status, json]).toEqual([200, { now: '2031-12-31T15:59:59.000Z' }]);
    clock.now += 1500;
    expect((await get('/clock')).json).toEqual({ now: '2031-12-31T16:00:00.500Z' });
    expect((await put('/clock', { advanceSeconds: -0.5 })).json).toEqual({ now: '2031-12-31T16:00:00.000Z' });
    expect((await get('/info')).json.now).toBe('2031-12-31T16:00:00.000Z');
  });

  it('sets the creation time of orders and the year of their numbers', async () => {
    const { sandbox, create, cancel } = await start();
    await create(anOrder());
    await admin(sandbox).put('/clock', { now: '2031-01-02T03:04:05Z' });
    const { json } = await create(anOrder());
    expect([json.createdAt, json.orderNumber]).toEqual(['2031-01-02T03:04:05.000Z', 'ORD-2031-000001']);
    expect((await cancel(json.id)).json.cancelledAt).toBe('2031-01-02T03:04:05.000Z');
    await admin(sandbox).put('/clock', { now: '2026-12-31T00:00:00Z' });
    expect((await create(anOrder())).json.orderNumber).toBe('ORD-2026-000002');
  });

  it('is the time of Retry-After, Date and the request log too', async () => {
    const faults = singleRule(
      'before_commit',
      { kind: 'status', status: 429, retryAfter: 2 },
      { attempt: 1 },
    );
    const { sandbox, create, store, clock } = await start({ behaviour: { faults } });
    await admin(sandbox).put('/clock', { now: '2031-01-02T03:04:05Z' });
    const { headers } = await create(anOrder());
    expect(headers).toMatchObject({ 'retry-after': '2', date: 'Thu, 02 Jan 2031 03:04:05 GMT' });
    const now = Date.parse('2031-01-02T03:04:05Z');
    expect(store.requests.all()).toMatchObject([{ arrivedAt: now, notBefore: now + 2000 }]);
    await admin(sandbox).put('/clock', { advanceSeconds: 2 });
    clock.now += 1;
    await create(anOrder());
    expect(store.requests.early()).toEqual([]);
  });

  it('returns to the time of this machine', async () => {
    const { sandbox, clock } = await start();
    const { put, remove } = admin(sandbox);
    await put('/clock', { now: '2031-01-02T03:04:05Z' });
    clock.now += 1000;
    expect((await remove('/clock')).json).toEqual({ now: '2026-11-25T08:00:01.000Z' });
  });

  it.each([
    {},
    { now: 'tomorrow' },
    { now: '2026-11-25' },
    { advanceSeconds: '1' },
    { advanceSeconds: 1e300 },
    { advanceSeconds: -1e12 },
    { now: '2031-01-02T03:04:05Z', advanceSeconds: 1 },
  ])('rejects %j and does not change the time', async (body) => {
    const { sandbox, create } = await start();
    const { put, get } = admin(sandbox);
    const { status, json } = await put('/clock', body);
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(json.error.message).toMatch(/\w/);
    expect((await get('/clock')).json.now).toBe('2026-11-25T08:00:00.000Z');
    expect((await create(anOrder())).status).toBe(201);
  });
});
