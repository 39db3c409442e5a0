import { addAbortListener } from 'node:events';

/** Those who would go, one behind another: only the first looks whether it may, so nobody is woken in vain. */
export interface Line<T extends object> {
  /** Lines up whoever does not stand in it yet. */
  isFirst(one: T): boolean;
  leave(one: T): void;
  /** Until it is called, or the signal is aborted. */
  turn(one: T, abort: AbortSignal): Promise<void>;
  /** Something has changed for who is first. */
  callFirst(): void;
}

export function createLine<T extends object>(): Line<T> {
  const standing = new Set<T>();
  const calls = new Map<T, () => void>();
  const callFirst = () => {
    const [first] = standing;
    if (first !== undefined) calls.get(first)?.();
  };
  return {
    isFirst(one) {
      standing.add(one);
      const [first] = standing;
      return first === one;
    },
    leave(one) {
      const [first] = standing;
      if (standing.delete(one) && first === one) callFirst();
    },
    turn: (one, abort) =>
      new Promise<void>((resolve) => {
        const done = () => {
          calls.delete(one);
          listener[Symbol.dispose]();
          resolve();
        };
        calls.set(one, done);
        const listener = addAbortListener(abort, done);
      }),
    callFirst,
  };
}

export interface Turns {
  /** Works as soon as it may; those who wait begin in the order in which they came. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Until all that is under way now has ended. */
  ended(): Promise<unknown>;
}

/** Lets only so many work at once. */
export function createTaskQueue(most: number): Turns {
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
