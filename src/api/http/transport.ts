import { addAbortListener } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { type buildConnector, Pool } from 'undici';
import { parseJson } from '../../orders/json.ts';
import { ordersUrl } from './address.ts';
import { type AttemptResult, failureOf, type ServiceResponse } from './attempt-result.ts';
import { createConnector } from './connect.ts';
import { createExchange, type RawAnswer } from './exchange.ts';
import { proxyFor } from './proxy.ts';

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
  send(request: HttpRequest, deadlineMilliseconds: number, abort: AbortSignal): Promise<AttemptResult>;
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
      const giveUp = () => exchange.giveUp(new Error('it was given up'));
      if (abort.aborted) giveUp();
      const listener = addAbortListener(abort, giveUp);
      const deadline = setTimeout(
        () => exchange.giveUp(new Error('no answer in time')),
        deadlineMilliseconds,
      );
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
      listener[Symbol.dispose]();
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

async function readAnswer({ status, headers, bytes }: RawAnswer): Promise<ServiceResponse> {
  const flat = flatHeaders(headers);
  const text = await decodeBody(bytes, flat['content-encoding'], largestBody);
  return { kind: 'response', status, headers: flat, text, body: parseBody(text) };
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

type Decode = (bytes: Uint8Array, bounds: { maxOutputLength: number }) => Promise<Uint8Array>;

const inflateZlib: Decode = promisify(inflate);
const inflateBare: Decode = promisify(inflateRaw);

const decoders: Record<string, Decode> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: (bytes, bounds) => (isZlib(bytes) ? inflateZlib(bytes, bounds) : inflateBare(bytes, bounds)),
};

/**
 * The text of a body, which a service may compress although it is asked not to. Errors: for a coding that nobody
 * asked for, for bytes that are not in it, and as soon as the text is longer than `longest` bytes.
 */
export async function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  longest: number,
): Promise<string> {
  let decoded = bytes;
  for (const coding of codingsOf(contentEncoding)) {
    const decode = decoders[coding];
    if (decode === undefined) throw new Error(`the answer has a coding that is not known here (${coding})`);
    decoded = await decode(decoded, { maxOutputLength: longest }).catch((error: NodeJS.ErrnoException) => {
      const isTooLong = error.code === 'ERR_BUFFER_TOO_LARGE';
      throw new Error(isTooLong ? 'the answer was too large' : `the answer is damaged (${coding})`);
    });
  }
  return new TextDecoder().decode(decoded);
}

/** The last one that was applied is the first to be taken off. */
function codingsOf(contentEncoding = ''): string[] {
  const names = contentEncoding.toLowerCase().split(',');
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    .reverse();
}

/** What is called deflate comes with a zlib header and without. */
function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

/** Tells whether the connection that an error ended had carried an answer before. */
export interface ReuseWatch {
  connect: buildConnector.connector;
  hadAnswered(error: unknown): boolean;
}

export function createReuseWatch(connect: buildConnector.connector): ReuseWatch {
  const errors = new WeakSet<object>();
  return {
    connect: (target, done) =>
      connect(target, (...result) => {
        const [, socket] = result;
        socket?.on('error', (error) => {
          if (socket.bytesRead > 0) errors.add(error);
        });
        done(...result);
      }),
    hadAnswered: (error) => errors.has(error as object),
  };
}
