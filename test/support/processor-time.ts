import process from 'node:process';

/** Prints what the whole run took of the processor, once it is over. */
export function teardown(): void {
  const { user } = process.cpuUsage();
  process.stderr.write(`User CPU: ${(user / 1_000_000).toFixed(1)} s\n`);
}
