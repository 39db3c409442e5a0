const windowMilliseconds = 15_000;
const soonestMilliseconds = 3_000;
const sampleMilliseconds = 250;

export interface Pace {
  record(done: number): void;
  /** Forgets what was measured, as after a pause. */
  restart(done: number): void;
  /** Orders a second over the last 15 s; undefined until 3 s have been measured. */
  perSecond(): number | undefined;
}

export function createPace(now: () => number): Pace {
  let samples = [{ at: now(), done: 0 }];
  let latest = 0;

  return {
    record: (done) => {
      latest = done;
      const at = now();
      if (at - (samples.at(-1)?.at ?? 0) < sampleMilliseconds) return;
      samples.push({ at, done });
      while (at - (samples[1]?.at ?? at) > windowMilliseconds) samples.shift();
    },
    restart: (done) => {
      latest = done;
      samples = [{ at: now(), done }];
    },
    perSecond: () => {
      const [first = { at: now(), done: 0 }] = samples;
      const elapsed = now() - first.at;
      return elapsed < soonestMilliseconds ? undefined : ((latest - first.done) * 1000) / elapsed;
    },
  };
}
