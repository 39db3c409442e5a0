import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Spawned tests run dist, so it is built from the current sources. */
export function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../bin/build.mjs', import.meta.url))], {
    stdio: 'inherit',
  });
}
