import { addAbortListener } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Text, t } from '../../advice/advice.ts';
import { createRedaction } from '../../redact.ts';
import type { Clock } from '../../system/system.ts';
import { ordersUrl, proxyFor } from './address.ts';
import { type AttemptResult, toFailure } from './attempt-result.ts';
import { createConnector } from './connect.ts';
import { decodeResponse } from './decode-response.ts';
import { createResponseMemory, createResponseReader, RequestError } from './response-reader.ts';

export interface HttpRequest {
  method: 'GET' | 'POST';
  /** Relative to the base path: empty, or starting with `/`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export type Transport = ReturnType<typeof createTransport>;

interface TransportOptions {
  baseUrl: URL;
  apiKey: string;
  userAgent: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Pick<Clock, 'after'>;
  /** Further requests wait for one of them (default: any number). */
  maxConnections?: number;
}

/** Idle connections are closed after this time, or this long before the service's Keep-Alive timeout. */
const idleMilliseconds = 2_000;
const idleMarginMilliseconds = 500;
const maxHeaderBytes = 16 * 1024;
const mebibyte = 1024 * 1024;
const maxOrderBytes = mebibyte;
const maxPageBytes = 10 * mebibyte;
const maxBytesInFlight = 64 * mebibyte;

type OpenRequest = { end: (() => void) | undefined };

/** HTTP/1.1, with one connection per concurrent request. Error: `usage` for an invalid proxy variable. */
export function createTransport({
  baseUrl,
  apiKey,
  userAgent,
  env,
  clock,
  maxConnections,
}: TransportOptions) {
  const connector = createConnector(proxyFor(baseUrl, env));
  const pools = new Set<Pool>();
  const openPool = () => {
    const opened = new Pool(baseUrl.origin, {
      connect: connector.connect,
      pipelining: 1,
      connections: maxConnections ?? null,
      keepAliveTimeout: idleMilliseconds,
      keepAliveMaxTimeout: idleMilliseconds,
      keepAliveTimeoutThreshold: idleMarginMilliseconds,
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    pools.add(opened);
    return opened;
  };
  let pool = openPool();
  /** A service that closed one idle connection may have closed the others too, so the next request opens a new one. */
  const leaveIdleConnections = () => {
    const left = pool;
    pool = openPool();
    left.close(() => pools.delete(left));
  };
  const memory = createResponseMemory(maxBytesInFlight);
  const prefix = ordersUrl(baseUrl).pathname;
  const redaction = createRedaction();
  redaction.add(apiKey);
  const authorization = `Bearer ${apiKey}`;
  const accepted = { accept: 'application/json', 'accept-encoding': 'identity' };
  const ownHeaders = { ...accepted, 'user-agent': userAgent, authorization };
  // An import has thousands of requests and two signals: each signal gets one listener.
  const openBySignal = new WeakMap<AbortSignal, Set<OpenRequest>>();
  const openUntil = (abort: AbortSignal) => {
    const open = openBySignal.get(abort) ?? new Set();
    const endAll = () => {
      for (const request of open) request.end?.();
    };
    if (!openBySignal.has(abort)) addAbortListener(abort, endAll);
    openBySignal.set(abort, open);
    return open;
  };
  const ownHeadersOfBody = { ...ownHeaders, 'content-type': 'application/json' };

  return {
    /** One attempt. Never rejects, redirects or retries. `onSending` is called when a connection takes the request. */
    send: async (
      { method, path, query, headers, body }: HttpRequest,
      deadlineMilliseconds: number,
      abort: AbortSignal,
      onSending = () => {},
    ): Promise<AttemptResult> => {
      const isList = method === 'GET' && path === '';
      const maxBytes = (status: number) => (isList && status < 300 ? maxPageBytes : maxOrderBytes);
      const share = memory.open();
      const reader = createResponseReader(maxBytes, share, onSending);
      let endError: Error | undefined;
      let end: AbortController | undefined;
      const endWith = (reason: Text) => {
        endError = new RequestError(reason);
        end?.abort(endError);
        reader.abort(endError);
        share.release();
      };
      // Few responses need decoding.
      const signal = () => {
        end ??= new AbortController();
        if (endError !== undefined) end.abort(endError);
        return end.signal;
      };
      // Listeners on an already aborted signal are not called.
      if (abort.aborted) endWith(t`the request was aborted`);
      const request: OpenRequest = { end: () => endWith(t`the request was aborted`) };
      const open = openUntil(abort).add(request);
      const stopTimer = clock.after(deadlineMilliseconds, () => endWith(t`no response in time`));
      const requestHeaders = { ...headers, ...(body === undefined ? ownHeaders : ownHeadersOfBody) };
      pool.dispatch(
        { method, path: prefix + path, ...(query && { query }), headers: requestHeaders, body: body ?? null },
        reader.handler,
      );
      try {
        const result = await reader.result;
        // The pool frees the connection after it reports the end of the response.
        await setImmediate();
        if ('error' in result) {
          const failure = toFailure(result, connector.endOf(result.error));
          if (failure.closedWhileIdle) leaveIdleConnections();
          return failure;
        }
        const bounds = { maxBytes: maxBytes(result.status), share, signal };
        return await decodeResponse(result, body, bounds, redaction);
      } catch (error) {
        return toFailure({ error, wasSent: true, hasResponseBegun: true });
      } finally {
        stopTimer();
        open.delete(request);
        // A Set may hold on to deleted entries; they must not keep the response alive.
        request.end = undefined;
        share.release();
      }
    },
    close: async () => {
      connector.close();
      await Promise.all([...pools].map((one) => one.destroy()));
    },
  };
}
