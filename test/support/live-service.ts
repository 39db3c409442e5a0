import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request as requestPage } from 'undici';
import { onTestFinished } from 'vitest';
import type { BehaviourSettings } from '../../src/sandbox/behaviour/schema.ts';
import { startService } from './service.ts';

const liveKey = 'mk_live_0123456789';

/** A sandbox behind a proxy that makes it look like the live service: another key, and no header with its identity. */
export async function startLiveService(behaviour: BehaviourSettings = {}) {
  const { sandbox } = await startService({ anySku: true, behaviour });
  const target = new URL(sandbox.baseUrl);
  const server = createServer((incoming, outgoing) => {
    const headers = withKey(incoming, sandbox.apiKey);
    const { method, url: path } = incoming;
    const forwarded = request(
      { host: target.hostname, port: target.port, method, path, headers },
      (response) => {
        const { 'x-merchant-orders-sandbox': _, ...shown } = response.headers;
        outgoing.writeHead(response.statusCode ?? 502, shown);
        response.pipe(outgoing);
      },
    );
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** The orders that it has, oldest first. */
  const orders = async (): Promise<Record<string, unknown>[]> => {
    const { body } = await requestPage(`${sandbox.baseUrl}/api/v1/merchant/orders?pageSize=100`, {
      headers: { authorization: `Bearer ${sandbox.apiKey}` },
    });
    return ((await body.json()) as { data: Record<string, unknown>[] }).data.reverse();
  };
  return {
    orders,
    baseUrl,
    apiKey: liveKey,
    env: { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: liveKey },
  };
}

function withKey({ headers }: IncomingMessage, apiKey: string) {
  const host = { ...headers };
  delete host.host;
  if (headers.authorization !== `Bearer ${liveKey}`) return host;
  return { ...host, authorization: `Bearer ${apiKey}` };
}
