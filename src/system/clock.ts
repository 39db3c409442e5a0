import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The calendar date where the user is, `YYYY-MM-DD`; with a count, that many days before today. */
  today(daysBefore?: number): string;
  /** Waits; ends early, without an error, when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  today: (daysBefore = 0) => {
    const moment = new Date();
    moment.setDate(moment.getDate() - daysBefore);
    return calendarDate(moment);
  },
  sleep: async (milliseconds, signal) => {
    await delay(milliseconds, undefined, { signal, ref: true }).catch(() => undefined);
  },
};

/** The local calendar date of a moment. */
export function calendarDate(moment: Date): string {
  const two = (count: number) => String(count).padStart(2, '0');
  const year = String(moment.getFullYear()).padStart(4, '0');
  return `${year}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}
