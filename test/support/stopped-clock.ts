import type { Clock } from '../../src/system/system.ts';

/** A clock that stands still but for what the test lets pass; sleeps take no real time. */
export function createStoppedClock() {
  const started = Date.parse('2026-11-20T08:00:00Z');
  let passed = 0;
  const timers = new Set<{ at: number; run: () => void }>();
  const pass = (milliseconds: number) => {
    passed += milliseconds;
    for (const timer of timers) if (timer.at <= passed && timers.delete(timer)) timer.run();
  };
  const clock: Clock = {
    now: () => started + passed,
    monotonic: () => passed,
    today: () => '2026-11-20',
    sleep: async (milliseconds) => {
      await new Promise(setImmediate);
      pass(milliseconds);
    },
    after: (milliseconds, run) => {
      const timer = { at: passed + milliseconds, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  return { clock, pass, passToNextTimer: () => pass(Math.min(...[...timers].map(({ at }) => at)) - passed) };
}
