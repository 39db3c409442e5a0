import { describe, expect, it } from 'vitest';
import { createTaskQueue } from '../../../src/api/pages/order-finder.ts';

/** Tasks that settle when `end` is called. */
function createTasks() {
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve, reject) => {
      ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
    });
  };
  return { started, work, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe('the task queue', () => {
  it('limits the running tasks and keeps their order, even when some fail', async () => {
    const { started, work, end } = createTasks();
    const queue = createTaskQueue(2);
    const results = ['a', 'b', 'c', 'd', 'e'].map((name) => queue.run(work(name)));
    await nextTick();
    expect(started).toEqual(['a', 'b']);
    end('b', new Error('b failed'));
    await expect(results[1]).rejects.toThrow('b failed');
    await nextTick();
    expect(started).toEqual(['a', 'b', 'c']);
    end('a');
    await nextTick();
    const last = queue.run(work('g'));
    await nextTick();
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    for (const name of ['c', 'd']) end(name);
    await nextTick();
    for (const name of ['e', 'g']) end(name);
    expect(await Promise.all([results[0], ...results.slice(2), last])).toEqual(['a', 'c', 'd', 'e', 'g']);
    const later = queue.run(work('f'));
    await nextTick();
    end('f');
    expect(await later).toBe('f');
  });
});
