import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { answerTo, apiKey } from './answers.ts';
import { createOrders } from './orders.ts';

/** A request, before it is handled. */
export interface Coming {
  method: string;
  path: string;
  /** The external order ID of a create, if it has one. */
  externalOrderId: string | undefined;
  /** The number among all requests, from 1. */
  count: number;
  underWay: number;
}

/** What happens instead of the response, or to the response after the request was processed. */
export type Intervention =
  | { before: (response: ServerResponse) => void }
  | { after: (response: ServerResponse) => void };

export interface ForeignOptions {
  latencyMs?: number;
  intervene?(coming: Coming): Intervention | undefined;
  /** How long an idle connection is kept; no header says so. */
  idleMs?: number;
}

/**
 * An independent service, written from the interface document alone on plain node:http: orders under `result`, lists in
 * HAL with pages from 0 and at most 50 orders, 200 for a create, 202 without a body for a cancellation, problem details
 * for errors, 422 for a taken ID, 409 for a key with another body. It shares no code with this project.
 */
export async function startForeignService(options: ForeignOptions = {}) {
  const orders = createOrders();
  const seen = { requests: 0, throttled: 0, authorizations: new Set<string>() };
  let underWay = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    seen.requests += 1;
    seen.authorizations.add(request.headers.authorization ?? '');
    const { method = '', url = '' } = request;
    const [path = ''] = url.split('?');
    const coming = { method, path, externalOrderId: idIn(body), count: seen.requests, underWay };
    const intervention = options.intervene?.(coming);
    if (intervention && 'before' in intervention) return intervention.before(response);
    if (options.latencyMs) await delay(options.latencyMs);
    const { status, headers, content } = answerTo(orders, { method, url, headers: request.headers, body });
    if (intervention) return intervention.after(response);
    response.writeHead(status, headers).end(content);
  }

  const server = createServer((request, response) => {
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
    });
    if (options.idleMs !== undefined) response.setHeader('Connection', 'keep-alive');
    serve(request, response).catch(() => response.destroy());
  });
  if (options.idleMs !== undefined) server.keepAliveTimeout = options.idleMs;
  if ('keepAliveTimeoutBuffer' in server) server.keepAliveTimeoutBuffer = 0;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    seen,
    /** How often each external order ID was committed. */
    commits: orders.commits,
    stop: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function idIn(body: string): string | undefined {
  return /"externalOrderId":"([^"]*)"/.exec(body)?.[1];
}
