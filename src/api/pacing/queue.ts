import { addAbortListener } from 'node:events';

/** Waiters in the order in which they joined. Only the first is woken, so that a free slot does not wake them all. */
export interface WaitQueue<Waiter extends object> {
  join(waiter: Waiter): void;
  isFirst(waiter: Waiter): boolean;
  leave(waiter: Waiter): void;
  wait(waiter: Waiter, abort: AbortSignal): Promise<void>;
  wakeFirst(): void;
}

export function createWaitQueue<Waiter extends object>(): WaitQueue<Waiter> {
  const queue = new Set<Waiter>();
  const wakers = new WeakMap<Waiter, () => void>();
  const first = () => queue.values().next().value;
  const wakeFirst = () => {
    const waiter = first();
    if (waiter !== undefined) wakers.get(waiter)?.();
  };
  return {
    join: (waiter) => void queue.add(waiter),
    isFirst: (waiter) => first() === waiter,
    leave(waiter) {
      const wasFirst = first() === waiter;
      queue.delete(waiter);
      if (wasFirst) wakeFirst();
    },
    wait: (waiter, abort) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          listener[Symbol.dispose]();
          resolve();
        };
        wakers.set(waiter, wake);
        const listener = addAbortListener(abort, wake);
      }),
    wakeFirst,
  };
}

export interface TaskQueue {
  /** Starts the task as soon as a slot is free; tasks start in the order in which they were added. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  settled(): Promise<unknown>;
}

export function createTaskQueue(maxConcurrency: number): TaskQueue {
  const waiting: (() => void)[] = [];
  const running = new Set<Promise<unknown>>();
  let slotsTaken = 0;
  return {
    async run(task) {
      if (slotsTaken < maxConcurrency) slotsTaken += 1;
      else await new Promise<void>((start) => waiting.push(start));
      const result = task();
      running.add(result);
      try {
        return await result;
      } finally {
        running.delete(result);
        const startNext = waiting.shift();
        if (startNext === undefined) slotsTaken -= 1;
        else startNext();
      }
    },
    settled: () => Promise.allSettled(running),
  };
}
