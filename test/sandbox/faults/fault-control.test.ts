import process from 'node:process';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { faults } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { createFaultControl } from '../../../src/sandbox/faults/fault-control.ts';
import { RequestEnded } from '../../../src/sandbox/record/request-log.ts';

const later = 600_000;
const control = () => createFaultControl(faults.parse({}), () => 0);

describe('waits', () => {
  it('end when the sandbox stops, and cause no warning however many there are', async () => {
    const warnings: Error[] = [];
    const collect = (warning: Error) => warnings.push(warning);
    process.on('warning', collect);
    onTestFinished(() => void process.off('warning', collect));
    const { sleep, endWaits } = control();
    const waiting = Promise.allSettled(Array.from({ length: 100 }, () => sleep(later)));
    await new Promise(setImmediate);
    endWaits();
    expect((await waiting).every(({ status }) => status === 'rejected')).toBe(true);
    expect(warnings).toEqual([]);
  });
});

describe('a delayed task', () => {
  it('does not run when waits are ended before its time, unlike a later one', async () => {
    const { runLater, endWaits, sleep } = control();
    const done: string[] = [];
    runLater(1, async () => void done.push('before'));
    endWaits();
    runLater(1, async () => void done.push('after'));
    await vi.waitUntil(() => done.length > 0);
    expect(done).toEqual(['after']);
    endWaits(true);
    runLater(0, async () => void done.push('stopped'));
    await expect(sleep(0)).rejects.toThrow(RequestEnded);
    expect(done).toEqual(['after']);
  });
});
