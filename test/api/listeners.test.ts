import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/system/system.ts';
import { callOnce, goodJson } from './calls.ts';
import { startWithClient } from './stub-service.ts';

describe('64 calls on one signal', () => {
  it('cause no warning of Node.js, neither in flight nor waiting', async () => {
    const warnings: string[] = [];
    const record = ({ name }: Error) => warnings.push(name);
    process.on('warning', record);
    onTestFinished(() => void process.off('warning', record));
    const { signal } = new AbortController();
    let requests = 0;
    const { client } = await startWithClient(() => (requests++ < 64 ? { status: 500 } : { json: goodJson }), {
      clock: systemClock,
      random: () => 0.2,
      stopping: signal,
      leaving: signal,
    });
    const calls = Array.from({ length: 64 }, () => callOnce(client, 'create'));
    for (const { outcome } of await Promise.all(calls)) expect(outcome).toBe('succeeded');
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
  });
});
