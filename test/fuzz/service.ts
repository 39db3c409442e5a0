import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Operation, Reply, Script } from './case.ts';

interface HttpRequest {
  method: string;
  url: URL;
  headers: Map<string, string>;
  body: string;
}

const collection = '/api/v1/merchant/orders';

/** A service on raw sockets: it follows the script, and where that ends it keeps orders and answers as documented. */
export async function startRawService(script: Script) {
  const orders = new Map<string, Record<string, unknown>>();
  const byKey = new Map<string, Record<string, unknown>>();
  const commits = new Map<string, number>();
  const counts = new Map<Operation, number>();
  const sockets = new Set<Socket>();
  let wasDeceived = false;

  function create({ headers, body }: HttpRequest): Record<string, unknown> {
    const key = headers.get('idempotency-key') ?? '';
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const sent = JSON.parse(body) as Record<string, unknown>;
    const order = {
      ...sent,
      id: randomUUID(),
      orderNumber: `ORD-2026-${String(orders.size + 1).padStart(6, '0')}`,
      status: 'CONFIRMED',
      createdAt: '2026-11-20T08:00:00Z',
    };
    orders.set(order.id, order);
    byKey.set(key, order);
    const externalOrderId = String(sent.externalOrderId);
    commits.set(externalOrderId, (commits.get(externalOrderId) ?? 0) + 1);
    return order;
  }

  function answer(operation: Operation, request: HttpRequest): Buffer {
    if (operation === 'probe') return jsonResponse(404, { message: 'Not found' });
    if (operation === 'create') return jsonResponse(201, create(request));
    if (operation === 'list') return jsonResponse(200, { orders: select(request.url.searchParams) });
    const id = decodeURIComponent(request.url.pathname.split('/')[5] ?? '');
    const order = orders.get(id);
    if (order === undefined) return jsonResponse(404, { code: 'ORDER_NOT_FOUND' });
    if (operation === 'cancel') order.status = 'CANCELLED';
    return jsonResponse(200, order);
  }

  function select(query: URLSearchParams) {
    if (Number(query.get('page') ?? 1) > 1) return [];
    const names = ['externalOrderId', 'orderNumber', 'status'];
    return [...orders.values()].filter((order) =>
      names.every((name) => !query.has(name) || String(order[name]) === query.get(name)),
    );
  }

  async function respond(socket: Socket, request: HttpRequest): Promise<void> {
    const operation = operationOf(request);
    const count = counts.get(operation) ?? 0;
    counts.set(operation, count + 1);
    const reply = script[operation]?.[count];
    if (reply === undefined) {
      socket.write(answer(operation, request));
      return;
    }
    if (reply.commits) answer(operation, request);
    wasDeceived ||= reply.isLie;
    await send(socket, reply);
  }

  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    let received = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      for (;;) {
        const found = takeRequest(received);
        if (found === undefined) return;
        received = Buffer.from(found.rest);
        respond(socket, found.request).catch(() => socket.destroy());
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    commits,
    wasDeceived: () => wasDeceived,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function operationOf({ method, url }: HttpRequest): Operation {
  if (!url.pathname.startsWith(collection)) return 'probe';
  if (url.pathname === collection) return method === 'POST' ? 'create' : 'list';
  return method === 'POST' ? 'cancel' : 'get';
}

function takeRequest(bytes: Buffer): { request: HttpRequest; rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const bodyEnd = end + 4 + Number(headers.get('content-length') ?? 0);
  if (bytes.length < bodyEnd) return undefined;
  const [method = '', target = ''] = first.split(' ');
  const body = bytes.subarray(end + 4, bodyEnd).toString();
  return {
    request: { method, url: new URL(target, 'http://service'), headers, body },
    rest: bytes.subarray(bodyEnd),
  };
}

async function send(socket: Socket, { bytes, drip, end }: Reply): Promise<void> {
  if (drip === undefined) await write(socket, bytes);
  else {
    for (let from = 0; from < bytes.length && !socket.destroyed; from += drip.bytes) {
      await write(socket, bytes.subarray(from, from + drip.bytes));
      await delay(drip.milliseconds, undefined, { ref: false });
    }
  }
  while (end === 'repeat' && !socket.destroyed) await write(socket, bytes);
  if (end === 'close') socket.end();
  if (end === 'reset') socket.resetAndDestroy();
}

/** Waits while the client does not read. */
async function write(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed) return;
  await new Promise<void>((resolve) => {
    socket.once('close', resolve);
    socket.write(bytes, () => {
      socket.off('close', resolve);
      setImmediate(resolve);
    });
  });
}

function jsonResponse(status: number, value: unknown): Buffer {
  const body = JSON.stringify(value);
  const head = `HTTP/1.1 ${status} x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
  return Buffer.from(`${head}\r\n\r\n${body}`);
}
