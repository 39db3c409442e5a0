import { onAbort } from './on-abort.ts';

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
        let release: () => void = () => undefined;
        const done = () => {
          calls.delete(one);
          release();
          resolve();
        };
        calls.set(one, done);
        release = onAbort(abort, done);
      }),
    callFirst,
  };
}
