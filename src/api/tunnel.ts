import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { describeCertificate } from './certificate.ts';
import { ConnectFailure } from './connect-failure.ts';

const refusals: Record<number, string> = {
  403: 'the proxy does not let this address through',
  407: 'the proxy asks for a user name and a password, or refused them',
  502: 'the proxy could not reach the service',
  503: 'the proxy could not reach the service',
  504: 'the proxy got no answer from the service',
};

/** A connection to a host through a proxy, with CONNECT. Errors: what the proxy said, as a `ConnectFailure`. */
export async function openTunnel(
  proxy: URL,
  hostname: string,
  port: number,
  abort: AbortSignal,
): Promise<Socket> {
  const place = `${isIPv6(hostname) ? `[${hostname}]` : hostname}:${port}`;
  const request = proxy.protocol === 'https:' ? requestHttps : requestHttp;
  const asking = request({
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: place,
    headers: { host: place, ...credentials(proxy) },
    agent: false,
    signal: abort,
    rejectUnauthorized: true,
  });
  asking.on('error', () => undefined).end();
  const [answer, socket] = await once(asking, 'connect').catch((error: unknown) => {
    const code: unknown = (asking.socket as TLSSocket | null)?.authorizationError;
    if (code) throw new ConnectFailure(describeCertificate(proxy.hostname, String(code), undefined), true);
    throw ConnectFailure.from(error, 'the proxy cannot be used: ');
  });
  const status = (answer as IncomingMessage).statusCode ?? 0;
  if (status >= 200 && status < 300) return socket as Socket;
  (socket as Socket).destroy();
  throw new ConnectFailure(`${refusals[status] ?? 'the proxy refused the connection'} (status ${status})`);
}

function credentials({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(plain).toString('base64')}` };
}
