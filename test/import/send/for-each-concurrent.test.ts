import { expect, it } from 'vitest';
import { forEachConcurrent } from '../../../src/import/send/for-each-concurrent.ts';

it('throws the first of several errors when the calls under way have ended', async () => {
  const ended: number[] = [];
  const act = async (item: number) => {
    await new Promise((resolve) => setTimeout(resolve, item));
    ended.push(item);
    throw new Error(`error of ${item}`);
  };
  await expect(forEachConcurrent([30, 1, 60, 5].values(), 3, act)).rejects.toThrow('error of 1');
  expect(ended).toEqual([1, 30, 60]);
});
