import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Dispatcher, request as send } from 'undici';

const collection = '/api/v1/merchant/orders';

/** A response, with its body as text. */
export interface Told {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

/**
 * What happens to one request, or to its response:
 * - `pass`: nothing special
 * - `drop`: the connection breaks before the service has the request; `lose`: after the service processed it
 * - `keep`: gets 504, and is forwarded when `deliver` is called
 * - `hold`: the request waits at the gateway; `hold_answer`: its response waits; both until `release`
 * - a response instead of the service's, or a change of the service's response
 */
export type Treatment =
  | 'pass'
  | 'drop'
  | 'lose'
  | 'keep'
  | 'hold'
  | 'hold_answer'
  | Told
  | { change: (told: Told) => Told };
export type Route = 'create' | 'list' | 'read' | 'cancel';

interface Coming {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** An HTTP server in front of a service, where a test decides what happens to each request. */
export async function startGateway(service: string) {
  const treatments = new Map<string, readonly Treatment[]>();
  const attempts = new Map<string, number>();
  const kept: Coming[] = [];
  const creates: { ownId: string; key: string }[] = [];
  const held = new Set<() => void>();
  const waiting = new Set<Socket>();
  const seen = { requests: 0 };
  let onHeld: (() => void) | undefined;
  let onCreate: ((ownId: string) => void) | undefined;
  let onElsewhere: (() => void) | undefined;
  let isAway = false;

  /** The last fault applies to all later attempts. */
  function treatmentOf(route: Route, ownId: string): Treatment {
    const name = treatments.has(`${route} ${ownId}`) ? `${route} ${ownId}` : route;
    const count = attempts.get(`${route} ${ownId}`) ?? 0;
    attempts.set(`${route} ${ownId}`, count + 1);
    const all = treatments.get(name) ?? ['pass'];
    return all[Math.min(count, all.length - 1)] ?? 'pass';
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const coming = await read(incoming);
    const route = routeOf(coming);
    if (route === undefined) return answerElsewhere(coming, response);
    seen.requests += 1;
    const ownId = route === 'create' ? ownIdIn(coming.body) : '';
    if (route === 'create') {
      creates.push({ ownId, key: coming.headers['idempotency-key'] ?? '' });
      onCreate?.(ownId);
    }
    const treatment = treatmentOf(route, ownId);
    if (treatment === 'drop') return void incoming.socket.destroy();
    if (treatment === 'keep') {
      kept.push(coming);
      return write(response, { status: 504, body: '' });
    }
    if (typeof treatment === 'object' && 'status' in treatment) return write(response, treatment);
    if (treatment === 'hold') await release(response);
    // A client that was killed meanwhile gets no response.
    if (incoming.socket.destroyed) return;
    const told = await pass(coming);
    if (treatment === 'lose') return void incoming.socket.destroy();
    if (treatment === 'hold_answer') await release(response);
    write(response, typeof treatment === 'object' ? treatment.change(told) : told);
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

  /** The probe of an unavailable service is still answered; then its port is closed. */
  async function answerElsewhere(coming: Coming, response: ServerResponse): Promise<void> {
    const told = await pass(coming);
    onElsewhere?.();
    if (!isAway) return write(response, told);
    response.once('close', () => response.req.socket.destroy());
    server.close();
    response.shouldKeepAlive = false;
    write(response, told);
  }

  async function pass({ method, url, headers, body }: Coming): Promise<Told> {
    const answer = await send(service + url, {
      method: method as Dispatcher.HttpMethod,
      headers,
      body: body === '' ? null : body,
    });
    return { status: answer.statusCode, headers: headersOf(answer.headers), body: await answer.body.text() };
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
    seen,
    /** Every create that arrived, with its key. */
    creates,
    /** From now on: the first attempt, the second, and so on; `ownId` for the creates of one order. */
    treat(route: Route, all: readonly Treatment[], ownId?: string): void {
      treatments.set(ownId === undefined ? route : `${route} ${ownId}`, all);
      attempts.clear();
    },
    /** Resolves when this many requests are held at the gateway. */
    held: (count: number) =>
      new Promise<void>((resolve) => {
        onHeld = () => {
          if (held.size >= count) resolve();
        };
        onHeld();
      }),
    release(): void {
      for (const go of held) go();
    },
    /** Breaks the held connections; their requests never reach the service. */
    cutHeld(): void {
      for (const socket of waiting) socket.destroy();
    },
    /** The probe that asks whether a sandbox is at this address. */
    onElsewhere(act: () => void): void {
      onElsewhere = act;
    },
    onCreate(act: (ownId: string) => void): void {
      onCreate = act;
    },
    /** Forwards what was kept, and returns the status of its response. */
    async deliver(): Promise<number[]> {
      const statuses: number[] = [];
      for (const coming of kept.splice(0)) statuses.push((await pass(coming)).status);
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

async function read(incoming: IncomingMessage): Promise<Coming> {
  const { method = '', url = '' } = incoming;
  const { host: _host, connection: _connection, ...headers } = headersOf(incoming.headers);
  return { method, url, headers, body: await text(incoming) };
}

function headersOf(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const told = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value ?? '')]);
  return Object.fromEntries(told.filter(([name]) => name !== 'transfer-encoding' && name !== 'keep-alive'));
}

function routeOf({ method, url }: Coming): Route | undefined {
  const [path = ''] = url.split('?');
  if (!path.startsWith(collection)) return undefined;
  if (path === collection) return method === 'POST' ? 'create' : 'list';
  return method === 'POST' ? 'cancel' : 'read';
}

function write(response: ServerResponse, { status, headers = {}, body }: Told): void {
  const { 'content-length': _length, connection: _connection, ...others } = headers;
  response.writeHead(status, others).end(body);
}

function ownIdIn(body: string): string {
  return String((JSON.parse(body) as { externalOrderId?: unknown }).externalOrderId ?? '');
}
