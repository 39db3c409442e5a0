import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The local calendar date, `YYYY-MM-DD`, today or that many days ago. */
  today(daysBefore?: number): string;
  /** Resolves early, without an error, when the signal is aborted. */
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
  const twoDigits = (number: number) => String(number).padStart(2, '0');
  const year = String(moment.getFullYear()).padStart(4, '0');
  return `${year}-${twoDigits(moment.getMonth() + 1)}-${twoDigits(moment.getDate())}`;
}
