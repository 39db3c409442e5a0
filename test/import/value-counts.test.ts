import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createCounts } from '../../src/import/problem.ts';

it('keeps no long values of a column whole', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const usedBytes = async () => {
    collectGarbage();
    // The memory of buffers is released a moment later.
    await new Promise((resolve) => setTimeout(resolve, 50));
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = await usedBytes();
  const counts = createCounts();
  for (let cell = 0; cell < 50; cell += 1)
    counts.add(Buffer.alloc(1024 * 1024, `${cell} `).toString('latin1'));
  expect((await usedBytes()) - before).toBeLessThan(20 * 1024 * 1024);
  expect(counts.whole).toEqual([]);
});
