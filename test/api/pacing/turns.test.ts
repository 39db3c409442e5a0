import { describe, expect, it } from 'vitest';
import { createTaskQueue } from '../../../src/api/pacing/queue.ts';

/** Works that end when they are told to. */
function createWorks() {
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

describe('turns', () => {
  it('let only so many work at once, in the order in which they came, whatever comes of them', async () => {
    const { begun, work, end } = createWorks();
    const turns = createTaskQueue(2);
    const taken = ['a', 'b', 'c', 'd', 'e'].map((name) => turns.take(work(name)));
    await nextTurn();
    expect(begun).toEqual(['a', 'b']);
    end('b', new Error('b failed'));
    await expect(taken[1]).rejects.toThrow('b failed');
    await nextTurn();
    expect(begun).toEqual(['a', 'b', 'c']);
    end('a');
    await nextTurn();
    const last = turns.take(work('g'));
    await nextTurn();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    for (const name of ['c', 'd']) end(name);
    await nextTurn();
    for (const name of ['e', 'g']) end(name);
    expect(await Promise.all([taken[0], ...taken.slice(2), last])).toEqual(['a', 'c', 'd', 'e', 'g']);
    const later = turns.take(work('f'));
    await nextTurn();
    end('f');
    expect(await later).toBe('f');
  });

  it('tell when all that is under way has ended, and wait for nothing that began later', async () => {
    const { work, end } = createWorks();
    const turns = createTaskQueue(2);
    await turns.ended();
    const first = turns.take(work('a'));
    let hasEnded = false;
    const ended = turns.ended().then(() => {
      hasEnded = true;
    });
    const second = turns.take(work('b'));
    await nextTurn();
    expect(hasEnded).toBe(false);
    end('a');
    await Promise.all([first, ended]);
    end('b');
    await second;
  });
});
