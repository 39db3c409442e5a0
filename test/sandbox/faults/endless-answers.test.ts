import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lostConnections } from '../../../src/sandbox/faults/acts/broken-answers.ts';
import { changedAnswers } from '../../../src/sandbox/faults/acts/changed-answers.ts';
import type { Scene } from '../../../src/sandbox/faults/scene.ts';
import { openConnection } from './raw-request.ts';

const endless: [string, (scene: Scene) => Promise<unknown>][] = [
  ['stall', (scene) => lostConnections.stall(scene, { kind: 'stall' })],
  ['slow_drip', (scene) => changedAnswers.slow_drip(scene, { kind: 'slow_drip', bytes: 1, everyMs: 1 })],
  ['huge_body', (scene) => changedAnswers.huge_body(scene, { kind: 'huge_body', bytes: null })],
  [
    'compressed',
    (scene) =>
      changedAnswers.compressed(scene, {
        kind: 'compressed',
        encoding: 'gzip',
        padding: Number.MAX_SAFE_INTEGER,
      }),
  ],
];

/** An action on one request, whose client is there and takes what comes. */
async function serveTo(act: (scene: Scene) => Promise<unknown>) {
  const events = new EventEmitter();
  const [acted, begun] = [once(events, 'acted'), once(events, 'begun')];
  const server = createServer((_request, outgoing) => {
    const whole = { status: 200, headers: {}, body: Buffer.alloc(1024 * 1024) };
    const recorded = async () => void events.emit('begun', outgoing);
    const scene = { whole, outgoing, socket: outgoing.socket, recorded } as unknown as Scene;
    act(scene).then(
      (left) => events.emit('acted', left),
      (error) => events.emit('error', error),
    );
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const connection = await openConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  connection.send('GET', '/');
  const [outgoing] = (await begun) as [ServerResponse];
  return { connection, acted, outgoing };
}

describe('an answer without an end', () => {
  it.each(endless)('of %s is over when the client goes', async (_kind, act) => {
    const { connection, acted } = await serveTo(act);
    connection.leave();
    expect(await acted).toEqual([undefined]);
  });

  it.each(endless.slice(2))('of %s waits for a client that takes nothing', async (_kind, act) => {
    const { connection, outgoing, acted } = await serveTo(act);
    connection.pause();
    for (let turns = 0; turns < 5000; turns += 1) await new Promise(setImmediate);
    expect(outgoing.writableLength).toBeLessThan(4 * 1024 * 1024);
    connection.leave();
    await acted;
  });
});
