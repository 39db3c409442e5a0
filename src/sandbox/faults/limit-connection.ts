import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Faults } from './schema.ts';

const answered = new WeakMap<Socket, number>();

/** How long the connection of an answer lives, and what the answer says about that. */
export function limitConnection(
  server: Server,
  socket: Socket,
  response: ServerResponse,
  { idleMs, idleTold, requests }: Faults['connections'],
): void {
  const count = (answered.get(socket) ?? 0) + 1;
  answered.set(socket, count);
  server.keepAliveTimeout = idleMs;
  // Node 24 adds a second of its own, so that a client which was told the time is never late.
  if ('keepAliveTimeoutBuffer' in server) server.keepAliveTimeoutBuffer = 0;
  if (requests !== null && count >= requests) response.setHeader('Connection', 'close');
  else if (response.shouldKeepAlive) {
    // Node itself would tell the time that held at the request before.
    response.setHeader('Connection', 'keep-alive');
    if (idleTold) response.setHeader('Keep-Alive', `timeout=${Math.floor(idleMs / 1000)}`);
  }
}
