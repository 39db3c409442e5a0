import { type Text, t } from './advice.ts';

/** `90 s`, `5 min`, `3 h`: rounded up, for how long something may take. */
export function formatDuration(milliseconds: number): Text {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return t`${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? t`${minutes} min` : t`${Math.ceil(minutes / 60)} h`;
}

/** `59 s`, `1 min 30 s`, `2 h 5 min`, for a time that is counted while somebody watches. */
export function formatCountedTime(seconds: number): Text {
  const whole = Math.ceil(seconds);
  if (whole < 60) return t`${whole} s`;
  if (whole < 3600) return t`${Math.floor(whole / 60)} min ${whole % 60} s`;
  return t`${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
