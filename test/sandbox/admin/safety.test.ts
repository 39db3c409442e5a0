import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { errorBodies } from '../../../src/sandbox/behaviour/error-bodies.ts';
import { start } from '../start.ts';
import { admin } from './ask.ts';

type Door = readonly ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string];

const doors: Door[] = [
  ['GET', '/info'],
  ['GET', '/ledger'],
  ['POST', '/assert'],
  ['POST', '/reset'],
  ['PUT', '/orders/x/status'],
  ['GET', '/catalogue'],
  ['PUT', '/catalogue'],
  ['PATCH', '/catalogue'],
  ['POST', '/keys'],
  ['PUT', '/keys'],
  ['DELETE', '/keys'],
  ['GET', '/clock'],
  ['PUT', '/clock'],
  ['GET', '/faults'],
  ['PUT', '/faults'],
  ['DELETE', '/faults'],
  ['GET', '/nowhere'],
];

async function knock(baseUrl: string, [method, path]: Door, headers: Record<string, string>) {
  const answer = await request(`${baseUrl}/_sandbox${path}`, {
    method,
    headers,
    body: method === 'GET' ? null : '{}',
  });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    headers: answer.headers,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

describe('every door of the admin API', () => {
  it.each(doors)(
    '%s %s is closed without the token, at another host, and to other origins',
    async (...door) => {
      const { sandbox, store } = await start();
      const { identity, baseUrl, adminToken } = sandbox;
      const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
      for (const headers of [{}, bearer(sandbox.apiKey), bearer('x'), { authorization: adminToken }]) {
        const { status, json } = await knock(baseUrl, door, headers);
        expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED']);
      }
      const foreign = await knock(baseUrl, door, { ...bearer(adminToken), host: 'example.com' });
      expect([foreign.status, foreign.json.error.code]).toEqual([403, 'HOST_NOT_ALLOWED']);
      expect([sandbox.identity, store.requests.totals().requests]).toEqual([identity, 0]);
      const open = await knock(baseUrl, door, { ...bearer(adminToken), origin: 'http://example.com' });
      expect([401, 403]).not.toContain(open.status);
      for (const { headers } of [foreign, open]) {
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    },
  );
});

describe('an error of the admin API', () => {
  it.each(Object.keys(errorBodies) as (keyof typeof errorBodies)[])(
    'looks the same where those of the service are %s',
    async (error) => {
      const refusals = { keyMissing: { status: 400 } } as const;
      const { sandbox } = await start({ behaviour: { answers: { error }, refusals } });
      const { get, put, patch } = admin(sandbox);
      const told = [
        await knock(sandbox.baseUrl, ['GET', '/info'], {}),
        await knock(sandbox.baseUrl, ['GET', '/info'], { host: 'example.com' }),
        await get('/nowhere'),
        await put('/faults', '{'),
        await patch('/catalogue', 'x'.repeat(1024 * 1024 + 1)),
      ];
      expect(told.map(({ status, json }) => [status, json.error.code])).toEqual([
        [401, 'UNAUTHORIZED'],
        [403, 'HOST_NOT_ALLOWED'],
        [404, 'NOT_FOUND'],
        [400, 'INVALID_REQUEST'],
        [413, 'BODY_TOO_LARGE'],
      ]);
      for (const { headers, json } of told) {
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
