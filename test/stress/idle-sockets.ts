/**
 * Sends 10,000 POSTs to a service that closes idle connections after 400 ms, each at about that moment. The
 * caller must see no error and no wait.
 */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { createRequest } from '../../src/api/requests.ts';
import { type Clock, systemClock } from '../../src/system/system.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { connect } from './client/connect.ts';

const posts = 10_000;
const senders = 500;
const idleMilliseconds = 400;

interface Scene {
  name: string;
  /** Whether the service sends its idle timeout, as node:http does. */
  sendsTimeout: boolean;
  /** One-way latency in milliseconds. */
  delay: number;
}

async function measure({ name, sendsTimeout, delay: wayMilliseconds }: Scene): Promise<number> {
  let connections = 0;
  const idle = new WeakMap<Socket, NodeJS.Timeout>();
  const server = createServer({ keepAliveTimeout: idleMilliseconds }, (request, response) => {
    if (!sendsTimeout) response.setHeader('connection', 'keep-alive');
    const { socket } = request;
    clearTimeout(idle.get(socket));
    request.resume().on('end', () => {
      response.writeHead(201).end('{"id":"S-1"}');
      // Node closes a connection one second after the timeout that it sends.
      idle.set(
        socket,
        setTimeout(() => socket.destroy(), idleMilliseconds),
      );
    });
  }).on('connection', () => connections++);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const proxy = await startFaultProxy(port, () => ({ delay: wayMilliseconds }));
  const counts = { requests: 0, waits: 0, errors: 0 };
  const started = performance.now();
  const work = async () => {
    // One connection per sender, so that it is idle while its sender waits.
    const client = connectTo(proxy.baseUrl, counts);
    for (let post = 0; post < posts / senders; post++) {
      const rules = { accepts: () => true, resendsUnknown: true };
      const { outcome } = await client.call(
        'create',
        createRequest('{"externalOrderId":"UB-1"}', 'K'),
        rules,
      );
      if (outcome !== 'succeeded') counts.errors++;
      // The last byte of a response is half a round trip old on arrival, and so is the first byte of the next request.
      await delay(idleMilliseconds - 2 * wayMilliseconds - 10 + Math.random() * 20);
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: senders }, work));
  proxy.close();
  server.close();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print([name, posts, counts.errors, counts.requests - posts, counts.waits, connections, seconds]);
  return counts.errors + counts.waits;
}

function connectTo(baseUrl: string, counts: { requests: number; waits: number }) {
  const sleep: Clock['sleep'] = (...args) => {
    counts.waits++;
    return systemClock.sleep(...args);
  };
  return connect(baseUrl, 'sandbox_stress', { clock: { ...systemClock, sleep } }, (send) => (...args) => {
    counts.requests++;
    return send(...args);
  });
}

function print(cells: unknown[]): void {
  process.stdout.write(`${cells.join('\t')}\n`);
}

async function main(): Promise<void> {
  print(['service', 'POSTs', 'errors', 'resent', 'waits', 'connections', 'seconds']);
  let errors = 0;
  for (const scene of [
    { name: 'announces the timeout', sendsTimeout: true, delay: 0 },
    { name: 'does not announce it', sendsTimeout: false, delay: 0 },
    { name: 'does not announce it, 25 ms away', sendsTimeout: false, delay: 25 },
  ]) {
    errors += await measure(scene);
  }
  process.exitCode = errors === 0 ? 0 : 1;
}

void main();
