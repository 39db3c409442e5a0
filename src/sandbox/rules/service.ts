import type { Behaviour } from '../behaviour/schema.ts';
import type { RequestLog } from '../record/request-log.ts';
import type { Store } from '../store/store.ts';

export interface Service {
  store: Store;
  /** Must be read for each request, because the admin API replaces it. */
  behaviour: Behaviour;
  requestLog: RequestLog;
  clock: ServiceClock;
  anySku: boolean;
  /** Names and addresses that requests may have as their `Host`, besides those of loopback. */
  allowHosts: readonly string[];
  randomUuid(): string;
}

type ServiceClock = ReturnType<typeof createServiceClock>;

/** The admin API can set the time of the service. Epoch milliseconds. */
export function createServiceClock(machine: () => number) {
  let ahead = 0;
  return {
    /** For orders and idempotency keys. */
    now: (): number => machine() + ahead,
    /** For waits and logged requests. */
    machine,
    set(now: number): void {
      ahead = now - machine();
    },
  };
}
