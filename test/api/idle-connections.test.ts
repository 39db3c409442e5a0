import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { operations } from '../../src/api/http/attempt-result.ts';
import { callOnce, goodJson } from './calls.ts';
import { connectTo, createTestClock } from './stub-service.ts';

/** A service that knows which connection a request came on, and the how manyth it is there, both from 0. */
async function serve(answer: (response: ServerResponse, connection: number, turn: number) => void) {
  const turns: number[] = [];
  const numbers = new WeakMap<Socket, number>();
  const bodies: string[] = [];
  const server: Server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const connection = numbers.get(request.socket) ?? 0;
    const turn = turns[connection] ?? 0;
    turns[connection] = turn + 1;
    bodies.push(await text(request));
    answer(response, connection, turn);
  }).on('connection', (socket: Socket) => numbers.set(socket, turns.push(0) - 1));
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
  return { client, turns, bodies, sleeps, lines };
}

const good = (response: ServerResponse) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(goodJson));

describe('a connection that the service closes while it is idle', () => {
  it.each<[string, (socket: Socket | null) => void]>([
    ['closed', (socket) => socket?.destroy()],
    ['reset', (socket) => socket?.resetAndDestroy()],
  ])('%s as the next request comes: the same again at once, on another', async (_name, end) => {
    const { client, turns, bodies, sleeps, lines } = await serve((response, connection, turn) => {
      if (connection === 0 && turn === 1) end(response.socket);
      else good(response);
    });
    expect(await callOnce(client, 'get')).toMatchObject({ attempts: 1 });
    expect(await callOnce(client, 'create')).toMatchObject({ outcome: 'succeeded', attempts: 2 });
    expect([turns, sleeps]).toEqual([[2, 1], []]);
    expect(bodies[1]).toBe(bodies[2]);
    expect(lines.filter((line) => line.includes('next attempt'))).toEqual([]);
  });

  it('is told from one that is closed after it began to answer, and from a fresh one', async () => {
    const { client, sleeps } = await serve((response, connection, turn) => {
      if (connection === 0 && turn === 1)
        response.socket?.write('HTTP/1.1 2', () => response.socket?.destroy());
      else if (connection === 1) response.socket?.destroy();
      else good(response);
    });
    await callOnce(client, 'get');
    expect(await callOnce(client, 'create')).toMatchObject({ outcome: 'succeeded', attempts: 3 });
    expect(sleeps).toEqual([125, 250]);
  });

  it('leaves a cancellation unknown: it is not sent twice', async () => {
    const { client, bodies } = await serve((response, _connection, turn) =>
      turn === 1 ? response.socket?.destroy() : good(response),
    );
    await callOnce(client, 'get');
    expect(await callOnce(client, 'cancel')).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(bodies.length).toBe(2);
  });
});

describe('a service that says how long it keeps an idle connection', () => {
  it.each([
    ['timeout=0', 3],
    ['timeout=60', 1],
    ['max=100', 1],
  ])('%s: %i for three requests', async (value, connections) => {
    const { client, turns } = await serve((response) =>
      good(response.setHeader('connection', 'keep-alive').setHeader('keep-alive', value)),
    );
    for (let turn = 0; turn < 3; turn++) await callOnce(client, 'create');
    expect(turns.length).toBe(connections);
  });
});

describe('connections', () => {
  it.each([1, 8, 64])('are as many as requests at a time (%i), for reads and creates alike', async (most) => {
    const waiting: ServerResponse[] = [];
    const { client, turns } = await serve((response) => {
      // Nobody is answered before all are there: fewer connections than that would never get so far.
      if (waiting.push(response) < most) return;
      for (const one of waiting.splice(0)) good(one);
    });
    for (let round = 0; round < 3; round++) {
      const calls = Array.from({ length: most }, (_, index) => {
        return callOnce(
          client,
          operations[(index + round) % operations.length] as (typeof operations)[number],
        );
      });
      for (const { attempts } of await Promise.all(calls)) expect(attempts).toBe(1);
    }
    expect(turns).toEqual(Array(most).fill(3));
  });
});
