import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/system/system.ts';
import { callOnce, goodJson } from './calls.ts';
import { startWithClient } from './stub-service.ts';

describe('64 calls on one signal', () => {
  it('make Node warn of nothing, whether they are answered or wait', async () => {
    const warnings: string[] = [];
    const see = ({ name }: Error) => warnings.push(name);
    process.on('warning', see);
    onTestFinished(() => void process.off('warning', see));
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
