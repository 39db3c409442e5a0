import { type Text, t } from './advice.ts';

/** `59 s`, `1 min 30 s`, `5 min`, `2 h 5 min`: rounded up. */
export function formatDuration(milliseconds: number): Text {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 60) return t`${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? t`${minutes} min` : t`${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? t`${hours} h` : t`${hours} h ${minutes % 60} min`;
}
