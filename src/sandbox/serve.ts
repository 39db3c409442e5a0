import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { cannotListen } from './cannot-listen.ts';
import { limitConnection } from './faults/limit-connection.ts';
import type { Faults } from './faults/schema.ts';
import type { SandboxEnv } from './parts.ts';

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
