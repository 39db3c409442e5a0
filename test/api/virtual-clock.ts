import type { Clock } from '../../src/system/system.ts';

interface Sleeper {
  until: number;
  wake(): void;
}

/** A clock on which no time passes but what everybody waits for: it moves on when nobody has anything else to do. */
export function createVirtualClock() {
  const begun = Date.parse('2026-11-25T08:00:00Z');
  let now = begun;
  const sleepers = new Set<Sleeper>();
  const clock: Clock = {
    now: () => now,
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
  };
  const passed = () => (now - begun) / 1000;

  /** Lets time pass until this has ended; `isBusy` says whether anybody waits for something else than time. */
  const run = async <Result>(what: Promise<Result>, isBusy: () => boolean = () => false): Promise<Result> => {
    let hasEnded = false;
    const ended = what.finally(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
      if (hasEnded || isBusy()) continue;
      const next = Math.min(...[...sleepers].map(({ until }) => until));
      if (next === Number.POSITIVE_INFINITY)
        throw new Error('nobody waits for anything, and it has not ended');
      now = Math.max(now, next);
      for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake();
    }
    return ended;
  };
  return { clock, run, /** Seconds since the beginning. */ passed };
}
