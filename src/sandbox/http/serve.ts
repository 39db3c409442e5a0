import { once } from 'node:events';
import { get, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP, isIPv6 } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { advice, flag } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import { wait } from '../../system/waits.ts';
import { identityHeader, type SandboxEnv } from './context.ts';

export const loopback = '127.0.0.1';
export const isLoopback = (host: string): boolean => /^(?:127\.|::1$)/.test(host);
/** They stand for all addresses of this machine. */
export const anyAddress = ['0.0.0.0', '::'];

interface Address {
  port: number;
  /** An IP address of this machine, or one of `anyAddress`. */
  host: string;
}

/** `idleMs` is read at each request. @throws CliError `port_in_use`, `port_not_allowed`, `usage` for the address */
export async function serve(
  app: Pick<Hono<SandboxEnv>, 'fetch'>,
  { port, host }: Address,
  idleMs: () => number,
) {
  // The process may be the CLI itself, whose global Request and Response must not be replaced.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  let underWay = 0;
  // closeIdleConnections is not enough: a connection is not idle while an unread body still arrives.
  const closeUnlessUnderWay = () => {
    if (!server.listening && underWay === 0) server.closeAllConnections();
  };
  server.prependListener('request', (_request, response) => {
    underWay += 1;
    limitConnection(server, response, idleMs());
    response.once('close', () => {
      underWay -= 1;
      closeUnlessUnderWay();
    });
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error) => {
    throw cannotListen(error, { port, host });
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** Waits for responses under way, for `graceMs` or until the signal, then closes every connection. */
    async stop(graceMs: number, atOnce?: AbortSignal): Promise<void> {
      const ended = new AbortController();
      const signal = AbortSignal.any([ended.signal, ...(atOnce ? [atOnce] : [])]);
      void wait(graceMs, signal).then(() => server.closeAllConnections());
      const closed = once(server, 'close');
      server.close();
      closeUnlessUnderWay();
      await closed;
      ended.abort();
    },
  };
}

export function baseUrlOf(host: string, port: number): string {
  const address = host === '0.0.0.0' ? loopback : host === '::' ? '::1' : host;
  return new URL(`http://${isIPv6(address) ? `[${address}]` : address}:${port}`).origin;
}

const hint = advice`Give another port with ${flag('--port')}, or ${flag('--port', '0')} for any that is free.`;

function cannotListen(error: NodeJS.ErrnoException, { port, host }: Address): Error {
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return notHere(host);
  if (error.code === 'EADDRINUSE') return new CliError('port_in_use', `Port ${port} is in use.`, { hint });
  if (error.code !== 'EACCES') return error;
  const message = `Port ${port} may only be used by an administrator of this machine.`;
  return new CliError('port_not_allowed', message, { hint });
}

/** @throws CliError `usage` */
export function checkAddress(host: string): void {
  if (!isIP(host) || host.includes('%')) throw notHere(host);
}

function notHere(host: string): CliError {
  return new CliError('usage', `"${host}" is not an IP address of this machine.`, {
    hint: advice`Leave out ${flag('--host')} to serve this machine only, or give 0.0.0.0 or :: for all its addresses.`,
  });
}

const probeTimeoutMs = 500;
/** The identity of the sandbox at an address; undefined if nothing, or another program, responds there. */
export function probeSandbox(baseUrl: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = get(baseUrl, { timeout: probeTimeoutMs, agent: false }, (response) => {
      response.resume();
      const identity = response.headers[identityHeader.toLowerCase()];
      resolve(typeof identity === 'string' ? identity : undefined);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(undefined));
  });
}

function limitConnection(server: Server, response: ServerResponse, idleMs: number): void {
  server.keepAliveTimeout = idleMs;
  // Node.js 24 adds a second to the announced time by default.
  if ('keepAliveTimeoutBuffer' in server) server.keepAliveTimeoutBuffer = 0;
  if (!response.shouldKeepAlive) return;
  // Node.js itself would announce the value of the previous request.
  response.setHeader('Connection', 'keep-alive');
  response.setHeader('Keep-Alive', `timeout=${Math.floor(idleMs / 1000)}`);
}
