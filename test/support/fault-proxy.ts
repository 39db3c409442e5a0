import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `request`: from the client to the service; `response`: from the service to the client. */
export type Direction = 'request' | 'response';

/** The fault of one connection; without any of these, there is none. */
export interface Fault {
  /** The connection is reset in both directions after this many bytes in this direction. */
  cut?: { direction: Direction; after: number; how: 'reset' | 'close' };
  /** Nothing more is forwarded in this direction after this many bytes; with 0 for `request`, nothing reaches the service. */
  stall?: { direction: Direction; after: number };
  /** The end of the connection by the service is not forwarded to the client. */
  losesClose?: boolean;
  /** The one-way delay of every byte, in milliseconds. */
  delay?: number;
}

/** The bytes that one connection forwarded. */
export interface ForwardedBytes {
  request: number;
  response: number;
}

/**
 * A TCP proxy on a local port, free by default, in front of a service. `faultOf` chooses the fault of each connection,
 * counted from 0.
 */
export async function startFaultProxy(target: number, faultOf: (connection: number) => Fault, port = 0) {
  const connections: ForwardedBytes[] = [];
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const passed: ForwardedBytes = { request: 0, response: 0 };
    const fault = faultOf(connections.push(passed) - 1);
    const service = track(connect({ port: target, host: '127.0.0.1', allowHalfOpen: true }));
    track(client);
    const cut = (how: 'reset' | 'close') => {
      if (how === 'reset') client.resetAndDestroy();
      else client.destroySoon();
      service.destroy();
    };
    pass(client, service, 'request', fault, passed, cut);
    pass(service, client, 'response', fault, passed, cut);
    client.on('close', () => service.destroy());
    service.on('close', (hadError) => {
      if (!fault.losesClose && fault.stall === undefined)
        hadError ? client.resetAndDestroy() : client.destroySoon();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const closeConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const close = () => {
    closeConnections();
    server.close();
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl, connections, closeConnections, close };
}

function pass(
  from: Socket,
  to: Socket,
  direction: Direction,
  fault: Fault,
  passed: ForwardedBytes,
  cut: (how: 'reset' | 'close') => void,
): void {
  const { losesClose, delay = 0 } = fault;
  const stall = fault.stall?.direction === direction ? fault.stall.after : Number.POSITIVE_INFINITY;
  const end = fault.cut?.direction === direction ? fault.cut : undefined;
  const isLost = losesClose === true && direction === 'response';
  const later = (act: () => void) => (delay === 0 ? act() : setTimeout(act, delay));
  const forward = (bytes: Buffer) => {
    const maxLength = Math.min(stall, end?.after ?? Number.POSITIVE_INFINITY) - passed[direction];
    const part = bytes.subarray(0, Math.max(0, maxLength));
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
