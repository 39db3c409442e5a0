import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect as connectTcp, isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';

export interface Connector {
  connect: buildConnector.connector;
  /** Gives up the connections that are being opened. */
  close(): void;
}

interface Place {
  hostname: string;
  port: number;
}

const connectMilliseconds = 10_000;
const keepAliveMilliseconds = 60_000;

/** Opens connections to a service, directly or through a proxy. Whatever goes wrong here, nothing was sent. */
export function createConnector(proxy: URL | undefined): Connector {
  const opening = new Set<AbortController>();
  let session: Buffer | undefined;

  const open = async (place: Place, isSecure: boolean, abort: AbortSignal): Promise<Socket> => {
    const socket = await (proxy === undefined
      ? openSocket(place, abort)
      : openTunnel(proxy, place.hostname, place.port, abort));
    const usable = isSecure ? await secure(socket, place.hostname, session, abort) : socket;
    usable.on('session', (fresh: Buffer) => {
      session = fresh;
    });
    return usable.setNoDelay(true).setKeepAlive(true, keepAliveMilliseconds);
  };

  return {
    connect: ({ hostname, port, protocol }, done) => {
      const controller = new AbortController();
      opening.add(controller);
      const timer = setTimeout(() => controller.abort(), connectMilliseconds);
      const isSecure = protocol === 'https:';
      open({ hostname, port: Number(port || (isSecure ? 443 : 80)) }, isSecure, controller.signal)
        .catch((error: unknown) => {
          if (controller.signal.aborted) throw new ConnectFailure('connecting took too long');
          throw ConnectFailure.from(error);
        })
        .finally(() => {
          clearTimeout(timer);
          opening.delete(controller);
        })
        .then(
          (socket) => done(null, socket),
          (error: ConnectFailure) => done(error, null),
        );
    },
    close: () => {
      for (const controller of opening) controller.abort();
    },
  };
}

async function openSocket({ hostname, port }: Place, abort: AbortSignal): Promise<Socket> {
  const socket = connectTcp({ host: hostname, port });
  await whenOpen(socket, 'connect', abort);
  return socket;
}

/** The same connection with TLS. The check of the certificate cannot be turned off, by the environment neither. */
async function secure(
  socket: Socket,
  hostname: string,
  session: Buffer | undefined,
  abort: AbortSignal,
): Promise<Socket> {
  const secured = connectTls({
    socket,
    host: hostname,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ...(session === undefined ? {} : { session }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  });
  let certificate: PeerCertificate | undefined;
  // A refused connection is gone before its error is told, and its certificate with it.
  secured.prependOnceListener('secure', () => {
    certificate = secured.getPeerCertificate();
  });
  try {
    await whenOpen(secured, 'secureConnect', abort);
    return secured;
  } catch (error) {
    const code: unknown = secured.authorizationError;
    if (!code) throw error;
    throw new ConnectFailure(describeCertificate(hostname, String(code), certificate), true);
  }
}

async function whenOpen(socket: Socket, event: 'connect' | 'secureConnect', abort: AbortSignal) {
  // An error that comes later is told to whoever uses the socket; without a listener it would end the program.
  socket.on('error', () => undefined);
  try {
    await once(socket, event, { signal: abort });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

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

const reasons: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'an authority in its chain is signed by itself and not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the authority that signed it is not known here',
  UNABLE_TO_GET_ISSUER_CERT: 'the authority that signed it is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the authority that signed it is not known here',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet; is the clock of this machine right?',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host',
};

/** Why a certificate was not accepted and which one it was, in one line; `code` is what TLS calls the reason. */
export function describeCertificate(
  host: string,
  code: string,
  certificate: PeerCertificate | undefined,
): string {
  const why = `the certificate of ${host} was not accepted: ${reasons[code] ?? 'it could not be verified'} (${code})`;
  if (certificate?.subject === undefined) return why;
  const { subject, issuer, subjectaltname, valid_to: validTo } = certificate;
  const hosts = subjectaltname?.replaceAll(/\b(?:DNS|IP Address):/g, '');
  const facts = [
    `subject ${nameOf(subject)}`,
    `issuer ${nameOf(issuer)}`,
    ...(hosts === undefined ? [] : [`for ${hosts}`]),
    `valid until ${validTo}`,
  ];
  return `${why}; ${facts.join(', ')}`;
}

function nameOf(name: PeerCertificate['subject'] | undefined): string {
  return [name?.CN ?? name?.O ?? 'unnamed'].flat().join(', ');
}

const reasonsOfConnectFailure: Record<string, string> = {
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'nothing answers at that address',
  ECONNRESET: 'the connection was closed before it could be used',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'connecting took too long',
};

/** There is no connection, so nothing was sent. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  /** The certificate was not accepted: trying again would not help. */
  readonly isCertificate: boolean;

  constructor(reason: string, isCertificate = false) {
    super(reason);
    this.isCertificate = isCertificate;
  }

  /** An error of a socket, in words; of one that tried several addresses, the first. */
  static from(error: unknown, place = ''): ConnectFailure {
    if (error instanceof ConnectFailure) return error;
    const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
    if (code === undefined && errors?.[0] !== undefined) return ConnectFailure.from(errors[0], place);
    return new ConnectFailure(
      place + (reasonsOfConnectFailure[code ?? ''] ?? (message || 'the connection failed')),
    );
  }
}
