import { type ApiClient, createClient } from '../../../src/api/client.ts';
import { createTransport, type Transport } from '../../../src/api/http/transport.ts';
import type { AttemptPolicy } from '../../../src/api/pacing/attempts.ts';
import { type Clock, systemClock } from '../../../src/system/system.ts';

type Send = Transport['send'];

/** The client as the program creates it; `watch` wraps `send`. */
export function connect(
  baseUrl: string,
  apiKey: string,
  policy: Partial<AttemptPolicy> = {},
  watch: (send: Send) => Send = (send) => send,
): ApiClient {
  const never = new AbortController().signal;
  const transport = createTransport({
    baseUrl: new URL(baseUrl),
    apiKey,
    userAgent: 'stress',
    env: {},
    clock: systemClock,
  });
  return createClient(
    { ...transport, send: watch(transport.send) },
    {
      clock: systemClock,
      random: Math.random,
      timeoutMilliseconds: 60_000,
      maxWaitMilliseconds: 300_000,
      maxOutageMilliseconds: 900_000,
      hasWaitFlags: true,
      waitsForOutages: true,
      stopping: never,
      leaving: never,
      trace: () => undefined,
      ...policy,
    },
    baseUrl,
  );
}

/** A clock that jumps ahead instead of waiting. */
export function jumpingClock(): Clock {
  let ahead = 0;
  return {
    ...systemClock,
    now: () => Date.now() + ahead,
    monotonic: () => performance.now() + ahead,
    sleep: async (milliseconds) => {
      await new Promise(setImmediate);
      ahead += milliseconds;
    },
  };
}

/** The figures of one promise. */
export interface PromiseResult {
  number: number;
  promise: string;
  figures: Record<string, number | string>;
  isKept: boolean;
}
