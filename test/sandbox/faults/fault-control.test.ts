import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFaultControl } from '../../../src/sandbox/faults/fault-control.ts';
import { faults } from '../../../src/sandbox/faults/schema.ts';

const later = 600_000;
const control = () => createFaultControl(faults.parse({}), () => 0);

describe('who waits', () => {
  it('may be any number at once, without a warning, and waits no longer once the sandbox stops', async () => {
    const warnings: Error[] = [];
    const collect = (warning: Error) => warnings.push(warning);
    process.on('warning', collect);
    onTestFinished(() => void process.off('warning', collect));
    const { sleep, hasten } = control();
    const waiting = Promise.all(Array.from({ length: 100 }, () => sleep(later)));
    await new Promise(setImmediate);
    hasten();
    await waiting;
    expect(warnings).toEqual([]);
  });
});

describe('what is to be done later', () => {
  it('is done when the sandbox stops, before it has settled', async () => {
    const { afterwards, hasten, settle } = control();
    const done: string[] = [];
    const slowly = (name: string) => async () => {
      await new Promise(setImmediate);
      done.push(name);
    };
    afterwards(later, slowly('before'));
    hasten();
    afterwards(later, slowly('meanwhile'));
    await settle();
    expect(done.sort()).toEqual(['before', 'meanwhile']);
  });

  it('is not done when it was forgotten, and what comes after that is', async () => {
    const { afterwards, hasten, settle, forgetLater } = control();
    const done: string[] = [];
    afterwards(later, async () => void done.push('before'));
    forgetLater();
    afterwards(later, async () => void done.push('after'));
    hasten();
    await settle();
    expect(done).toEqual(['after']);
  });

  it('keeps the others from nothing when it fails', async () => {
    const { afterwards, hasten, settle } = control();
    const done: string[] = [];
    afterwards(later, async () => {
      throw new Error('broken');
    });
    afterwards(later, async () => void done.push('other'));
    hasten();
    await settle();
    expect(done).toEqual(['other']);
  });
});
