import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { createTransport } from '../../src/api/http/transport.ts';
import type { AttemptPolicy } from '../../src/api/pacing/attempts.ts';
import type { Clock } from '../../src/system/system.ts';

export const orders = '/api/v1/merchant/orders';
export const apiKey = 'sandbox_key-of-the-tests';

/** A request as the service saw it. */
export interface Seen {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What the service answers: JSON, or text as it is, or whatever the function does to the response. */
export type Reply =
  | { status?: number; headers?: Record<string, string>; json?: unknown; text?: string }
  | ((response: ServerResponse) => void);

/** The request was read, and then the connection is gone. */
export const lost: Reply = (response) => response.socket?.destroy();

/** A service of a foreign make on a free port: `answer` sees every request, in order. */
export async function startForeign(answer: (seen: Seen) => Reply) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    // Taken apart by hand: a URL parser would hide `..` and the like.
    const [path = '', query] = (request.url ?? '').split('?');
    const told: Seen = {
      method: request.method ?? '',
      path,
      query: Object.fromEntries(new URLSearchParams(query)),
      headers: request.headers,
      body: await text(request),
    };
    seen.push(told);
    const reply = answer(told);
    if (typeof reply === 'function') return reply(response);
    const { status = 200, headers = {}, json, text: body = JSON.stringify(json) ?? '' } = reply;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const requests = (method: string, path?: string) =>
    seen.filter((one) => one.method === method && (path === undefined || one.path === path));
  return { baseUrl, seen, requests };
}

/** A clock that jumps over what it is asked to wait, and keeps it. */
export function createTestClock() {
  const sleeps: number[] = [];
  let now = Date.parse('2026-11-25T08:00:00Z');
  const clock: Clock = {
    now: () => now,
    today: () => '2026-11-25',
    sleep: async (milliseconds) => {
      sleeps.push(milliseconds);
      now += milliseconds;
    },
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
    sitsOutOutages: false,
    stopping: new AbortController().signal,
    leaving: new AbortController().signal,
    trace: () => undefined,
    ...fields,
  };
}

/** The client as the program builds it, over real sockets; only its waits take no time. */
export function connectTo(baseUrl: string, policy: Partial<AttemptPolicy> = {}) {
  const transport = createTransport({ baseUrl: new URL(baseUrl), apiKey, userAgent: 'test', env: {} });
  const client = createClient(transport, aPolicy(policy), baseUrl);
  onTestFinished(() => client.close());
  return client;
}

/** A foreign service and a client of it. */
export async function startWithClient(answer: (seen: Seen) => Reply, policy: Partial<AttemptPolicy> = {}) {
  const service = await startForeign(answer);
  return { ...service, client: connectTo(service.baseUrl, policy) };
}
