import { once } from 'node:events';
import { get, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { platform } from 'node:os';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { CliError } from '../../errors.ts';
import type { Faults } from '../faults/schema.ts';
import type { SandboxEnv } from '../parts.ts';

const loopback = '127.0.0.1';

export interface Served {
  port: number;
  /** Answers what has come in, for `graceMs` at most, and takes nothing more. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Serves the app to this machine alone; port 0 is a free one. How long its connections live is asked at each request.
 * @throws CliError `port_in_use`, `port_not_allowed`
 */
export async function serve(
  app: Pick<Hono<SandboxEnv>, 'fetch'>,
  port: number,
  connections: () => Faults['connections'],
): Promise<Served> {
  // The process may be the command line itself: its global Request and Response are left as they are.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  server.prependListener('request', (request, response) => {
    limitConnection(server, request.socket, response, connections());
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  server.listen(port, loopback);
  await once(server, 'listening').catch(async (error) => {
    throw await cannotListen(error, port);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop(graceMs) {
      const patience = setTimeout(() => server.closeAllConnections(), graceMs);
      const closed = once(server, 'close');
      server.close();
      await closed;
      clearTimeout(patience);
    },
  };
}

const otherPort = 'give another port with --port, or --port 0 for any that is free';

/** Why a port of this machine cannot be had → what to do about it; any other error as it is. */
export async function cannotListen(error: NodeJS.ErrnoException, port: number): Promise<Error> {
  if (error.code === 'EACCES') {
    return new CliError('port_not_allowed', `Port ${port} is not for every user of this machine.`, {
      hint: `Those from 1024 are: ${otherPort}.`,
    });
  }
  if (error.code !== 'EADDRINUSE') return error;
  const address = `http://127.0.0.1:${port}`;
  if ((await probeSandbox(address)) !== undefined) {
    return new CliError('port_in_use', `Port ${port} is in use: a sandbox is served there already.`, {
      hint: `Use that one at ${address}, stop it with Ctrl-C where it was started, or ${otherPort}.`,
    });
  }
  const find = platform() === 'win32' ? `netstat -ano | findstr :${port}` : `lsof -i :${port}`;
  return new CliError('port_in_use', `Port ${port} is in use by another program.`, {
    hint: `To see which, run: ${find}\nOr ${otherPort}.`,
  });
}

const patienceMs = 500;
export const identityHeader = 'X-Merchant-Orders-Sandbox';

/** The identity of the sandbox that is served at an address; undefined when nobody answers, or somebody else does. */
export function probeSandbox(baseUrl: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = get(baseUrl, { timeout: patienceMs, agent: false }, (response) => {
      response.resume();
      const identity = response.headers[identityHeader.toLowerCase()];
      resolve(typeof identity === 'string' ? identity : undefined);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(undefined));
  });
}

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
