import { setFlagsFromString } from 'node:v8';

/** The latest release line that is known to know the flag; another one would complain on stderr. */
const latestMajor = 26;

/**
 * From now on the heap grows by a fifth of what is in use before garbage is collected, instead of up to fourfold: for
 * work that goes on for long in little memory. It takes some 6 % more time. `version` is that of Node, such as 20.19.0.
 */
export function keepHeapSmall(version: string): void {
  if (Number.parseInt(version, 10) <= latestMajor) setFlagsFromString('--heap-growing-percent=20');
}
