import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export type ShownOrder = Record<string, unknown>;

export interface PlainOptions {
  /** What the service makes of an order when it stores it. */
  store?(order: ShownOrder): ShownOrder;
  status?: number;
  headers?: Record<string, string>;
  latencyMs?: number;
  /** Whether the list ignores the filter by external order ID. */
  ignoresFilter?: boolean;
  /** Whether a create with the ID of another order, in any case, is rejected with 409. */
  foldsIds?: boolean;
  /** Whether a cancellation has no effect. */
  ignoresCancellations?: boolean;
  /** Whether a repeated key gets the order of the first request. */
  knowsKeys?: boolean;
  /** Whether the response to this create, counted from 1, is lost after the order was stored. */
  losesResponse?(create: number): boolean;
}

export const plainApiKey = 'key-of-the-plain-service';
const collection = '/api/v1/merchant/orders';
const pageSize = 20;

/**
 * A service that knows neither idempotency keys nor external order IDs, as one made with json-server: every create that
 * arrives is another order.
 */
export async function startPlainService(options: PlainOptions = {}) {
  const { store = (order) => order, status = 201, headers = {}, latencyMs = 0 } = options;
  const orders: ShownOrder[] = [];
  const seen = { creates: 0, lists: 0, underWay: 0 };
  /** The creates as they came. */
  const creates: { key: string; body: string }[] = [];
  const byKey = new Map<string, ShownOrder>();
  const fold = (id: unknown) => (options.foldsIds ? String(id).toLowerCase() : String(id));
  const idOf = ({ externalOrderId }: ShownOrder) => fold(externalOrderId);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (latencyMs > 0) await delay(latencyMs);
    const send = (code: number, content: unknown) =>
      response
        .writeHead(code, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(content));
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://plain');
    const [id, action] = pathname.slice(collection.length + 1).split('/');
    const found = orders.find((one) => one.id === id);
    if (!pathname.startsWith(collection)) return void send(404, {});
    if (request.method === 'POST' && id === '') {
      const order = JSON.parse(body) as ShownOrder;
      if (options.foldsIds && orders.some((other) => idOf(other) === idOf(order)))
        return void send(409, { message: 'It exists.' });
      const key = String(request.headers['idempotency-key']);
      creates.push({ key, body });
      const isLost = options.losesResponse?.(creates.length);
      const stored = (options.knowsKeys && byKey.get(key)) || create(order);
      byKey.set(key, stored);
      return isLost ? void response.destroy() : void send(status, stored);
    }
    if (request.method === 'GET' && id === '') return void send(200, list(searchParams));
    if (found === undefined) return void send(404, { message: 'There is no such order.' });
    if (action === 'cancel' && !options.ignoresCancellations) found.status = 'CANCELLED';
    send(200, found);
  }

  function create(order: ShownOrder): ShownOrder {
    seen.creates += 1;
    const stored = store({
      id: crypto.randomUUID(),
      orderNumber: `ORD-2026-${String(orders.length + 1).padStart(6, '0')}`,
      status: 'CONFIRMED',
      createdAt: new Date().toISOString(),
      ...structuredClone(order),
    });
    orders.push(stored);
    return stored;
  }

  function list(query: URLSearchParams): unknown {
    seen.lists += 1;
    const wanted = options.ignoresFilter ? null : query.get('externalOrderId');
    const found = orders.filter((order) => wanted === null || idOf(order) === fold(wanted));
    const page = Number(query.get('page') ?? 1);
    return { data: found.slice((page - 1) * pageSize, page * pageSize), page, pageSize, total: found.length };
  }

  const server = createServer((request, response) => {
    seen.underWay += 1;
    serve(request, response)
      .catch(() => response.destroy())
      .finally(() => {
        seen.underWay -= 1;
      });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    apiKey: plainApiKey,
    env: { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: plainApiKey },
    orders,
    seen,
    creates,
    /** How often each external order ID was committed. */
    commits: () => {
      const counts = new Map<string, number>();
      for (const { externalOrderId } of orders) {
        counts.set(String(externalOrderId), (counts.get(String(externalOrderId)) ?? 0) + 1);
      }
      return counts;
    },
    stop: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
