import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `request`: from the client to the service; `answer`: the other way. */
export type Direction = 'request' | 'answer';

/** What goes wrong with one connection. Nothing given: it is passed on as it is. */
export interface Fault {
  /** The connection ends, both ways, once so many bytes have been passed on in this direction. */
  cut?: { direction: Direction; after: number; how: 'reset' | 'close' };
  /** Nothing more is passed on in this direction after so many bytes; 0 of `request`: the service never hears of it. */
  stall?: { direction: Direction; after: number };
  /** The service closes, and the client is never told. */
  losesClose?: boolean;
  /** How long every byte is on its way, in milliseconds. */
  delay?: number;
}

/** One connection as the proxy saw it: the bytes that were passed on. */
export interface Passed {
  request: number;
  answer: number;
}

/**
 * A TCP proxy on a free port of this machine, in front of the port of a service: it does to each connection,
 * counted from 0, what `faultOf` says.
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
    // What has been passed on arrives before the end does.
    if (part.length === 0) cut(end.how);
    else to.write(part, () => setImmediate(() => cut(end.how)));
  };
  from.on('data', (bytes) => later(() => forward(bytes)));
  from.on('end', () => {
    if (!isLost && stall === Number.POSITIVE_INFINITY) later(() => to.end());
  });
}
