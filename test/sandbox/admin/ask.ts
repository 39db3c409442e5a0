import { request } from 'undici';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';

/** Requests to the admin API below /_sandbox, with its token; `json` is undefined for no body. */
export function admin({ baseUrl, adminToken }: Pick<Sandbox, 'baseUrl' | 'adminToken'>) {
  const ask =
    (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE') => async (path: string, body?: unknown) => {
      const response = await request(`${baseUrl}/_sandbox${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}` },
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await response.body.text();
      return {
        status: response.statusCode,
        headers: response.headers,
        json: text === '' ? undefined : JSON.parse(text),
      };
    };
  return { get: ask('GET'), post: ask('POST'), put: ask('PUT'), patch: ask('PATCH'), remove: ask('DELETE') };
}
