// Runs a script of test/bench or test/stress: node test/support/run-script.js test/bench/NAME.ts [arguments]
// It is bundled first, since the oldest Node that is supported reads no TypeScript.
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [script] = process.argv.splice(2, 1);
const folder = join(root, 'node_modules/.cache/merchant-orders');
mkdirSync(folder, { recursive: true });
const outfile = join(folder, `${basename(script, '.ts')}-${process.pid}.mjs`);
await build({
  entryPoints: [join(root, script)],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
});
process.argv[1] = outfile;
await import(pathToFileURL(outfile).href);
