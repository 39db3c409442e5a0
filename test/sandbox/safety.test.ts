import { networkInterfaces } from 'node:os';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { isUuid } from '../../src/orders/order-reference.ts';
import { anOrder, orders, send, start } from './start.ts';

const limit = 1024 * 1024;

/** A create of these bytes. */
const post = ({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }, body: Readable | Buffer) =>
  request(baseUrl + orders, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'idempotency-key': 'K',
      'content-type': 'application/json',
    },
    body,
  });

/** A valid order whose JSON has this size. */
function orderOfBytes(bytes: number): string {
  const order = anOrder({ note: '' });
  const missing = bytes - Buffer.byteLength(JSON.stringify(order));
  return JSON.stringify({ ...order, note: 'x'.repeat(missing) });
}

describe('Host', () => {
  it.each(['127.0.0.1', '127.0.0.1:4010', 'localhost', 'LOCALHOST:1', '[::1]', '[::1]:4010'])(
    'accepts %s',
    async (host) => {
      const { get } = await start();
      expect((await get(orders, { headers: { host } })).status).toBe(200);
    },
  );

  it.each([
    'example.com',
    '127.0.0.1.example.com',
    'my.localhost',
    'localhost.example.com',
    '127.0.0.2',
    'x@127.0.0.1',
    '[::2]',
  ])('rejects %s, in the admin API too, and does nothing', async (host) => {
    const { create, get, sandbox, store } = await start();
    const { status, text } = await create(anOrder(), { headers: { host } });
    expect(status === 403 || status === 400).toBe(true);
    expect(text).not.toContain('CONFIRMED');
    expect(store.orders.count()).toBe(0);
    const admin = await get('/_sandbox/info', { key: sandbox.adminToken, headers: { host: 'example.com' } });
    expect([admin.status, admin.json.error.code]).toEqual([403, 'HOST_NOT_ALLOWED']);
  });

  it('does not listen on any other address of this machine', async () => {
    const { sandbox } = await start();
    const { port } = new URL(sandbox.baseUrl);
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, address }) => family === 'IPv4' && address !== '127.0.0.1');
    for (const address of ['127.0.0.2', ...others.map((other) => other.address)]) {
      await expect(request(`http://${address}:${port}${orders}`)).rejects.toThrow(
        /ECONNREFUSED|EADDRNOTAVAIL/,
      );
    }
  });
});

describe('bodies', () => {
  it('accepts 1 MiB', async () => {
    const { create } = await start();
    expect((await create(orderOfBytes(limit))).status).toBe(201);
  });

  it.each([limit + 1, 3 * limit])('rejects %i bytes, with and without Content-Length', async (bytes) => {
    const { create, sandbox, store } = await start();
    const sized = await create(orderOfBytes(bytes));
    expect([sized.status, sized.json.error.code]).toEqual([413, 'BODY_TOO_LARGE']);
    const streamed = await post(sandbox, Readable.from([orderOfBytes(bytes)]));
    await streamed.body.dump();
    expect(streamed.statusCode).toBe(413);
    expect(store.orders.count()).toBe(0);
  });

  it('accepts a body without Content-Length', async () => {
    const { sandbox } = await start();
    const order = Buffer.from(JSON.stringify(anOrder({ note: 'Өдөр' })));
    const { statusCode, body } = await post(sandbox, Readable.from([order]));
    expect(statusCode).toBe(201);
    expect(await body.json()).toMatchObject({ note: 'Өдөр' });
  });

  it('limits the body of a cancellation too', async () => {
    const { create, post } = await start();
    const { json: order } = await create(anOrder());
    const { status } = await post(`${orders}/${order.id}/cancel`, { body: { reason: 'x'.repeat(limit) } });
    expect(status).toBe(413);
  });

  it('rejects bytes that are not UTF-8', async () => {
    const { sandbox } = await start();
    const order = Buffer.from(JSON.stringify(anOrder({ note: 'é' })), 'latin1');
    const { statusCode, body } = await post(sandbox, order);
    await body.dump();
    expect(statusCode).toBe(400);
  });
});

describe('every response', () => {
  it('names the sandbox and has its own request id, also in the body of an error', async () => {
    const { get, create, sandbox } = await start();
    const responses = [
      await create(anOrder()),
      await get(orders),
      await get('/nowhere'),
      await get(orders, { key: 'sandbox_x' }),
      await get(orders, { headers: { host: 'example.com' } }),
      await get('/_sandbox/info'),
    ];
    const ids = responses.map(({ headers }) => headers['x-request-id']);
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 404, 401, 403, 401]);
    expect(new Set(ids).size).toBe(responses.length);
    for (const { headers, json } of responses) {
      expect(headers['x-merchant-orders-sandbox']).toBe(sandbox.identity);
      expect(isUuid(headers['x-request-id'] as string)).toBe(true);
      if (json.error) {
        expect(json).toEqual({
          error: {
            code: json.error.code,
            message: expect.stringMatching(/\w/),
            requestId: headers['x-request-id'],
          },
        });
      }
    }
  });

  it('has no CORS headers, not even for a preflight', async () => {
    const { get, sandbox } = await start();
    const headers = { origin: 'http://example.com', 'access-control-request-method': 'POST' };
    const preflight = await send(sandbox.baseUrl, 'OPTIONS', orders, { headers });
    expect(preflight.status).toBe(401);
    for (const response of [preflight, await get(orders, { headers })]) {
      expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it.each(['/api/v1/merchant', '/api/v2/merchant/orders', `${orders}/a/b`, '/_sandboxes'])(
    'is 404 for an unknown path: %s',
    async (path) => {
      const { get } = await start();
      const { status, json } = await get(path);
      expect([status, json.error.code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it.each([
    ['DELETE', orders, 'GET, HEAD, POST'],
    ['OPTIONS', orders, 'GET, HEAD, POST'],
    ['POST', `${orders}/x`, 'GET, HEAD'],
    ['GET', `${orders}/x/cancel`, 'POST'],
  ] as const)('is 405 with the allowed methods for %s %s', async (method, path, allowed) => {
    const { sandbox } = await start();
    const { status, headers, json } = await send(sandbox.baseUrl, method, path, { key: sandbox.apiKey });
    expect([status, headers.allow, json.error.code]).toEqual([405, allowed, 'METHOD_NOT_ALLOWED']);
    expect((await send(sandbox.baseUrl, method, path)).status).toBe(401);
  });

  it('has no body for HEAD, and otherwise the response to GET', async () => {
    const { sandbox, get } = await start();
    const { headers } = await get(orders);
    const head = await request(sandbox.baseUrl + orders, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${sandbox.apiKey}` },
    });
    expect([head.statusCode, head.headers['content-type'], await head.body.text()]).toEqual([
      200,
      headers['content-type'],
      '',
    ]);
  });
});
