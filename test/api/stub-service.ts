import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { createTransport, type Transport } from '../../src/api/http/transport.ts';
import type { AttemptPolicy } from '../../src/api/pacing/attempts.ts';
import { type Clock, systemClock } from '../../src/system/system.ts';
import { lost as lostResult, responseOf } from './response.ts';

export const orders = '/api/v1/merchant/orders';
export const apiKey = 'sandbox_key-of-the-tests';

/** A request as the stub service received it. */
export interface ReceivedRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A response with JSON or text, or a function that writes it. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }
  | ((response: ServerResponse) => void);

/** Closes the connection after the request was read. */
export const lost: Reply = (response) => response.socket?.destroy();

/** A service on a free port; `respond` is called for every request, in order. */
export async function startStubService(respond: (request: ReceivedRequest) => Reply) {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    // Not parsed as a URL, which would resolve `..`.
    const [path = '', query] = (incoming.url ?? '').split('?');
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      path,
      query: Object.fromEntries(new URLSearchParams(query)),
      headers: incoming.headers,
      body: await text(incoming),
    };
    received.push(request);
    const reply = respond(request);
    if (typeof reply === 'function') return reply(outgoing);
    const { status = 200, headers = {}, json, text: body = JSON.stringify(json) ?? '' } = reply;
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const requests = (method: string, path?: string) =>
    received.filter((one) => one.method === method && (path === undefined || one.path === path));
  /** With which the program connects to it. */
  const env = { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: apiKey };
  return { baseUrl, env, received, requests };
}

/** A clock whose sleeps are recorded and take no time. */
export function createTestClock() {
  const sleeps: number[] = [];
  let now = Date.parse('2026-11-25T08:00:00Z');
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    today: () => '2026-11-25',
    sleep: async (milliseconds) => {
      sleeps.push(milliseconds);
      now += milliseconds;
    },
    after: systemClock.after,
  };
  return { clock, sleeps, pass: (milliseconds: number) => (now += milliseconds) };
}

export function aPolicy(fields: Partial<AttemptPolicy> = {}): AttemptPolicy {
  return {
    clock: createTestClock().clock,
    random: () => 0.5,
    timeoutMilliseconds: 60_000,
    maxWaitMilliseconds: 300_000,
    maxOutageMilliseconds: 900_000,
    hasWaitFlags: false,
    waitsForOutages: false,
    stopping: new AbortController().signal,
    leaving: new AbortController().signal,
    trace: () => undefined,
    ...fields,
  };
}

/** The real client without sockets: `send` returns what each attempt comes to. */
export function clientWith(send: Transport['send'], policy: AttemptPolicy) {
  return createClient({ send, close: async () => undefined }, policy, 'http://127.0.0.1');
}

/** The real client over real sockets; only its waits take no time. */
export function connectTo(baseUrl: string, policy: Partial<AttemptPolicy> = {}) {
  const transport = createTransport({
    baseUrl: new URL(baseUrl),
    apiKey,
    userAgent: 'test',
    env: {},
    clock: systemClock,
  });
  const client = createClient(transport, aPolicy(policy), baseUrl);
  onTestFinished(() => client.close());
  return client;
}

export async function startWithClient(
  respond: (request: ReceivedRequest) => Reply,
  policy: Partial<AttemptPolicy> = {},
) {
  const service = await startStubService(respond);
  return { ...service, client: connectTo(service.baseUrl, policy) };
}

/** The same without sockets: all that a reply of status, headers and text needs. */
export function clientOf(respond: (request: ReceivedRequest) => Reply, policy: Partial<AttemptPolicy> = {}) {
  const received: ReceivedRequest[] = [];
  const host = '127.0.0.1';
  const client = clientWith(async ({ method, path, query = {}, headers, body = '' }) => {
    const request = { method, path: orders + path, query: { ...query }, headers: { host, ...headers }, body };
    received.push(request);
    const reply = respond(request);
    if (reply === lost) return { ...lostResult, reason: 'the connection was closed' };
    if (typeof reply === 'function') throw new Error('this reply is written to a socket');
    const { status = 200, headers: sent, json, text: written = JSON.stringify(json) ?? '' } = reply;
    return responseOf(status, written, sent);
  }, aPolicy(policy));
  const requests = (method: string, path?: string) =>
    received.filter((one) => one.method === method && (path === undefined || one.path === path));
  return { client, received, requests };
}
