import type { Behaviour } from '../behaviour/schema.ts';
import type { createRequestLog } from '../record/request-log.ts';
import type { Store } from '../store/store.ts';

export interface Service {
  store: Store;
  /** Must be read for each request, because the admin API replaces it. */
  behaviour: Behaviour;
  requestLog: ReturnType<typeof createRequestLog>;
  clock: ServiceClock;
  /** Which SKUs are accepted unchecked: all, or those that the catalogue lacks. */
  anySku: boolean | 'unknown';
  /** Names and addresses that requests may have as their `Host`, besides those of loopback. */
  allowHosts: readonly string[];
  randomUuid(): string;
}

type ServiceClock = ReturnType<typeof createServiceClock>;

/** The only time of the service. Epoch milliseconds. */
export function createServiceClock(machine: () => number) {
  let ahead = 0;
  return {
    now: (): number => machine() + ahead,
    /** It continues from there; without a time it is that of the machine again. */
    set(now = machine()): void {
      ahead = now - machine();
    },
  };
}
