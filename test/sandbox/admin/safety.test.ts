import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { errorBodies } from '../../../src/sandbox/behaviour/error-bodies.ts';
import { start } from '../start.ts';
import { admin } from './admin-client.ts';

type Endpoint = readonly [method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string];

const endpoints = [
  ...['GET /info', 'GET /ledger', 'POST /assert', 'POST /reset', 'PUT /orders/x/status', 'GET /orders'],
  ...['GET /orders/x', 'PUT /orders/x/delivery', 'GET /customers', 'POST /customers', 'GET /behaviour'],
  ...['PUT /behaviour', 'DELETE /behaviour', 'GET /catalogue', 'PUT /catalogue', 'PATCH /catalogue'],
  ...[
    'DELETE /catalogue',
    'GET /keys',
    'POST /keys',
    'PUT /keys',
    'DELETE /keys',
    'GET /clock',
    'PUT /clock',
  ],
  ...['DELETE /clock', 'GET /faults', 'PUT /faults', 'DELETE /faults', 'GET /nowhere'],
].map((endpoint) => endpoint.split(' ') as unknown as Endpoint);

async function call(baseUrl: string, [method, path]: Endpoint, headers: Record<string, string>) {
  const response = await request(`${baseUrl}/_sandbox${path}`, {
    method,
    headers,
    body: method === 'GET' ? null : '{}',
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    headers: response.headers,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

describe('every endpoint of the admin API', () => {
  it.each(endpoints)(
    '%s %s rejects requests without the token and for another host, and sends no CORS headers',
    async (...endpoint) => {
      const { sandbox, store } = await start();
      const { identity, baseUrl, adminToken } = sandbox;
      const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
      for (const headers of [{}, bearer(sandbox.apiKey), bearer('x'), { authorization: adminToken }]) {
        const { status, json } = await call(baseUrl, endpoint, headers);
        expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED']);
      }
      const foreign = await call(baseUrl, endpoint, { ...bearer(adminToken), host: 'example.com' });
      expect([foreign.status, foreign.json.error.code]).toEqual([403, 'HOST_NOT_ALLOWED']);
      expect([sandbox.identity, store.requests.totals().requests]).toEqual([identity, 0]);
      const open = await call(baseUrl, endpoint, { ...bearer(adminToken), origin: 'http://example.com' });
      expect([401, 403]).not.toContain(open.status);
      for (const { headers } of [foreign, open]) {
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    },
  );
});

describe('an error of the admin API', () => {
  it.each([
    ['put', '/info', 'GET, HEAD'],
    ['remove', '/orders', 'GET, HEAD'],
    ['post', '/catalogue', 'GET, HEAD, PUT, PATCH, DELETE'],
    ['get', '/orders/A/status', 'PUT'],
    ['get', '/reset', 'POST'],
  ] as const)('%s %s names the methods of the path: %s', async (method, path, allowed) => {
    const { sandbox } = await start();
    const { status, headers, json } = await admin(sandbox)[method](path);
    expect([status, headers.allow, json.error.code]).toEqual([405, allowed, 'METHOD_NOT_ALLOWED']);
    expect(json.error.message).toBe(`The methods of this path are ${allowed}`);
  });

  it.each(Object.keys(errorBodies) as (keyof typeof errorBodies)[])(
    'has the same form when errors of the service are %s',
    async (error) => {
      const refusals = { keyMissing: { status: 400 } } as const;
      const { sandbox } = await start({ behaviour: { responses: { error }, refusals } });
      const { get, put, patch } = admin(sandbox);
      const responses = [
        await call(sandbox.baseUrl, ['GET', '/info'], {}),
        await call(sandbox.baseUrl, ['GET', '/info'], { host: 'example.com' }),
        await get('/nowhere'),
        await put('/faults', '{'),
        await patch('/catalogue', 'x'.repeat(1024 * 1024 + 1)),
      ];
      expect(responses.map(({ status, json }) => [status, json.error.code])).toEqual([
        [401, 'UNAUTHORIZED'],
        [403, 'HOST_NOT_ALLOWED'],
        [404, 'NOT_FOUND'],
        [400, 'INVALID_REQUEST'],
        [413, 'BODY_TOO_LARGE'],
      ]);
      for (const { headers, json } of responses) {
        expect(headers['content-type']).toBe('application/json');
        expect(json).toEqual({
          error: {
            code: json.error.code,
            message: expect.stringMatching(/\w/),
            requestId: headers['x-request-id'],
          },
        });
      }
    },
  );
});
