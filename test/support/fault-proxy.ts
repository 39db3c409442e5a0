import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `request`: from the client to the service; `answer`: from the service to the client. */
export type Direction = 'request' | 'answer';

/** What goes wrong with one connection; without any of these, nothing does. */
export interface Fault {
  /** The connection is reset in both directions after this many bytes in this direction. */
  cut?: { direction: Direction; after: number; how: 'reset' | 'close' };
  /** Nothing more is forwarded in this direction after this many bytes; with 0 for `request`, nothing reaches the service. */
  stall?: { direction: Direction; after: number };
  /** The service closes, and the client does not see it. */
  losesClose?: boolean;
  /** The one-way delay of every byte, in milliseconds. */
  delay?: number;
}

/** The bytes that one connection forwarded. */
export interface Passed {
  request: number;
  answer: number;
}

/**
 * A TCP proxy on a free local port in front of a service. `faultOf` chooses the fault of each connection, counted from 0.
 */
export async function startFaultProxy(target: number, faultOf: (connection: number) => Fault) {
  const connections: Passed[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const passed: Passed = { request: 0, answer: 0 };
    const fault = faultOf(connections.push(passed) - 1);
    const service = keep(connect({ port: target, host: '127.0.0.1', allowHalfOpen: true }));
    keep(client);
    const cut = (how: 'reset' | 'close') => {
      if (how === 'reset') client.resetAndDestroy();
      else client.destroySoon();
      service.destroy();
    };
    pass(client, service, 'request', fault, passed, cut);
    pass(service, client, 'answer', fault, passed, cut);
    client.on('close', () => service.destroy());
    service.on('close', (hadError) => {
      if (!fault.losesClose && fault.stall === undefined)
        hadError ? client.resetAndDestroy() : client.destroySoon();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections, close };
}

function pass(
  from: Socket,
  to: Socket,
  direction: Direction,
  fault: Fault,
  passed: Passed,
  cut: (how: 'reset' | 'close') => void,
): void {
  const { losesClose, delay = 0 } = fault;
  const stall = fault.stall?.direction === direction ? fault.stall.after : Number.POSITIVE_INFINITY;
  const end = fault.cut?.direction === direction ? fault.cut : undefined;
  const isLost = losesClose === true && direction === 'answer';
  const later = (act: () => void) => (delay === 0 ? act() : setTimeout(act, delay));
  const forward = (bytes: Buffer) => {
    const most = Math.min(stall, end?.after ?? Number.POSITIVE_INFINITY) - passed[direction];
    const part = bytes.subarray(0, Math.max(0, most));
    passed[direction] += part.length;
    if (end === undefined || passed[direction] < end.after) return void (part.length > 0 && to.write(part));
    // Forwarded bytes arrive before the end of the connection.
    if (part.length === 0) cut(end.how);
    else to.write(part, () => setImmediate(() => cut(end.how)));
  };
  from.on('data', (bytes) => later(() => forward(bytes)));
  from.on('end', () => {
    if (!isLost && stall === Number.POSITIVE_INFINITY) later(() => to.end());
  });
}
