import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { createTransport, type Transport } from '../../src/api/http/transport.ts';
import { systemClock } from '../../src/system/system.ts';
import { type Fault, startFaultProxy } from '../support/fault-proxy.ts';
import { callOnce, goodJson } from './calls.ts';
import { aPolicy, apiKey, type Reply, startStubService } from './stub-service.ts';

const good: Reply = { status: 200, json: goodJson };

/** A service behind a proxy with these faults of its connections, counted from 0. */
async function startBehind(faultOf: (connection: number) => Fault, respond: () => Reply = () => good) {
  const service = await startStubService(respond);
  const proxy = await startFaultProxy(Number(new URL(service.baseUrl).port), faultOf);
  onTestFinished(proxy.close);
  const transport = createTransport({
    baseUrl: new URL(proxy.baseUrl),
    apiKey,
    userAgent: 'test',
    env: {},
    clock: systemClock,
  });
  let attempts = 0;
  const send: Transport['send'] = (request, deadline, abort) => {
    // Keeps a stall on the first connection short.
    const isStalled = attempts++ === 0 && (faultOf(0).stall !== undefined || faultOf(0).losesClose);
    return transport.send(request, isStalled ? 150 : deadline, abort);
  };
  const client = createClient({ ...transport, send }, aPolicy(), 'http://127.0.0.1');
  onTestFinished(() => client.close());
  return { client, received: service.received };
}

const faults: readonly [string, Fault, reachesService: boolean][] = [
  ['reset before the request', { cut: { direction: 'request', after: 0, how: 'reset' } }, false],
  ['closed in the request', { cut: { direction: 'request', after: 100, how: 'close' } }, false],
  ['reset before the response', { cut: { direction: 'response', after: 0, how: 'reset' } }, true],
  ['closed in the headers', { cut: { direction: 'response', after: 60, how: 'close' } }, true],
  ['reset in the body', { cut: { direction: 'response', after: 190, how: 'reset' } }, true],
  ['stalled in the request', { stall: { direction: 'request', after: 100 } }, false],
  ['stalled in the body', { stall: { direction: 'response', after: 190 } }, true],
];

// What a connection does is the same for every operation; whether it is sent again is not.
describe.each(['create', 'cancel'] as const)('a %s', (operation) => {
  const isResent = operation !== 'cancel';

  it.each(faults)(
    '%s: is unknown, and sent again unless it is a cancellation',
    async (_name, fault, reachesService) => {
      const { client, received } = await startBehind((connection) => (connection === 0 ? fault : {}));
      const { outcome, attempts, sawUnknown } = await callOnce(client, operation);
      expect({ outcome, attempts, sawUnknown }).toEqual(
        isResent
          ? { outcome: 'succeeded', attempts: 2, sawUnknown: true }
          : { outcome: 'unknown', attempts: 1, sawUnknown: true },
      );
      expect(received.length).toBe((reachesService ? 1 : 0) + attempts - 1);
      expect(new Set(received.map(({ headers, body }) => JSON.stringify([headers, body]))).size).toBeLessThan(
        2,
      );
    },
  );

  it('stays unknown when every connection is reset', async () => {
    const fault: Fault = { cut: { direction: 'response', after: 0, how: 'reset' } };
    const { client, received } = await startBehind(() => fault);
    const result = await callOnce(client, operation);
    expect([result.outcome, result.attempts, received.length]).toEqual(
      isResent ? ['unknown', 5, 5] : ['unknown', 1, 1],
    );
  });

  it('succeeds over a slow connection', async () => {
    const { client } = await startBehind(() => ({ delay: 20 }));
    expect(await callOnce(client, operation)).toMatchObject({ outcome: 'succeeded', attempts: 1 });
  });

  it('ends at its deadline when the end of the connection is lost', async () => {
    let replies = 0;
    const respond = (): Reply => (replies++ === 0 ? (response) => response.socket?.destroy() : good);
    const { client } = await startBehind((connection) => ({ losesClose: connection === 0 }), respond);
    const result = await callOnce(client, operation);
    expect(result).toMatchObject({ outcome: isResent ? 'succeeded' : 'unknown', sawUnknown: true });
    if (!isResent) expect(result.attemptResult).toMatchObject({ reason: 'no response in time' });
  });
});
