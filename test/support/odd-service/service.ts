import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Dispatcher, request as sendRequest } from 'undici';
import { envelopes, frameworkEnvelopes } from '../../api/list-services.ts';
import { type BrokenResponse, brokenResponses } from './broken.ts';
import { errorBodies } from './errors.ts';
import { type Fields, orderEnvelopes, orderFields } from './orders.ts';

/** What an odd service does otherwise than the sandbox behind it, each by its name in one table. */
export interface Oddity {
  /** Of `test/api/list-services.ts`. */
  list?: string;
  error?: string;
  order?: string;
  fields?: string;
  /** Whether each page has its oldest order first. */
  oldestFirst?: boolean;
  /** Headers that its responses do not have. */
  hides?: readonly string[];
  /** Query parameters that have no effect. */
  ignores?: readonly string[];
  /** The responses to creates after the order was created, of the first `brokenCreates`. */
  broken?: string;
  brokenCreates?: number;
}

const collection = '/api/v1/merchant/orders';
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
type Body = any;

/** In front of a sandbox with the default envelopes; it alters the responses of the orders API. */
export async function startOddService(target: string, oddity: Oddity, firstPage = 1) {
  let leftToBreak = oddity.brokenCreates ?? 1;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = incoming;
    const url = new URL(incoming.url ?? '', baseUrl);
    const asked = url.href;
    const isOrders = url.pathname.startsWith(collection);
    if (isOrders) for (const name of oddity.ignores ?? []) url.searchParams.delete(name);
    const body = await buffer(incoming);
    const { host: _host, connection: _connection, 'content-length': _length, ...others } = headers;
    const forwarded = await sendRequest(target + url.pathname + url.search, {
      method: method as Dispatcher.HttpMethod,
      headers: others,
      body: body.length === 0 ? null : body,
    });
    const { connection: _c, 'keep-alive': _k, 'content-length': _l, ...received } = forwarded.headers;
    for (const name of oddity.hides ?? []) delete received[name];
    const whole: BrokenResponse = {
      status: forwarded.statusCode,
      headers: Object.fromEntries(Object.entries(received).map(([name, value]) => [name, String(value)])),
      body: await forwarded.body.text(),
    };
    const altered = isOrders ? alter(whole, method, asked) : whole;
    const isCreate = method === 'POST' && url.pathname === collection;
    if (oddity.broken !== undefined && isCreate && leftToBreak > 0) {
      leftToBreak -= 1;
      return brokenResponses[oddity.broken]?.(response, altered);
    }
    response.writeHead(altered.status, altered.headers).end(altered.body);
  }

  function alter(whole: BrokenResponse, method: string, asked: string): BrokenResponse {
    const { status, headers, body } = whole;
    const json = body === '' ? undefined : (JSON.parse(body) as Body);
    if (status >= 400) return alterError(whole, json, asked);
    if (json === undefined) return whole;
    const show = orderFields[oddity.fields ?? ''] ?? ((order: Fields) => order);
    const isList = method === 'GET' && new URL(asked).pathname === collection;
    if (isList && Array.isArray(json)) return whole;
    if (isList) {
      const shown = json.data.map(show);
      const list = alterList(oddity.oldestFirst ? shown.reverse() : shown, json, asked);
      return { status, headers: { ...headers, ...list.headers }, body: JSON.stringify(list.json) };
    }
    const wrap = orderEnvelopes[oddity.order ?? ''] ?? ((order: Fields) => order);
    const isNothing = oddity.order === 'nothing';
    const shown = isNothing && method === 'GET' ? show(json) : wrap(show(json));
    return { status, headers, body: shown === undefined ? '' : JSON.stringify(shown) };
  }

  function alterList(orders: object[], { page, pageSize, total }: Body, asked: string) {
    const { list = '' } = oddity;
    const isLast = page - firstPage + 1 >= Math.ceil(total / pageSize);
    const next = new URL(asked);
    next.searchParams.set('page', String(page + 1));
    const wrap = envelopes[list] ?? frameworkEnvelopes[list];
    const content = { orders, page, size: pageSize, total, isLast, next: isLast ? null : next.href };
    return wrap === undefined ? { json: { data: orders, page, pageSize, total } } : wrap(content);
  }

  function alterError({ status, headers, body }: BrokenResponse, json: Body, asked: string): BrokenResponse {
    const write = errorBodies[oddity.error ?? ''];
    if (write === undefined || json?.error === undefined) return { status, headers, body };
    const { details = [], ...error } = json.error;
    const fields = details.map(({ field, message }: Body) => ({ field, problem: message }));
    const written = write({ ...error, status, fields, path: new URL(asked).pathname });
    const { 'content-type': _type, ...withoutType } = headers;
    const type = written.contentType === undefined ? {} : { 'content-type': written.contentType };
    return { status, headers: { ...withoutType, ...type }, body: written.text };
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    stop: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
