import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { faults } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { createFaultControl } from '../../../src/sandbox/faults/fault-control.ts';

const later = 600_000;
const control = () => createFaultControl(faults.parse({}), () => 0);

describe('waits', () => {
  it('end when the sandbox stops, and cause no warning however many there are', async () => {
    const warnings: Error[] = [];
    const collect = (warning: Error) => warnings.push(warning);
    process.on('warning', collect);
    onTestFinished(() => void process.off('warning', collect));
    const { sleep, endWaits } = control();
    const waiting = Promise.all(Array.from({ length: 100 }, () => sleep(later)));
    await new Promise(setImmediate);
    endWaits();
    await waiting;
    expect(warnings).toEqual([]);
  });
});

describe('a delayed task', () => {
  it('runs before the sandbox has stopped', async () => {
    const { runLater, endWaits, finish } = control();
    const done: string[] = [];
    const slowly = (name: string) => async () => {
      await new Promise(setImmediate);
      done.push(name);
    };
    runLater(later, slowly('before'));
    endWaits();
    runLater(later, slowly('meanwhile'));
    await finish();
    expect(done.sort()).toEqual(['before', 'meanwhile']);
  });

  it('does not run when it was cancelled, unlike a later one', async () => {
    const { runLater, endWaits, finish, cancelLater } = control();
    const done: string[] = [];
    runLater(later, async () => void done.push('before'));
    cancelLater();
    runLater(later, async () => void done.push('after'));
    endWaits();
    await finish();
    expect(done).toEqual(['after']);
  });

  it('does not stop the others when it fails', async () => {
    const { runLater, endWaits, finish } = control();
    const done: string[] = [];
    runLater(later, async () => {
      throw new Error('broken');
    });
    runLater(later, async () => void done.push('other'));
    endWaits();
    await finish();
    expect(done).toEqual(['other']);
  });
});
