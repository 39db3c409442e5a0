import { describe, expect, it } from 'vitest';
import type { FaultSettings } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { admin } from '../admin/admin-client.ts';
import { orders, start } from '../start.ts';
import { openConnection, readResponse } from './raw-request.ts';

type Connections = NonNullable<FaultSettings>['connections'];

async function connected(connections: Connections) {
  const { sandbox } = await start({ behaviour: { faults: { connections } } });
  const open = async () => {
    const connection = await openConnection(sandbox.baseUrl);
    /** The headers of the next answer on this connection. */
    const next = async (headers: Record<string, string> = {}) => {
      const before = connection.bytes().length;
      connection.send('GET', `${orders}/none`, { key: sandbox.apiKey, headers });
      await connection.until((text) => text.slice(before).endsWith('}'));
      return readResponse(connection.bytes().subarray(before));
    };
    return { ...connection, next };
  };
  return { sandbox, open };
}

describe('a connection that nobody uses', () => {
  it('is closed after its time, which the first answer tells already', async () => {
    const { open } = await connected({ idleMs: 1100 });
    const connection = await open();
    const { headers } = await connection.next();
    const begun = performance.now();
    expect([headers.connection, headers['keep-alive']]).toEqual(['keep-alive', 'timeout=1']);
    await connection.ended;
    expect(connection.ending()).toBe('close');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1000);
  });

  it('is kept for five seconds where nothing is said', async () => {
    const { open } = await connected({});
    const { headers } = await (await open()).next();
    expect([headers.connection, headers['keep-alive']]).toEqual(['keep-alive', 'timeout=5']);
  });

  it('does not tell its time where it is not to, and ends all the same', async () => {
    const { open } = await connected({ idleMs: 50, idleTold: false });
    const connection = await open();
    const { headers } = await connection.next();
    expect([headers.connection, headers['keep-alive']]).toEqual(['keep-alive', undefined]);
    await connection.ended;
    expect(connection.ending()).toBe('close');
  });

  it('has the time of the faults that were set last', async () => {
    const { sandbox, open } = await connected({});
    const connection = await open();
    await connection.next();
    await admin(sandbox).put('/faults', { connections: { idleMs: 3000 } });
    expect((await connection.next()).headers['keep-alive']).toBe('timeout=3');
  });

  it.each([true, false])('is closed for a client that asks for that, its time told: %s', async (idleTold) => {
    const { open } = await connected({ idleMs: 600_000, idleTold });
    const connection = await open();
    const { headers } = await connection.next({ Connection: 'close' });
    expect([headers.connection, headers['keep-alive']]).toEqual(['close', undefined]);
    await connection.ended;
  });
});

describe('requests on one connection', () => {
  it.each([
    [1, true],
    [1, false],
    [3, true],
    [3, false],
  ])('%i, the idle time told: %s; the last answer says so and ends it', async (requests, idleTold) => {
    const { open } = await connected({ requests, idleTold, idleMs: 600_000 });
    for (const connection of [await open(), await open()]) {
      for (let count = 1; count <= requests; count += 1) {
        const { status, headers } = await connection.next();
        expect([status, headers.connection]).toEqual([404, count === requests ? 'close' : 'keep-alive']);
      }
      await connection.ended;
      expect(connection.ending()).toBe('close');
    }
  });
});
