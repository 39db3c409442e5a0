import { type Clock, systemClock } from '../../src/system/system.ts';

interface Sleeper {
  until: number;
  wake(): void;
}

/** A clock that jumps to the end of the next sleep once nothing else is left to do. */
export function createVirtualClock() {
  const started = Date.parse('2026-11-25T08:00:00Z');
  let now = started;
  const sleepers = new Set<Sleeper>();
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    today: () => '2026-11-25',
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        const sleeper = { until: now + milliseconds, wake: () => end() };
        const end = () => {
          sleepers.delete(sleeper);
          resolve();
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', end, { once: true });
      }),
    after: systemClock.after,
  };
  /** Seconds since the start. */
  const passed = () => (now - started) / 1000;

  /** Lets time pass until the promise settles; no time passes while `isBusy`, such as during real input and output. */
  const run = async <Result>(
    promise: Promise<Result>,
    isBusy: () => boolean = () => false,
  ): Promise<Result> => {
    let hasEnded = false;
    const ended = promise.finally(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      for (let tick = 0; tick < 3; tick++) await new Promise(setImmediate);
      if (hasEnded || isBusy()) continue;
      const next = Math.min(...[...sleepers].map(({ until }) => until));
      if (next === Number.POSITIVE_INFINITY) throw new Error('the promise is pending, and nothing sleeps');
      now = Math.max(now, next);
      for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake();
    }
    return ended;
  };
  return { clock, run, passed };
}
