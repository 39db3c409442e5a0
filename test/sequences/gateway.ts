import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Dispatcher, request as sendRequest } from 'undici';

const collection = '/api/v1/merchant/orders';

/** A response, with its body as text. */
export interface GatewayResponse {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

export const serverError: GatewayResponse = { status: 500, body: '' };

/**
 * What happens to one request, or to its response:
 * - `pass`: nothing special
 * - `drop`: the connection breaks before the service has the request; `lose`: after the service processed it
 * - `delay`: gets 504, and is forwarded when `deliverDelayed` is called
 * - `delay_held`: waits at the gateway as well, and is forwarded when `deliverDelayed` is called
 * - `hold`: the request waits at the gateway; `hold_response`: its response waits; both until `release`
 * - a response instead of the service's, or a change of the service's response
 */
export type Treatment =
  | 'pass'
  | 'drop'
  | 'lose'
  | 'delay'
  | 'delay_held'
  | 'hold'
  | 'hold_response'
  | GatewayResponse
  | { change: (response: GatewayResponse) => GatewayResponse };
export type Route = 'create' | 'list' | 'read' | 'cancel';

interface GatewayRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** An HTTP server in front of a service, where a test decides what happens to each request. `now`: the clock of the service. */
export async function startGateway(service: string, now: () => number) {
  const treatments = new Map<string, readonly Treatment[]>();
  const attempts = new Map<string, number>();
  const delayed: GatewayRequest[] = [];
  const creates: { externalOrderId: string; key: string }[] = [];
  const held = new Set<() => void>();
  const waiting = new Set<Socket>();
  const counts = { requests: 0 };
  let onHeld: (() => void) | undefined;
  let onCreate: ((externalOrderId: string) => void) | undefined;
  let onProbe: (() => void) | undefined;
  let isAway = false;

  /** The last treatment applies to all later attempts. */
  function treatmentOf(route: Route, externalOrderId: string): Treatment {
    const name = treatments.has(`${route} ${externalOrderId}`) ? `${route} ${externalOrderId}` : route;
    const count = attempts.get(`${route} ${externalOrderId}`) ?? 0;
    attempts.set(`${route} ${externalOrderId}`, count + 1);
    const all = treatments.get(name) ?? ['pass'];
    return all[Math.min(count, all.length - 1)] ?? 'pass';
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(incoming);
    const route = routeOf(request);
    if (route === undefined) return forwardProbe(request, response);
    counts.requests += 1;
    const externalOrderId = route === 'create' ? externalOrderIdIn(request.body) : '';
    if (route === 'create') {
      creates.push({ externalOrderId, key: request.headers['idempotency-key'] ?? '' });
      onCreate?.(externalOrderId);
    }
    const treatment = treatmentOf(route, externalOrderId);
    if (treatment === 'drop') return void incoming.socket.destroy();
    if (treatment === 'delay') {
      delayed.push(request);
      return write(response, { status: 504, body: '' });
    }
    if (treatment === 'delay_held') {
      delayed.push(request);
      return release(response);
    }
    if (typeof treatment === 'object' && 'status' in treatment) return write(response, treatment);
    if (treatment === 'hold') await release(response);
    // A client that was killed in the meantime gets no response.
    if (incoming.socket.destroyed) return;
    const forwarded = await forward(request);
    if (treatment === 'lose') return void incoming.socket.destroy();
    if (treatment === 'hold_response') await release(response);
    write(response, typeof treatment === 'object' ? treatment.change(forwarded) : forwarded);
  }

  function release(response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const { socket } = response.req;
      const go = () => {
        held.delete(go);
        waiting.delete(socket);
        resolve();
      };
      held.add(go);
      waiting.add(socket);
      response.once('close', go);
      onHeld?.();
    });
  }

  /** Forwards the probe for a sandbox; after that a service that is away closes its port. */
  async function forwardProbe(request: GatewayRequest, response: ServerResponse): Promise<void> {
    const forwarded = await forward(request);
    onProbe?.();
    if (!isAway) return write(response, forwarded);
    response.once('close', () => response.req.socket.destroy());
    server.close();
    response.shouldKeepAlive = false;
    write(response, forwarded);
  }

  async function forward({ method, url, headers, body }: GatewayRequest): Promise<GatewayResponse> {
    const response = await sendRequest(service + url, {
      method: method as Dispatcher.HttpMethod,
      headers,
      body: body === '' ? null : body,
    });
    return {
      status: response.statusCode,
      headers: headersOf(response.headers),
      body: await response.body.text(),
    };
  }

  function write(response: ServerResponse, { status, headers = {}, body }: GatewayResponse): void {
    const { 'content-length': _length, connection: _connection, ...others } = headers;
    response.writeHead(status, { ...others, date: new Date(now()).toUTCString() }).end(body);
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);

  return {
    baseUrl: `http://127.0.0.1:${port}`,
    counts,
    /** All received creates with their keys. */
    creates,
    /** Sets the treatments of the first attempt, the second and so on; with an ID, of the creates of one order. */
    setTreatments(route: Route, all: readonly Treatment[], externalOrderId?: string): void {
      treatments.set(externalOrderId === undefined ? route : `${route} ${externalOrderId}`, all);
      attempts.clear();
    },
    /** Resolves when this many more requests or responses are held: those of a killed process may not be closed yet. */
    held: (count: number) =>
      new Promise<void>((resolve) => {
        const before = new Set(held);
        onHeld = () => {
          if ([...held].filter((one) => !before.has(one)).length >= count) resolve();
        };
      }),
    release(): void {
      for (const go of held) go();
    },
    /** Breaks the held connections; their requests never reach the service. */
    breakHeld(): void {
      for (const socket of waiting) socket.destroy();
    },
    /** Runs at the probe that asks whether a sandbox is at this address. */
    onProbe(act: () => void): void {
      onProbe = act;
    },
    onCreate(act: (externalOrderId: string) => void): void {
      onCreate = act;
    },
    /** Forwards the delayed requests and returns the statuses of their responses. */
    async deliverDelayed(): Promise<number[]> {
      const statuses: number[] = [];
      for (const request of delayed.splice(0)) statuses.push((await forward(request)).status);
      return statuses;
    },
    goAway(): void {
      isAway = true;
    },
    async comeBack(): Promise<void> {
      isAway = false;
      if (!server.listening) await listen(port);
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      if (server.listening) await new Promise((closed) => server.close(closed));
    },
  };
}

async function read(incoming: IncomingMessage): Promise<GatewayRequest> {
  const { method = '', url = '' } = incoming;
  const { host: _host, connection: _connection, ...headers } = headersOf(incoming.headers);
  return { method, url, headers, body: await text(incoming) };
}

function headersOf(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    String(value ?? ''),
  ]);
  return Object.fromEntries(
    entries.filter(([name]) => name !== 'transfer-encoding' && name !== 'keep-alive'),
  );
}

function routeOf({ method, url }: GatewayRequest): Route | undefined {
  const [path = ''] = url.split('?');
  if (!path.startsWith(collection)) return undefined;
  if (path === collection) return method === 'POST' ? 'create' : 'list';
  return method === 'POST' ? 'cancel' : 'read';
}

function externalOrderIdIn(body: string): string {
  return String((JSON.parse(body) as { externalOrderId?: unknown }).externalOrderId ?? '');
}
