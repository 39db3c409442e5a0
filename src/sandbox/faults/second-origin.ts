import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Record } from '../record/record.ts';

/** What a client that follows a redirect takes for its order. */
const answer = JSON.stringify({
  id: '00000000-0000-4000-8000-000000000000',
  orderNumber: 'ORD-2026-000000',
});

export type SecondOrigin = ReturnType<typeof createSecondOrigin>;

/** Another origin, where redirects lead: whatever comes to it goes into the record. It listens when it is needed. */
export function createSecondOrigin(record: Record) {
  const server = createServer(async (request, response) => {
    const visit = record.begin('elsewhere', request.headers.authorization);
    visit.status = 201;
    record.identify(visit, { subject: request.url ?? '' });
    request.resume();
    await record.complete(visit);
    record.end(visit);
    response.writeHead(201, { 'Content-Type': 'application/json' }).end(answer);
  });
  let listening: Promise<string> | undefined;
  const listen = async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  return {
    /** Its address. */
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
