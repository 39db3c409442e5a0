import type { Behaviour } from '../behaviour/schema.ts';
import type { RequestLog } from '../record/request-log.ts';
import type { Store } from '../store/store.ts';

export interface Service {
  store: Store;
  /** The admin API replaces it: read it anew for each request. */
  behaviour: Behaviour;
  requestLog: RequestLog;
  clock: ServiceClock;
  /** Every SKU is known and active. */
  anySku: boolean;
  /** What a request may have as its `Host`, beside the names of loopback: names and IP addresses. */
  allowHosts: readonly string[];
  randomUuid(): string;
}

type ServiceClock = ReturnType<typeof createServiceClock>;

/** The time of the service, which the admin API can set, beside the time of this machine. Epoch milliseconds. */
export function createServiceClock(machine: () => number) {
  let ahead = 0;
  return {
    /** Dates orders and idempotency keys. */
    now: (): number => machine() + ahead,
    /** Times waits and logged requests. */
    machine,
    set(now: number): void {
      ahead = now - machine();
    },
  };
}
