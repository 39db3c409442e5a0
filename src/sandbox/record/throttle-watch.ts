interface Told {
  at: number;
  notBefore: number;
}

/** What a client may have on its way, unread, when it is told to wait. */
const graceMs = 100;

/**
 * Notices who comes before the time that they were told to wait until. Whoever asks for the same thing again has
 * read the answer; other requests of the same caller may have been under way just then. Times in epoch milliseconds.
 */
export function createThrottleWatch() {
  const bySubject = new Map<string, Told>();
  const byCaller = new Map<string, Told>();
  return {
    tell(caller: string, subject: string, told: Told): void {
      bySubject.set(`${caller}\n${subject}`, told);
      if ((byCaller.get(caller)?.notBefore ?? 0) < told.notBefore) byCaller.set(caller, told);
    },
    /** How many milliseconds too early; 0 for in time. */
    earlyBy(caller: string, subject: string, arrivedAt: number): number {
      const name = `${caller}\n${subject}`;
      const own = bySubject.get(name);
      if (own && arrivedAt >= own.notBefore) bySubject.delete(name);
      const shared = byCaller.get(caller);
      const isAfterGrace = shared !== undefined && arrivedAt > shared.at + graceMs;
      return Math.max(0, (own?.notBefore ?? 0) - arrivedAt, isAfterGrace ? shared.notBefore - arrivedAt : 0);
    },
  };
}
