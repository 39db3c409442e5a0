import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Dispatcher, request as sendRequest } from 'undici';
import { type BrokenResponse, brokenResponses } from './broken.ts';
import { type Fields, orderFields } from './orders.ts';

/** What an odd service does otherwise than the sandbox behind it. */
export interface Oddity {
  /** Query parameters that have no effect. */
  ignores?: readonly string[];
  /** Headers that its responses do not have. */
  hides?: readonly string[];
  /** How it shows orders, by its name. */
  fields?: string;
  /** A create or a cancellation gets no body. */
  showsNothing?: boolean;
  /** Each page has its oldest order first. */
  oldestFirst?: boolean;
  /** The response to its first create after the order was created, by its name. */
  broken?: string;
}

const collection = '/api/v1/merchant/orders';

/** In front of a sandbox; it alters what the orders API gets and responds. */
export async function startOddService(target: string, oddity: Oddity) {
  let isBroken = oddity.broken !== undefined;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = incoming;
    const url = new URL(incoming.url ?? '', target);
    if (url.pathname.startsWith(collection))
      for (const name of oddity.ignores ?? []) url.searchParams.delete(name);
    const sent = await buffer(incoming);
    const { host: _host, connection: _connection, 'content-length': _length, ...others } = headers;
    const forwarded = await sendRequest(url, {
      method: method as Dispatcher.HttpMethod,
      headers: others,
      body: sent.length === 0 ? null : sent,
    });
    const { connection: _c, 'keep-alive': _k, 'content-length': _l, ...received } = forwarded.headers;
    for (const name of oddity.hides ?? []) delete received[name];
    const isAltered = url.pathname.startsWith(collection) && forwarded.statusCode < 400;
    const text = await forwarded.body.text();
    const whole: BrokenResponse = {
      status: forwarded.statusCode,
      headers: Object.fromEntries(Object.entries(received).map(([name, value]) => [name, String(value)])),
      body: isAltered && text !== '' ? alter(text, method) : text,
    };
    if (isBroken && method === 'POST' && url.pathname === collection) {
      isBroken = false;
      return brokenResponses[oddity.broken ?? '']?.(response, whole);
    }
    response.writeHead(whole.status, whole.headers).end(whole.body);
  }

  function alter(text: string, method: string): string {
    const show = orderFields[oddity.fields ?? ''] ?? ((order: Fields) => order);
    if (oddity.showsNothing && method === 'POST') return '';
    // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
    const json: any = JSON.parse(text);
    if (!Array.isArray(json.data)) return JSON.stringify(Array.isArray(json) ? json : show(json));
    const data = json.data.map(show);
    return JSON.stringify({ ...json, data: oddity.oldestFirst ? data.reverse() : data });
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
