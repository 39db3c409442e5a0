const first = 250;
const longest = 30_000;

/** How long to wait after so many failures, in milliseconds: the whole of it at random. `random`: from 0 up to 1. */
export function backoffMilliseconds(failures: number, random: number): number {
  return Math.ceil(random * Math.min(longest, first * 2 ** (failures - 1)));
}
