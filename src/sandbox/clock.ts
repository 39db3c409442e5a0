export type ServiceClock = ReturnType<typeof createServiceClock>;

/** The time of the service, which the admin may set, beside the time of this machine. Epoch milliseconds. */
export function createServiceClock(machine: () => number) {
  let ahead = 0;
  return {
    /** What orders and keys are dated by. */
    now: (): number => machine() + ahead,
    /** What waiting is measured by, and the record. */
    machine,
    set(now: number): void {
      ahead = now - machine();
    },
  };
}
