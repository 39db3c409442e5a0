export interface Turns {
  /** Works as soon as it may; those who wait begin in the order in which they came. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Until all that is under way now has ended. */
  ended(): Promise<unknown>;
}

/** Lets only so many work at once. */
export function createTurns(most: number): Turns {
  const waiting: (() => void)[] = [];
  const underWay = new Set<Promise<unknown>>();
  let taken = 0;
  return {
    async take(work) {
      if (taken < most) taken += 1;
      else await new Promise<void>((begin) => waiting.push(begin));
      const working = work();
      underWay.add(working);
      try {
        return await working;
      } finally {
        underWay.delete(working);
        const next = waiting.shift();
        if (next === undefined) taken -= 1;
        else next();
      }
    },
    ended: () => Promise.allSettled(underWay),
  };
}
