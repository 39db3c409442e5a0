import { describe, expect, it } from 'vitest';
import { createTaskQueue } from '../../../src/api/pacing/queue.ts';

/** Tasks that end when `end` is called. */
function createTasks() {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) => {
      ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
    });
  };
  return { begun, work, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('the task queue', () => {
  it('runs only so many tasks at once, in the order in which they were added, even when some fail', async () => {
    const { begun, work, end } = createTasks();
    const queue = createTaskQueue(2);
    const results = ['a', 'b', 'c', 'd', 'e'].map((name) => queue.run(work(name)));
    await nextTurn();
    expect(begun).toEqual(['a', 'b']);
    end('b', new Error('b failed'));
    await expect(results[1]).rejects.toThrow('b failed');
    await nextTurn();
    expect(begun).toEqual(['a', 'b', 'c']);
    end('a');
    await nextTurn();
    const last = queue.run(work('g'));
    await nextTurn();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    for (const name of ['c', 'd']) end(name);
    await nextTurn();
    for (const name of ['e', 'g']) end(name);
    expect(await Promise.all([results[0], ...results.slice(2), last])).toEqual(['a', 'c', 'd', 'e', 'g']);
    const later = queue.run(work('f'));
    await nextTurn();
    end('f');
    expect(await later).toBe('f');
  });

  it('settles when all running tasks have, and does not wait for those that started later', async () => {
    const { work, end } = createTasks();
    const queue = createTaskQueue(2);
    await queue.settled();
    const first = queue.run(work('a'));
    let hasSettled = false;
    const settled = queue.settled().then(() => {
      hasSettled = true;
    });
    const second = queue.run(work('b'));
    await nextTurn();
    expect(hasSettled).toBe(false);
    end('a');
    await Promise.all([first, settled]);
    end('b');
    await second;
  });
});
