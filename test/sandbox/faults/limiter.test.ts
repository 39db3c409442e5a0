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
