import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResponseMemory, type MemoryShare } from '../../../src/api/http/response-reader.ts';

describe('the memory for all responses in flight', () => {
  const maxBytes = 64;
  const piece = 4;
  const isHeldBack = async (turn: Promise<void> | undefined) =>
    turn !== undefined && (await Promise.race([turn.then(() => false), setImmediate(true)]));

  it('holds back what does not fit until another response is done, but never the first one', async () => {
    const memory = createResponseMemory(maxBytes);
    const [first, second, third] = [memory.open(), memory.open(), memory.open()] as const;
    expect(first.take(30)).toBeUndefined();
    expect(second.take(30)).toBeUndefined();
    const turn = third.take(30);
    expect(first.take(500)).toBeUndefined();
    expect(await isHeldBack(turn)).toBe(true);
    first.release();
    expect(await isHeldBack(turn)).toBe(false);
    second.release();
    third.release();
    expect(memory.open().take(maxBytes - 1)).toBeUndefined();
  });

  it('lets a response go on that is given up', async () => {
    const memory = createResponseMemory(maxBytes);
    void memory.open().take(maxBytes);
    const late = memory.open();
    const turn = late.take(1);
    expect(await isHeldBack(turn)).toBe(true);
    late.release();
    expect(await isHeldBack(turn)).toBe(false);
  });

  it('lets responses of any sizes be read to their end, in any order of their pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 30 }),
        fc.scheduler(),
        async (lengths, scheduler) => {
          const memory = createResponseMemory(maxBytes);
          let taken = 0;
          let most = 0;
          const read = async (share: MemoryShare, pieces: number) => {
            for (let read = 0; read < pieces; read++) {
              await scheduler.schedule(Promise.resolve());
              taken += piece;
              most = Math.max(most, taken);
              await share.take(piece);
            }
            taken -= pieces * piece;
            share.release();
          };
          const all = Promise.all(lengths.map((pieces) => read(memory.open(), pieces)));
          await scheduler.waitFor(all);
          // Each response may hold one piece with which it is held back, and the first one its whole length.
          expect(most).toBeLessThanOrEqual(maxBytes + lengths.length * piece + 12 * piece);
        },
      ),
    );
  });
});
