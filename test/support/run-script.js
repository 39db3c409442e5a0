// Runs a TypeScript file of the project: node test/support/run-script.js test/bench/NAME.ts [arguments]
// It is bundled first, since the oldest Node that is supported reads no TypeScript.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'node_modules/.cache/merchant-orders');
const [script] = process.argv.splice(2, 1);
const { outputFiles } = await build({
  entryPoints: [join(root, script)],
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  loader: { '.html': 'text' },
  // The bundle is elsewhere, and files of the project are found from the script.
  define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, script)).href) },
  write: false,
  logLevel: 'warning',
});
const [{ contents }] = outputFiles;
const hash = createHash('sha256').update(contents).digest('hex').slice(0, 16);
const bundle = join(folder, `${basename(script, '.ts')}-${hash}.mjs`);
if (!existsSync(bundle)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${bundle}.${process.pid}`, contents);
  renameSync(`${bundle}.${process.pid}`, bundle);
}
process.argv[1] = bundle;
await import(pathToFileURL(bundle).href);
