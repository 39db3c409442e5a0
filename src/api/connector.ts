import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate } from 'node:tls';
import type { buildConnector } from 'undici';
import { describeCertificate } from './certificate.ts';
import { ConnectFailure } from './connect-failure.ts';
import { openTunnel } from './tunnel.ts';

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
