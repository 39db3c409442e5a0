import { expect, it } from 'vitest';
import { oncePerTurn } from '../../src/sandbox/http/context.ts';
import { nextTurn } from '../../src/system/waits.ts';

it('what requests of one turn of the event loop read is read once', async () => {
  const reads: string[] = [];
  const read = oncePerTurn((key) => {
    reads.push(key);
    if (key === 'broken') throw new Error('cannot be read');
    return key === 'known' ? reads.length : undefined;
  });
  expect([read('known'), read('unknown'), read('known'), read('unknown')]).toEqual([
    1,
    undefined,
    1,
    undefined,
  ]);
  expect(() => read('broken')).toThrow();
  expect(() => read('broken')).toThrow();
  expect(reads).toEqual(['known', 'unknown', 'broken', 'broken']);
  await nextTurn();
  expect(read('known')).toBe(5);
});
