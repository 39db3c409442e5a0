import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Pool } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { operations } from '../../src/api/http/attempt-result.ts';
import { callOnce, goodJson } from './calls.ts';
import { connectTo, createTestClock } from './stub-service.ts';

/** A service that responds by the number of the connection and of the request on it, both from 0. */
async function serve(respond: (response: ServerResponse, connection: number, index: number) => void) {
  const requestCounts: number[] = [];
  const numbers = new WeakMap<Socket, number>();
  const bodies: string[] = [];
  const server: Server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const connection = numbers.get(request.socket) ?? 0;
    const index = requestCounts[connection] ?? 0;
    requestCounts[connection] = index + 1;
    bodies.push(await text(request));
    respond(response, connection, index);
  }).on('connection', (socket: Socket) => numbers.set(socket, requestCounts.push(0) - 1));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { clock, sleeps } = createTestClock();
  const lines: string[] = [];
  const client = connectTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    clock,
    trace: (line) => lines.push(line),
  });
  return { client, requestCounts, bodies, sleeps, lines };
}

const good = (response: ServerResponse) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(goodJson));

describe('an idle connection that the service closes', () => {
  it.each<[string, (socket: Socket | null) => void]>([
    ['closed', (socket) => socket?.destroy()],
    ['reset', (socket) => socket?.resetAndDestroy()],
  ])('%s as the next request arrives: retries at once on another connection', async (_name, end) => {
    const { client, requestCounts, bodies, sleeps, lines } = await serve((response, connection, index) => {
      if (connection === 0 && index === 1) end(response.socket);
      else good(response);
    });
    expect(await callOnce(client, 'get')).toMatchObject({ attempts: 1 });
    expect(await callOnce(client, 'create')).toMatchObject({ outcome: 'succeeded', attempts: 2 });
    expect([requestCounts, sleeps]).toEqual([[2, 1], []]);
    expect(bodies[1]).toBe(bodies[2]);
    expect(lines.filter((line) => line.includes('next attempt'))).toEqual([]);
  });

  it('is retried on a new connection, although others are idle', async () => {
    const [idle, reads] = [24, 8];
    const waiting: ServerResponse[] = [];
    const { client, sleeps, requestCounts } = await serve((response, _connection, index) => {
      // As a gateway that has forgotten all of its connections.
      if (index > 0) return void setTimeout(() => response.socket?.destroy(), 5 * Math.random());
      if (requestCounts.length > idle) return good(response);
      // Responds only when all requests have arrived, which takes as many connections.
      if (waiting.push(response) < idle) return;
      for (const one of waiting.splice(0)) good(one);
    });
    const readAll = (count: number) =>
      Promise.all(Array.from({ length: count }, () => callOnce(client, 'list')));
    await readAll(idle);
    for (let round = 0; round < 5; round++) {
      for (const { attempts } of await readAll(reads)) expect(attempts).toBeLessThanOrEqual(2);
    }
    expect(sleeps).toEqual([]);
  });

  it('differs from a connection closed during a response, and from a new one', async () => {
    const { client, sleeps } = await serve((response, connection, index) => {
      if (connection === 0 && index === 1)
        response.socket?.write('HTTP/1.1 2', () => response.socket?.destroy());
      else if (connection === 1) response.socket?.destroy();
      else good(response);
    });
    await callOnce(client, 'get');
    expect(await callOnce(client, 'create')).toMatchObject({ outcome: 'succeeded', attempts: 3 });
    expect(sleeps).toEqual([125, 250]);
  });

  it('leaves a cancellation unknown, and does not send it twice', async () => {
    const { client, bodies } = await serve((response, _connection, index) =>
      index === 1 ? response.socket?.destroy() : good(response),
    );
    await callOnce(client, 'get');
    expect(await callOnce(client, 'cancel')).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(bodies.length).toBe(2);
  });
});

describe('an idle connection', () => {
  it('is closed after two seconds, before services do so', async () => {
    const ends: string[] = [];
    const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      const name = request.headers['x-name'] ?? 'ours';
      request.socket.once('close', () => ends.push(String(name)));
      good(response);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // All three are measured by the same timer, so that their order does not depend on the speed of the machine.
    const others = [1100, 3100].map((keepAliveTimeout) => new Pool(origin, { keepAliveTimeout }));
    onTestFinished(() => void server.close());
    const client = connectTo(origin, { clock: createTestClock().clock });
    await Promise.all([
      callOnce(client, 'get'),
      ...['sooner', 'later'].map(async (name, place) => {
        const headers = { 'x-name': name };
        await (await others[place]?.request({ path: '/', method: 'GET', headers }))?.body.dump();
      }),
    ]);
    await expect.poll(() => ends, { timeout: 30_000 }).toHaveLength(3);
    expect(ends).toEqual(['sooner', 'ours', 'later']);
  });
});

describe('a service with a Keep-Alive header', () => {
  it.each([
    ['timeout=0', 3],
    ['timeout=60', 1],
    ['max=100', 1],
  ])('%s: %i connections for three requests', async (value, connections) => {
    const { client, requestCounts } = await serve((response) =>
      good(response.setHeader('connection', 'keep-alive').setHeader('keep-alive', value)),
    );
    for (let request = 0; request < 3; request++) await callOnce(client, 'create');
    expect(requestCounts.length).toBe(connections);
  });
});

describe('connections', () => {
  it.each([8])('are as many as concurrent requests (%i), for reads and writes alike', async (concurrency) => {
    const waiting: ServerResponse[] = [];
    const { client, requestCounts } = await serve((response) => {
      // Responds only when all requests have arrived, which takes as many connections.
      if (waiting.push(response) < concurrency) return;
      for (const one of waiting.splice(0)) good(one);
    });
    for (let round = 0; round < 3; round++) {
      const calls = Array.from({ length: concurrency }, (_, index) => {
        return callOnce(
          client,
          operations[(index + round) % operations.length] as (typeof operations)[number],
        );
      });
      for (const { attempts } of await Promise.all(calls)) expect(attempts).toBe(1);
    }
    expect(requestCounts).toEqual(Array(concurrency).fill(3));
  });
});
