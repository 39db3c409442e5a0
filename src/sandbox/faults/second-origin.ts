import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestLog } from '../record/request-log.ts';

/** Looks like the order to a client that follows the redirect. */
const order = JSON.stringify({
  id: '00000000-0000-4000-8000-000000000000',
  orderNumber: 'ORD-2026-000000',
});

/** Another origin, the target of redirects, which logs every request. It listens from its first use on. */
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
      // The disk is full: what was not logged has no response.
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
