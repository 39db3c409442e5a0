import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';

export interface Connector {
  connect: buildConnector.connector;
  /** Whether the connection that failed with this error had carried a response before. */
  wasReused(error: unknown): boolean;
  close(): void;
}

/** For each step: a connection with its TLS handshake, and the response of a proxy to CONNECT. */
const connectMilliseconds = 10_000;

/** Opens connections, directly or through a proxy. Every error is a `ConnectFailure`: nothing was sent. */
export function createConnector(proxy: URL | undefined): Connector {
  const opening = new Set<Socket>();
  const errorsAfterResponse = new WeakSet<object>();
  // undici returns the socket, although its types do not say so; rejectUnauthorized overrides the environment.
  const startConnecting = buildConnector({
    timeout: connectMilliseconds,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  }) as (...args: Parameters<buildConnector.connector>) => Socket;

  const open = (target: buildConnector.Options) =>
    new Promise<Socket>((resolve, reject) => {
      let certificate: PeerCertificate | undefined;
      const socket = startConnecting(target, (...[error]) => {
        opening.delete(socket);
        if (error === null) return resolve(socket);
        const code = socket instanceof TLSSocket ? socket.authorizationError : undefined;
        if (!code) return reject(ConnectFailure.from(error));
        reject(new ConnectFailure(describeCertificate(target.hostname, String(code), certificate), true));
      });
      opening.add(socket);
      // When Node emits the error of a rejected certificate, the certificate is gone.
      if (socket instanceof TLSSocket) {
        socket.prependOnceListener('secure', () => {
          certificate = socket.getPeerCertificate();
        });
      }
    });

  const openThroughProxy = async (proxyUrl: URL, target: buildConnector.Options) => {
    const isSecure = target.protocol === 'https:';
    const socket = await open({
      protocol: proxyUrl.protocol,
      hostname: proxyUrl.hostname.replace(/^\[|\]$/g, ''),
      host: proxyUrl.host,
      port: proxyUrl.port,
    }).catch((error: ConnectFailure) => {
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
    connect: (target, done) => {
      const connecting = proxy === undefined ? open(target) : openThroughProxy(proxy, target);
      connecting.then(
        (socket) => {
          socket.on('error', (error) => {
            if (socket.bytesRead > 0) errorsAfterResponse.add(error);
          });
          done(null, socket);
        },
        (error: ConnectFailure) => done(error, null),
      );
    },
    wasReused: (error) => errorsAfterResponse.has(error as object),
    close: () => {
      for (const socket of opening) socket.destroy(new ConnectFailure('connecting was aborted'));
    },
  };
}

const proxyReasons: Record<number, string> = {
  403: 'the proxy does not let this address through',
  407: 'the proxy requires a user name and password, or rejected them',
  502: 'the proxy could not reach the service',
  503: 'the proxy could not reach the service',
  504: 'the proxy got no response from the service',
};

async function openTunnel(socket: Socket, proxyUrl: URL, hostname: string, port: string): Promise<void> {
  const authority = `${isIPv6(hostname) ? `[${hostname}]` : hostname}:${port}`;
  const request = requestHttp({
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...proxyCredentials(proxyUrl) },
    createConnection: () => socket,
  });
  const timer = setTimeout(
    () => socket.destroy(new ConnectFailure('connecting took too long')),
    connectMilliseconds,
  );
  try {
    request.on('error', () => undefined).end();
    const [response]: IncomingMessage[] = await once(request, 'connect');
    const status = response?.statusCode ?? 0;
    if (status >= 200 && status < 300) return;
    socket.destroy();
    throw new ConnectFailure(
      `${proxyReasons[status] ?? 'the proxy rejected the connection'} (status ${status})`,
    );
  } catch (error) {
    throw error instanceof ConnectFailure ? error : proxyFailure(error);
  } finally {
    clearTimeout(timer);
  }
}

function proxyFailure(error: unknown): ConnectFailure {
  return new ConnectFailure(`the proxy cannot be used: ${ConnectFailure.from(error).message}`);
}

function proxyCredentials({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(plain).toString('base64')}` };
}

const certificateReasons: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'a self-signed authority in its chain is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the authority that signed it is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'the authority that signed it is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the authority that signed it is not trusted here',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet; is the clock of this machine right?',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host',
};

function describeCertificate(host: string, code: string, certificate: PeerCertificate | undefined): string {
  const why = `the certificate of ${host} was not accepted: ${certificateReasons[code] ?? 'it could not be verified'} (${code})`;
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

const connectReasons: Record<string, string> = {
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'nothing listens at that address',
  ECONNRESET: 'the connection was closed before it could be used',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'connecting took too long',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
};

export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  readonly isCertificate: boolean;

  constructor(reason: string, isCertificate = false) {
    super(reason);
    this.isCertificate = isCertificate;
  }

  static from(error: unknown): ConnectFailure {
    if (error instanceof ConnectFailure) return error;
    const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] };
    if (code === undefined && errors?.[0] !== undefined) return ConnectFailure.from(errors[0]);
    return new ConnectFailure(connectReasons[code ?? ''] ?? (message || 'the connection failed'));
  }
}
