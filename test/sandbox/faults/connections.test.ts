import { describe, expect, it } from 'vitest';
import type { FaultSettings } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { admin } from '../admin/admin-client.ts';
import { orders, start } from '../start.ts';
import { openConnection, readResponse } from './raw-request.ts';

async function startWithConnections(faults: FaultSettings) {
  const { sandbox } = await start({ behaviour: { faults } });
  const open = async () => {
    const connection = await openConnection(sandbox.baseUrl);
    /** The next response on this connection. */
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

describe('an idle connection', () => {
  it('is closed after the time that the first response announces', async () => {
    const { open } = await startWithConnections({ idleMs: 1100 });
    const connection = await open();
    const { headers } = await connection.next();
    const startedAt = performance.now();
    expect([headers.connection, headers['keep-alive']]).toEqual(['keep-alive', 'timeout=1']);
    await connection.ended;
    expect(connection.ending()).toBe('close');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1000);
  });

  it('stays open for five seconds by default', async () => {
    const { open } = await startWithConnections({});
    const { headers } = await (await open()).next();
    expect([headers.connection, headers['keep-alive']]).toEqual(['keep-alive', 'timeout=5']);
  });

  it('uses the time of the current faults', async () => {
    const { sandbox, open } = await startWithConnections({});
    const connection = await open();
    await connection.next();
    await admin(sandbox).put('/faults', { idleMs: 3000 });
    expect((await connection.next()).headers['keep-alive']).toBe('timeout=3');
  });

  it('is closed when the client asks for it', async () => {
    const { open } = await startWithConnections({ idleMs: 600_000 });
    const connection = await open();
    const { headers } = await connection.next({ Connection: 'close' });
    expect([headers.connection, headers['keep-alive']]).toEqual(['close', undefined]);
    await connection.ended;
  });
});
