import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { BehaviourSettings } from '../../../src/sandbox/behaviour/schema.ts';
import { anOrder, orders, start } from '../start.ts';

export { anOrder, orders };

export type Service = Awaited<ReturnType<typeof serve>>;

interface Asking {
  key?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A sandbox with these settings, spoken to over HTTP whatever its answers look like. */
export async function serve(behaviour: BehaviourSettings) {
  const started = await start({ behaviour });
  const ask = async (method: 'GET' | 'POST', path: string, { key, headers, body }: Asking = {}) => {
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
    // Not `text()`, which would take a byte order mark away.
    const text = Buffer.from(await response.body.arrayBuffer()).toString();
    return { status: response.statusCode, headers: response.headers, text, json: readJson(text) };
  };
  return {
    ...started,
    ask,
    create: (order: unknown, key: string = randomUUID()) =>
      ask('POST', orders, { headers: { 'idempotency-key': key }, body: order }),
    cancel: (id: string) => ask('POST', `${orders}/${id}/cancel`, { body: { reason: 'changed my mind' } }),
    read: (id: string) => ask('GET', `${orders}/${id}`),
    list: (query = '') => ask('GET', `${orders}${query}`),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked at field by field
function readJson(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
