import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { parseJson } from '../orders/json.ts';
import { isLoopback, ordersUrl } from './address.ts';
import { failureOf } from './failure.ts';
import type { Observation } from './observation.ts';

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

const connectMilliseconds = 10_000;
/** Shorter than any service keeps an idle socket, so that it is not the service that closes it under a request. */
const idleMilliseconds = 2_000;
const largestHeader = 16 * 1024;
const largestBody = 10 * 1024 * 1024;

export function createTransport({ baseUrl, apiKey, userAgent, env }: TransportOptions): Transport {
  const connectErrors = new WeakSet<Error>();
  const dispatcher = createDispatcher(baseUrl, env, connectErrors);
  const prefix = ordersUrl(baseUrl).pathname;

  return {
    send: async ({ method, path, query, headers, body }, deadlineMilliseconds, abort) => {
      const controller = new AbortController();
      const leave = () => controller.abort();
      const deadline = setTimeout(leave, deadlineMilliseconds);
      abort.addEventListener('abort', leave);
      if (abort.aborted) leave();
      try {
        const response = await dispatcher.request({
          origin: baseUrl.origin,
          method,
          path: prefix + path,
          ...(query === undefined ? {} : { query }),
          headers: {
            accept: 'application/json',
            'accept-encoding': 'identity',
            'user-agent': userAgent,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
            authorization: `Bearer ${apiKey}`,
          },
          body: body ?? null,
          signal: controller.signal,
        });
        const text = await response.body.text();
        return {
          kind: 'answer',
          status: response.statusCode,
          headers: flatHeaders(response.headers),
          text,
          body: parseBody(text),
        };
      } catch (error) {
        return failureOf(error, controller.signal.aborted, connectErrors.has(error as Error));
      } finally {
        clearTimeout(deadline);
        abort.removeEventListener('abort', leave);
      }
    },
    close: () => dispatcher.close(),
  };
}

/** `connectErrors` takes every error that came before there was a connection: nothing was sent. */
function createDispatcher(
  baseUrl: URL,
  env: TransportOptions['env'],
  connectErrors: WeakSet<Error>,
): Dispatcher {
  const connect = buildConnector({ timeout: connectMilliseconds });
  const options: Agent.Options = {
    pipelining: 1,
    connect: (target, done) =>
      connect(target, (...result) => {
        if (result[0] !== null) connectErrors.add(result[0]);
        done(...result);
      }),
    keepAliveTimeout: idleMilliseconds,
    keepAliveMaxTimeout: idleMilliseconds,
    maxHeaderSize: largestHeader,
    maxResponseSize: largestBody,
    // Deadlines are ours; these are only a backstop.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const httpProxy = env.http_proxy || env.HTTP_PROXY;
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY;
  if (isLoopback(baseUrl.hostname) || !(httpProxy || httpsProxy)) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    noProxy: env.no_proxy || env.NO_PROXY || '',
  });
}

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
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
