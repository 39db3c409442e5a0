import { addAbortListener } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { Pool } from 'undici';
import { parseJson } from '../../orders/parse-json.ts';
import { ordersUrl, proxyFor } from './address.ts';
import { type AttemptResult, type ServiceResponse, toFailure } from './attempt-result.ts';
import { createConnector } from './connect.ts';
import { createResponseReader, type RawResponse } from './response-reader.ts';

export interface HttpRequest {
  method: 'GET' | 'POST';
  /** Relative to the base path: empty, or beginning with `/`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface Transport {
  /** One attempt: never rejects, never follows a redirect, never retries. */
  send(request: HttpRequest, deadlineMilliseconds: number, abort: AbortSignal): Promise<AttemptResult>;
  close(): Promise<void>;
}

export interface TransportOptions {
  baseUrl: URL;
  apiKey: string;
  userAgent: string;
  /** Holds the proxy variables; requests to loopback never use a proxy. */
  env: Readonly<Record<string, string | undefined>>;
}

/** Idle connections are closed after this time, or this much earlier than the service's Keep-Alive header says. */
const idleMilliseconds = 2_000;
const idleMarginMilliseconds = 500;
const maxHeaderBytes = 16 * 1024;
const maxBodyBytes = 10 * 1024 * 1024;

/** Talks to the service over HTTP/1.1, with one connection per concurrent request. Error: `usage` for an invalid proxy variable. */
export function createTransport({ baseUrl, apiKey, userAgent, env }: TransportOptions): Transport {
  const connector = createConnector(proxyFor(baseUrl, env));
  const pool = new Pool(baseUrl.origin, {
    connect: connector.connect,
    pipelining: 1,
    keepAliveTimeout: idleMilliseconds,
    keepAliveMaxTimeout: idleMilliseconds,
    keepAliveTimeoutThreshold: idleMarginMilliseconds,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const prefix = ordersUrl(baseUrl).pathname;

  return {
    send: async ({ method, path, query, headers, body }, deadlineMilliseconds, abort) => {
      const reader = createResponseReader(maxBodyBytes);
      const abortRequest = () => reader.abort(new Error('the request was aborted'));
      // A listener on a signal that is aborted already would be called too late: the request would be on its way.
      if (abort.aborted) abortRequest();
      const listener = addAbortListener(abort, abortRequest);
      const deadline = setTimeout(() => reader.abort(new Error('no response in time')), deadlineMilliseconds);
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
        reader.handler,
      );
      const result = await reader.result;
      // The pool frees a connection only after it reports the end of the response.
      await setImmediate();
      clearTimeout(deadline);
      listener[Symbol.dispose]();
      if ('error' in result) return toFailure(result, connector.endOf(result.error));
      return decodeResponse(result, body).catch((error: unknown) =>
        toFailure({ error, wasSent: true, hasResponseBegun: true }),
      );
    },
    close: async () => {
      connector.close();
      await pool.destroy();
    },
  };
}

async function decodeResponse(
  { status, headers, bytes }: RawResponse,
  requestBody: string | undefined,
): Promise<ServiceResponse> {
  const flat = flatHeaders(headers);
  const text = await decodeBody(bytes, flat['content-encoding'], maxBodyBytes);
  const response: ServiceResponse = { kind: 'response', status, headers: flat, text, body: parseBody(text) };
  return requestBody === undefined ? response : { ...response, requestBody };
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
const inflateWithoutHeader: Decode = promisify(inflateRaw);

const decoders: Record<string, Decode> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: (bytes, bounds) =>
    hasZlibHeader(bytes) ? inflateZlib(bytes, bounds) : inflateWithoutHeader(bytes, bounds),
};

/** The text of a body. Throws for an unknown content coding, for damaged bytes and beyond `maxBytes`. */
export async function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<string> {
  let decoded = bytes;
  for (const coding of codingsOf(contentEncoding)) {
    const decode = decoders[coding];
    if (decode === undefined) throw new Error(`the response has an unknown content coding (${coding})`);
    decoded = await decode(decoded, { maxOutputLength: maxBytes }).catch((error: NodeJS.ErrnoException) => {
      const isTooLong = error.code === 'ERR_BUFFER_TOO_LARGE';
      throw new Error(isTooLong ? 'the response was too large' : `the response is damaged (${coding})`);
    });
  }
  return new TextDecoder().decode(decoded);
}

function codingsOf(contentEncoding = ''): string[] {
  const names = contentEncoding.toLowerCase().split(',');
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    .reverse();
}

/** Services send `deflate` with a zlib header (RFC 9110) and without. */
function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
