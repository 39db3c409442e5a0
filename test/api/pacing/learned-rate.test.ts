import { describe, expect, it } from 'vitest';
import { createLearnedRate } from '../../../src/api/pacing/learned-rate.ts';

/** A rate that was found from requests this many milliseconds apart, and what it makes of the next ones. */
function foundAt(spacing: number) {
  const rate = createLearnedRate();
  let now = 1000;
  const send = (isAccepted: boolean) => {
    now = Math.max(now + spacing / 4, rate.nextStartAt(now, 0) ?? now);
    rate.started(now);
    const startedAt = now;
    now += spacing / 4;
    if (isAccepted) return rate.accepted(startedAt, now);
    return rate.rejected(startedAt, now, 1000 / spacing, false);
  };
  const accept = (count: number) => {
    for (let index = 0; index < count; index += 1) send(true);
  };
  accept(20);
  expect(send(false)).toBe(true);
  // The first rate that is tried is too high.
  accept(1);
  expect(send(false)).toBe(true);
  accept(80);
  return { accept, reject: () => send(false) };
}

describe('a single rejection', () => {
  it.each([
    ['4 a second', 250],
    ['400 a second', 2.5],
  ])('does not lower the rate: %s', (_name, spacing) => {
    const { reject } = foundAt(spacing);
    expect(reject()).toBe(false);
  });

  it('lowers a low rate when another came shortly before, and a high rate does not fall', () => {
    const outcomes = [250, 2.5].map((spacing) => {
      const { accept, reject } = foundAt(spacing);
      accept(60);
      return [reject(), accept(5), reject()];
    });
    expect(outcomes).toEqual([
      [false, undefined, true],
      [false, undefined, false],
    ]);
  });
});

it('does not take the rate for low because the first rejection took long', () => {
  const rate = createLearnedRate();
  let now = 1000;
  let accepted = 0;
  for (let request = 0; now < 61_000; request += 1) {
    now = Math.max(now + 2, rate.nextStartAt(now, 0) ?? now);
    rate.started(now);
    rate.sending(now);
    const startedAt = now;
    now += request === 3 ? 600 : 2;
    if (request === 3) rate.rejected(startedAt, now, 1 / 0.6, true);
    else rate.accepted(startedAt, now);
    if (now > 11_000) accepted += 1;
  }
  expect(accepted / 50).toBeGreaterThan(100);
});

it('does not take the rates that were tried before for all that is accepted', () => {
  const rate = createLearnedRate();
  let [now, spacing, fastSince, rejectedAt] = [1000, 0, 0, 0];
  for (let request = 1; rejectedAt === 0 || now < rejectedAt + 4000; request += 1) {
    const before = now;
    now = Math.max(now + 1, rate.nextStartAt(now, 0) ?? now);
    spacing = now - before;
    if (request > 21 && spacing < 3 && fastSince === 0) fastSince = now;
    const isFirst = request === 20;
    const isSecond = fastSince > 0 && now > fastSince + 200 && rejectedAt === 0;
    rate.started(now);
    rate.sending(now);
    if (isSecond) rejectedAt = now;
    if (isFirst || isSecond) rate.rejected(now, now + 0.5, 300, true);
    else rate.accepted(now, now + 0.5);
    if (isFirst || isSecond) now += 1000;
  }
  expect(spacing).toBeLessThan(4);
});
