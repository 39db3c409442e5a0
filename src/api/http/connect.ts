import { lookup } from 'node:dns';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { isIPv6, type LookupFunction, type Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { t } from '../../advice/advice.ts';
import {
  ConnectFailure,
  certificateFailure,
  isClientCertificateAlert,
  LocalFailure,
} from './connect-failure.ts';

export interface ConnectionEnd {
  /** The first error of the connection; a `ConnectFailure` when the service cannot have read the request. */
  cause: unknown;
  wasReused: boolean;
}

/** For connecting with TLS, and again for CONNECT to a proxy. */
const connectMilliseconds = 10_000;

const loopback = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** A name server or a hosts file may lead `localhost` to another machine, over a connection without TLS. */
const lookUpHost: LookupFunction = (hostname, options, done) => {
  if (hostname === 'localhost') done(null, loopback);
  else lookup(hostname, options, done);
};

/** Opens connections, directly or through a proxy. Every error is a `ConnectFailure`: nothing was sent. */
export function createConnector(proxy: URL | undefined) {
  const opening = new Set<Socket>();
  const ends = new WeakMap<object, ConnectionEnd>();
  // undici returns the socket, although its types do not say so; rejectUnauthorized overrides the environment.
  const startConnecting = buildConnector({
    timeout: connectMilliseconds,
    lookup: lookUpHost,
    autoSelectFamily: true,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  }) as (...args: Parameters<buildConnector.connector>) => Socket;

  const open = (target: buildConnector.Options, peer: 'service' | 'proxy' = 'service') =>
    new Promise<Socket>((resolve, reject) => {
      let certificate: PeerCertificate | undefined;
      const socket = startConnecting(target, (...[error]) => {
        opening.delete(socket);
        if (error === null) return resolve(socket);
        const code = socket instanceof TLSSocket ? socket.authorizationError : undefined;
        if (!code) return reject(ConnectFailure.from(error, peer));
        reject(certificateFailure(target.hostname, String(code), certificate, peer));
      });
      opening.add(socket);
      // By the time Node emits the error, it has dropped the rejected certificate.
      if (socket instanceof TLSSocket) {
        socket.prependOnceListener('secure', () => {
          certificate = socket.getPeerCertificate();
        });
      }
    });

  const openThroughProxy = async (proxyUrl: URL, target: buildConnector.Options) => {
    const isSecure = target.protocol === 'https:';
    const address = {
      protocol: proxyUrl.protocol,
      hostname: proxyUrl.hostname.replace(/^\[|\]$/g, ''),
      host: proxyUrl.host,
      port: proxyUrl.port,
    };
    const socket = await open(address, 'proxy').catch((error: ConnectFailure) => {
      throw error.isCertificate ? error : proxyFailure(error);
    });
    opening.add(socket);
    try {
      await openTunnel(socket, proxyUrl, target.hostname, target.port || (isSecure ? '443' : '80'));
    } finally {
      opening.delete(socket);
    }
    return isSecure ? open({ ...target, httpSocket: socket }) : socket;
  };

  return {
    connect: (...[target, done]: Parameters<buildConnector.connector>): void => {
      const connecting = proxy === undefined ? open(target) : openThroughProxy(proxy, target);
      connecting.then(
        (socket) => {
          noteErrors(socket, ends);
          done(null, socket);
        },
        (error: ConnectFailure) => done(error, null),
      );
    },
    endOf: (error: unknown) => ends.get(error as object),
    close: () => {
      for (const socket of opening) socket.destroy(new ConnectFailure(t`connecting was aborted`));
    },
  };
}

function noteErrors(socket: Socket, ends: WeakMap<object, ConnectionEnd>): void {
  const isTls13 = socket instanceof TLSSocket && socket.getProtocol() === 'TLSv1.3';
  let cause: unknown;
  socket.on('error', (error) => {
    const wasReused = socket.bytesRead > 0;
    // In TLS 1.3 a server reads no request before it has checked the client certificate (RFC 8446, section 4.4), but
    // this end may send one. It never offers to authenticate after the handshake.
    const isHandshake = isTls13 && !wasReused && isClientCertificateAlert(error);
    cause ??= isHandshake ? ConnectFailure.from(error) : error;
    ends.set(error, { cause, wasReused });
  });
}

function rejectedByProxy(status: number): ConnectFailure {
  if (status === 403) {
    return new ConnectFailure(
      t`the proxy does not let this address through (status ${status})`,
      t`Ask the operator of the proxy to allow it`,
    );
  }
  if (status === 407) {
    return new ConnectFailure(
      t`the proxy requires a user name and password, or rejected them (status ${status})`,
      t`Put them into HTTPS_PROXY, as in http://USER:PASSWORD@HOST:PORT`,
    );
  }
  return new ConnectFailure(t`the proxy could not open the connection (status ${status})`);
}

async function openTunnel(socket: Socket, proxyUrl: URL, hostname: string, port: string): Promise<void> {
  const authority = `${isIPv6(hostname) ? `[${hostname}]` : hostname}:${port}`;
  const request = requestHttp({
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...proxyCredentials(proxyUrl) },
    createConnection: () => socket,
  });
  const timer = setTimeout(
    () => socket.destroy(new ConnectFailure(t`connecting took too long`)),
    connectMilliseconds,
  );
  try {
    request.on('error', () => undefined).end();
    const [response]: IncomingMessage[] = await once(request, 'connect');
    const status = response?.statusCode ?? 0;
    if (status >= 200 && status < 300) return;
    socket.destroy();
    throw rejectedByProxy(status);
  } catch (error) {
    throw error instanceof ConnectFailure ? error : proxyFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

function proxyFailure(error: unknown): ConnectFailure {
  const failure = ConnectFailure.from(error, 'proxy');
  if (failure instanceof LocalFailure) return failure;
  const { sentence, cure } = failure;
  return new ConnectFailure(
    t`the proxy cannot be used: ${sentence}`,
    cure ?? t`Check the address of the proxy (HTTPS_PROXY)`,
  );
}

function proxyCredentials({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(plain).toString('base64')}` };
}
