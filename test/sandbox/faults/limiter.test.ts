import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { createLimiter } from '../../../src/sandbox/faults/fault-control.ts';

type Settings = Parameters<typeof limits.parse>[0];

/** A limiter and its clock. */
function startLimiter(settings: Settings) {
  const clock = { now: 1_000_000 };
  const { enter } = createLimiter(limits.parse(settings), () => clock.now);
  /** Milliseconds to wait, or undefined when the request is admitted. */
  const wait = () => {
    const admission = enter();
    return 'waitSeconds' in admission ? Math.round(admission.waitSeconds * 1000) : undefined;
  };
  const admitted = (times: number) =>
    Array.from({ length: times }, wait).filter((ms) => ms === undefined).length;
  return { clock, enter, wait, admitted };
}

describe('requests per second', () => {
  it('admits a burst, then one request whenever a permit is available', () => {
    const { clock, wait, admitted } = startLimiter({ requestsPerSecond: 4, burst: 3 });
    expect(admitted(5)).toBe(3);
    expect(wait()).toBe(250);
    clock.now += 249;
    expect(wait()).toBe(1);
    clock.now += 1;
    expect([wait(), wait()]).toEqual([undefined, 250]);
  });

  it('accumulates no more than a burst', () => {
    const { clock, admitted } = startLimiter({ requestsPerSecond: 4, burst: 3 });
    admitted(3);
    clock.now += 60_000;
    expect(admitted(10)).toBe(3);
  });

  it('admits the given rate over a minute, however often requests are sent', () => {
    const { clock, wait } = startLimiter({ requestsPerSecond: 7, burst: 2 });
    let count = 0;
    for (let passed = 0; passed < 60_000; passed += 10) {
      if (wait() === undefined) count += 1;
      clock.now += 10;
    }
    expect(count).toBeGreaterThanOrEqual(7 * 60);
    expect(count).toBeLessThanOrEqual(7 * 60 + 2);
  });

  it('admits a request after the requested wait', () => {
    const { clock, wait, admitted } = startLimiter({ requestsPerSecond: 3, burst: 2 });
    admitted(2);
    for (let times = 0; times < 50; times += 1) {
      clock.now += Math.ceil(wait() ?? 0);
      clock.now += 1;
      expect(wait()).toBe(undefined);
    }
  });

  it('can be less than one', () => {
    const { wait } = startLimiter({ requestsPerSecond: 0.1, burst: 1 });
    expect([wait(), wait()]).toEqual([undefined, 10_000]);
  });
});

describe('a clock that is set back', () => {
  it.each([null, 1])('does not reduce the burst, with %s requests per second', (requestsPerSecond) => {
    const changes = [{ afterSeconds: 10, requestsPerSecond: 1 }];
    const { clock, admitted } = startLimiter({ requestsPerSecond, burst: 3, changes });
    admitted(1);
    clock.now -= 5000;
    admitted(1);
    clock.now += 15_000;
    expect(admitted(5)).toBe(3);
  });
});

describe('concurrency', () => {
  it('admits a request for each that ends', () => {
    const { enter, wait } = startLimiter({ concurrency: 2 });
    const [first, second] = [enter(), enter()];
    expect(wait()).toBe(1000);
    if ('leave' in first) first.leave();
    expect([wait(), wait()]).toEqual([undefined, 1000]);
    if ('leave' in second) second.leave();
    expect([wait(), wait()]).toEqual([undefined, 1000]);
  });

  it('frees one permit, however often a request is ended', () => {
    const { enter, wait } = startLimiter({ concurrency: 2 });
    const [first] = [enter(), enter()];
    if ('leave' in first) for (let times = 0; times < 3; times += 1) first.leave();
    expect([wait(), wait()]).toEqual([undefined, 1000]);
  });

  it('does not count rejected requests against the rate', () => {
    const { enter, admitted } = startLimiter({ concurrency: 1, requestsPerSecond: 1, burst: 2 });
    const first = enter();
    expect(admitted(5)).toBe(0);
    if ('leave' in first) first.leave();
    expect(admitted(5)).toBe(1);
  });
});

describe('changes', () => {
  it('apply from their time on, in any sequence', () => {
    const changes = [
      { afterSeconds: 20, concurrency: 1 },
      { afterSeconds: 10, concurrency: 3 },
    ];
    const { clock, enter, wait } = startLimiter({ concurrency: 2, changes });
    const first = enter();
    expect([wait(), wait()]).toEqual([undefined, 1000]);
    clock.now += 9_999;
    expect(wait()).toBe(1000);
    clock.now += 1;
    expect([wait(), wait()]).toEqual([undefined, 1000]);
    clock.now += 10_000;
    if ('leave' in first) first.leave();
    expect(wait()).toBe(1000);
  });

  it('remove the limits that they do not name', () => {
    const { clock, admitted } = startLimiter({
      requestsPerSecond: 1,
      burst: 1,
      changes: [{ afterSeconds: 5 }],
    });
    expect(admitted(10)).toBe(1);
    clock.now += 5000;
    expect(admitted(10)).toBe(10);
  });

  it('keep the permits that accumulated at the earlier rate', () => {
    const changes = [{ afterSeconds: 10, requestsPerSecond: 100 }];
    const { clock, admitted } = startLimiter({ requestsPerSecond: 0.1, burst: 50, changes });
    expect(admitted(60)).toBe(50);
    clock.now += 10_000;
    expect(admitted(60)).toBe(1);
    clock.now += 100;
    expect(admitted(60)).toBe(10);
  });
});
