import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The spawned tests run what is in dist, so it is made from the sources at hand. */
export function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../bin/build.js', import.meta.url))], {
    stdio: 'inherit',
  });
}
