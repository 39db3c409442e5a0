const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago a moment was; both in milliseconds since the epoch. */
export function formatAge(moment: number, now: number): string {
  const age = now - moment;
  if (age < minute) return 'just now';
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  if (age < day) return `${Math.floor(age / hour)} h ago`;
  const days = Math.floor(age / day);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}
