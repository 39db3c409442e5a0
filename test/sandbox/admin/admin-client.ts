import { request } from 'undici';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';

/** Sends requests to the admin API below /_sandbox with its token; `json` is undefined without a body. */
export function admin({ baseUrl, adminToken }: Pick<Sandbox, 'baseUrl' | 'adminToken'>) {
  const send =
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
  return {
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    remove: send('DELETE'),
  };
}
