import { expect, it } from 'vitest';
import { createTurnMemory } from '../../../src/sandbox/store/turn-memory.ts';

it('reads once in a turn of the event loop, again in the next, and what was forgotten at once', async () => {
  const memory = createTurnMemory<number>();
  let reads = 0;
  const recall = (name = 'one') => memory.recall(name, () => ++reads);
  expect([recall(), recall(), recall('other'), recall()]).toEqual([1, 1, 2, 1]);
  memory.forget();
  expect([recall(), recall()]).toEqual([3, 3]);
  await new Promise(setImmediate);
  expect(recall()).toBe(4);
});
