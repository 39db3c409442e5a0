/** Waiters in the order in which they joined. Only the first is woken, so that a free slot does not wake them all. */
interface WaitQueue<Waiter extends object> {
  join(waiter: Waiter): void;
  isFirst(waiter: Waiter): boolean;
  leave(waiter: Waiter): void;
  /** Until the waiter is woken, or all are. */
  wait(waiter: Waiter): Promise<void>;
  wakeFirst(): void;
  wakeAll(): void;
}

export function createWaitQueue<Waiter extends object>(): WaitQueue<Waiter> {
  const queue = new Set<Waiter>();
  const wakers = new Map<Waiter, () => void>();
  let first: Waiter | undefined;
  const wake = (waiter: Waiter) => {
    wakers.get(waiter)?.();
    wakers.delete(waiter);
  };
  return {
    join(waiter) {
      queue.add(waiter);
      first ??= waiter;
    },
    isFirst: (waiter) => first === waiter,
    leave(waiter) {
      queue.delete(waiter);
      wakers.delete(waiter);
      if (first === waiter) first = queue.values().next().value;
    },
    wait: (waiter) => new Promise((resolve) => void wakers.set(waiter, resolve)),
    wakeFirst: () => first !== undefined && wake(first),
    wakeAll() {
      for (const waiter of queue) wake(waiter);
    },
  };
}

interface TaskQueue {
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
