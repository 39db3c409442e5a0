import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestLog } from '../record/request-log.ts';

/** So that a client that follows the redirect takes it for its order. */
const order = JSON.stringify({
  id: '00000000-0000-4000-8000-000000000000',
  orderNumber: 'ORD-2026-000000',
});

/** The target of redirects to another origin, which logs every request. Listens from its first use. */
export function createSecondOrigin(requestLog: RequestLog) {
  const server = createServer(async (request, response) => {
    const logged = requestLog.begin('elsewhere', request.headers.authorization);
    logged.status = 201;
    requestLog.describe(logged, { subject: request.url ?? '' });
    request.resume();
    try {
      await requestLog.complete(logged);
      response.writeHead(201, { 'Content-Type': 'application/json' }).end(order);
    } catch {
      // The disk is full, and a request that was not logged gets no response.
      response.destroy();
    } finally {
      requestLog.end(logged);
    }
  });
  let listening: Promise<string> | undefined;
  const listen = async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  return {
    open(): Promise<string> {
      listening ??= listen();
      return listening;
    },
    async close(): Promise<void> {
      if (listening === undefined) return;
      await listening;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
