import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { alteredResponses } from '../../../src/sandbox/faults/altered-responses.ts';
import { lostConnections } from '../../../src/sandbox/faults/broken-responses.ts';
import type { FaultContext } from '../../../src/sandbox/faults/fault-context.ts';
import { openConnection } from './raw-request.ts';

const endless: [string, (fault: FaultContext) => Promise<unknown>][] = [
  ['stall', (fault) => lostConnections.stall(fault, { kind: 'stall' })],
  ['slow_drip', (fault) => alteredResponses.slow_drip(fault, { kind: 'slow_drip', bytes: 1, everyMs: 1 })],
  ['huge_body', (fault) => alteredResponses.huge_body(fault, { kind: 'huge_body', bytes: null })],
  [
    'compressed',
    (fault) =>
      alteredResponses.compressed(fault, {
        kind: 'compressed',
        encoding: 'gzip',
        padding: Number.MAX_SAFE_INTEGER,
      }),
  ],
];

/** Serves one request, to which it applies a fault. */
async function serveFault(act: (fault: FaultContext) => Promise<unknown>) {
  const events = new EventEmitter();
  const [acted, begun] = [once(events, 'acted'), once(events, 'begun')];
  const server = createServer((_request, outgoing) => {
    const whole = { status: 200, headers: {}, body: Buffer.alloc(1024 * 1024) };
    const log = async () => void events.emit('begun', outgoing);
    const fault = { whole, outgoing, socket: outgoing.socket, log } as unknown as FaultContext;
    act(fault).then(
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

describe('a response without an end', () => {
  it.each(endless)('of %s ends when the client disconnects', async (_kind, act) => {
    const { connection, acted } = await serveFault(act);
    connection.leave();
    expect(await acted).toEqual([undefined]);
  });

  it.each(endless.slice(2))('of %s waits for a client that does not read', async (_kind, act) => {
    const { connection, outgoing, acted } = await serveFault(act);
    connection.pause();
    for (let count = 0; count < 5000; count += 1) await new Promise(setImmediate);
    expect(outgoing.writableLength).toBeLessThan(4 * 1024 * 1024);
    connection.leave();
    await acted;
  });
});
