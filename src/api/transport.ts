import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { Pool } from 'undici';
import { parseJson } from '../orders/json.ts';
import { ordersUrl } from './address.ts';
import { createConnector } from './connector.ts';
import { decodeBody } from './decode-body.ts';
import { createExchange, type RawAnswer } from './exchange.ts';
import { failureOf } from './failure.ts';
import type { Answer, Observation } from './observation.ts';
import { onAbort } from './on-abort.ts';
import { proxyFor } from './proxy.ts';
import { createReuseWatch } from './reuse-watch.ts';

export interface HttpRequest {
  method: 'GET' | 'POST';
  /** Below the base path, beginning with `/` or empty. */
  path: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface Transport {
  /** One attempt: never rejects, never follows a redirect, never tries again. */
  send(request: HttpRequest, deadlineMilliseconds: number, abort: AbortSignal): Promise<Observation>;
  close(): Promise<void>;
}

export interface TransportOptions {
  baseUrl: URL;
  apiKey: string;
  userAgent: string;
  /** Proxy variables are taken from here; loopback is never proxied. */
  env: Readonly<Record<string, string | undefined>>;
}

/** An idle socket is closed here before the service does it, and this long before the time that a service names. */
const idleMilliseconds = 2_000;
const idleMarginMilliseconds = 500;
const largestHeader = 16 * 1024;
const largestBody = 10 * 1024 * 1024;

/** The service over HTTP/1.1, as many connections as requests at a time. Error: `usage` for a proxy variable. */
export function createTransport({ baseUrl, apiKey, userAgent, env }: TransportOptions): Transport {
  const connector = createConnector(proxyFor(baseUrl, env));
  const reuse = createReuseWatch(connector.connect);
  const pool = new Pool(baseUrl.origin, {
    connect: reuse.connect,
    pipelining: 1,
    keepAliveTimeout: idleMilliseconds,
    keepAliveMaxTimeout: idleMilliseconds,
    keepAliveTimeoutThreshold: idleMarginMilliseconds,
    maxHeaderSize: largestHeader,
    // One deadline for a whole attempt, which is ours.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const prefix = ordersUrl(baseUrl).pathname;

  return {
    send: async ({ method, path, query, headers, body }, deadlineMilliseconds, abort) => {
      const exchange = createExchange(largestBody);
      const deadline = setTimeout(
        () => exchange.giveUp(new Error('no answer in time')),
        deadlineMilliseconds,
      );
      const release = onAbort(abort, () => exchange.giveUp(new Error('it was given up')));
      const requestHeaders = {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': userAgent,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
        authorization: `Bearer ${apiKey}`,
      };
      pool.dispatch(
        { method, path: prefix + path, ...(query && { query }), headers: requestHeaders, body: body ?? null },
        exchange.handler,
      );
      const ended = await exchange.ended;
      // A connection is free one turn after its answer; a request that comes sooner would open another.
      await setImmediate();
      clearTimeout(deadline);
      release();
      if ('error' in ended) return failureOf(ended, reuse.hadAnswered(ended.error));
      return readAnswer(ended).catch((error: unknown) =>
        failureOf({ error, wasSent: true, wasAnswered: true }, false),
      );
    },
    close: async () => {
      connector.close();
      await pool.destroy();
    },
  };
}

async function readAnswer({ status, headers, bytes }: RawAnswer): Promise<Answer> {
  const flat = flatHeaders(headers);
  const text = await decodeBody(bytes, flat['content-encoding'], largestBody);
  return { kind: 'answer', status, headers: flat, text, body: parseBody(text) };
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
  );
  return Object.fromEntries(entries);
}

function parseBody(text: string) {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
