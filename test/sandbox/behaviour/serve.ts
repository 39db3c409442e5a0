import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { BehaviourSettings } from '../../../src/sandbox/behaviour/schema.ts';
import { anOrder, orders, start } from '../start.ts';

export { anOrder, orders };

export type Service = Awaited<ReturnType<typeof serve>>;

interface RequestParts {
  key?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A sandbox with these settings and HTTP requests that accept any response body. */
export async function serve(behaviour: BehaviourSettings) {
  const started = await start({ behaviour });
  const send = async (method: 'GET' | 'POST', path: string, { key, headers, body }: RequestParts = {}) => {
    const sent = key === undefined ? started.sandbox.apiKey : key;
    const response = await request(started.sandbox.baseUrl + path, {
      method,
      headers: {
        ...(sent === null ? {} : { authorization: `Bearer ${sent}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    // `text()` would remove a byte order mark.
    const text = Buffer.from(await response.body.arrayBuffer()).toString();
    return { status: response.statusCode, headers: response.headers, text, json: readJson(text) };
  };
  return {
    ...started,
    send,
    create: (order: unknown, key: string = randomUUID()) =>
      send('POST', orders, { headers: { 'idempotency-key': key }, body: order }),
    cancel: (id: string) => send('POST', `${orders}/${id}/cancel`, { body: { reason: 'changed my mind' } }),
    read: (id: string) => send('GET', `${orders}/${id}`),
    list: (query = '') => send('GET', `${orders}${query}`),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a response has any shape
function readJson(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
