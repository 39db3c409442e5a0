#!/usr/bin/env node
// Bundles src into dist, one chunk per command and the library with its types, and gathers the licences of what is bundled.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { main: 'src/main.ts', sandbox: 'src/library/sandbox.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  charset: 'utf8',
  external: ['libsql'],
  // The paths in the bundle do not tell where node_modules is.
  preserveSymlinks: true,
  // CommonJS packages inside an ES module still ask for `require`.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
copyFileSync(join(root, 'src/library/types.ts'), join(dist, 'sandbox.d.ts'));
writeFileSync(join(dist, 'LICENSES.txt'), licencesOf(bundledPackages(metafile)));
// Only now, so that a program that is running while it is built finds all its parts.
for (const stale of staleFiles(metafile)) rmSync(join(dist, stale), { recursive: true });
// npm packs files with their modes, which depend on the umask of whoever checked the project out.
for (const file of packedFiles()) chmodSync(file, basename(dirname(file)) === 'bin' ? 0o755 : 0o644);

function staleFiles({ outputs }) {
  const built = new Set(Object.keys(outputs).map((output) => basename(output)));
  return readdirSync(dist).filter(
    (file) => !['LICENSES.txt', 'sandbox.d.ts'].includes(file) && !built.has(file),
  );
}

function packedFiles() {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return ['LICENSE', 'README.md', 'package.json', ...files].flatMap((name) => {
    const path = join(root, name);
    if (!lstatSync(path).isDirectory()) return [path];
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(path, entry.name));
  });
}

function bundledPackages({ inputs }) {
  const packages = Object.keys(inputs).flatMap((input) => {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    return match ? [match[1]] : [];
  });
  return [...new Set(packages)].sort();
}

/** The file of the package, or the one of its repository when the package does not contain it. */
function licenceFile(name, folder) {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file !== undefined) return join(folder, file);
  const kept = join(root, 'bin/licences', `${name}.txt`);
  if (!existsSync(kept)) throw new Error(`${name} is bundled, but has no licence to ship`);
  return kept;
}

function licencesOf(packages) {
  return packages
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const text = readFileSync(licenceFile(name, join(root, folder)), 'utf8');
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    })
    .join(`\n${'-'.repeat(79)}\n\n`);
}
