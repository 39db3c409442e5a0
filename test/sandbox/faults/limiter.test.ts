import { describe, expect, it } from 'vitest';
import { type FaultSettings, faults } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { createFaultControl } from '../../../src/sandbox/faults/fault-control.ts';

type Settings = NonNullable<FaultSettings>['limits'];

/** A limiter and its clock. */
function startLimiter(settings: Settings) {
  const clock = { now: 1_000_000 };
  const { enter } = createFaultControl(faults.parse({ limits: settings }), () => clock.now);
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
  it('does not reduce the burst', () => {
    const { clock, admitted } = startLimiter({ requestsPerSecond: 1, burst: 3 });
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
