#!/usr/bin/env node
// Bundles src into dist, one chunk per command and the library with its types, and gathers the licences of what is bundled.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

/** What is not bundled of a package, since no command gets there and loading it costs time at each start. */
const leftOut = {
  // No command is an executable of its own.
  'commander:node:child_process': 'export default {};',
  // The folder is always given, and its search for one fails for a user without a home directory.
  'conf:env-paths': 'export default undefined;',
  // The connector offers HTTP/1.1 alone.
  'undici:./client-h2.js': 'export default {};',
  // Bodies are texts, never those of fetch.
  'undici:../web/fetch/body.js': 'export default {};',
  // The colour level is always given.
  'chalk:#supports-color': 'export default { stdout: false, stderr: false };',
  // undici is a client of many kinds; these are the parts that are imported.
  'src:undici': `
    export { default as Client } from 'undici/lib/dispatcher/client.js';
    export { default as Pool } from 'undici/lib/dispatcher/pool.js';
    export { default as buildConnector } from 'undici/lib/core/connect.js';
    export { default as errors } from 'undici/lib/core/errors.js';`,
};

const leaveOut = {
  name: 'leave out',
  setup(bundler) {
    const paths = [...new Set(Object.keys(leftOut).map((key) => key.slice(key.indexOf(':') + 1)))];
    const filter = new RegExp(`^(?:${paths.map((path) => path.replaceAll('.', '\\.')).join('|')})$`);
    bundler.onResolve({ filter }, ({ path, importer }) => {
      const key = `${packageOf(pathInProject(importer))}:${path}`;
      return key in leftOut ? { path: key, namespace: 'left-out' } : undefined;
    });
    bundler.onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => {
      return { contents: leftOut[path], resolveDir: root };
    });
  },
};

/** esbuild keeps the comments of members, which would be read at each start. */
const withoutComments = {
  name: 'without comments',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]src[\\/].*\.ts$/, namespace: 'file' }, async ({ path }) => {
      const loader = 'ts';
      const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } };
      const source = readFileSync(path, 'utf8');
      const { code } = await transform(source, {
        loader,
        tsconfigRaw,
        charset: 'utf8',
        minifyWhitespace: true,
      });
      return { contents: code, loader: 'js' };
    });
  },
};

const packageOf = (path) => /^(?:.*node_modules\/)?((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];

/** Node.js has them, but esbuild would make a new expression of the literal each time that a line runs. */
const propertyEscapes = { 'regexp-unicode-property-escapes': true };
const options = {
  platform: 'node',
  target: 'node20.19',
  charset: 'utf8',
  logLevel: 'warning',
  supported: propertyEscapes,
};
const bundleOptions = {
  ...options,
  absWorkingDir: root,
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  external: ['libsql'],
  loader: { '.html': 'text' },
  // The paths in the bundle do not tell where node_modules is.
  preserveSymlinks: true,
  legalComments: 'none',
  plugins: [leaveOut, withoutComments],
  write: false,
};
const { metafile, outputFiles } = await build({
  ...bundleOptions,
  entryPoints: { main: 'src/main.ts', library: 'src/library/sandbox.ts' },
  splitting: true,
  format: 'esm',
  metafile: true,
});
// Each of them loads nothing that it does not need: a thread is a program of its own, and what decides about the compile
// cache runs before there is one.
const alone = await build({
  ...bundleOptions,
  entryPoints: {
    'split-rows': 'src/import/read/split-rows.ts',
    'compile-cache': 'src/system/compile-cache.ts',
  },
  format: 'cjs',
});
// Node.js starts CommonJS faster, and esbuild splits ES modules only.
const codes = {};
for (const { path, text } of outputFiles) {
  const { code } = await transform(text, {
    ...options,
    format: 'cjs',
    // A file of this name is an ES module, whose default import of a CommonJS package is the whole of it.
    sourcefile: `${path}.mjs`,
    supported: { ...propertyEscapes, 'dynamic-import': false },
    define: { 'import.meta.url': '__filename' },
    banner: [
      "'use strict';",
      ...inputsOf(path).map(([input, { bytesInOutput }]) => `// ${input} ${bytesInOutput}`),
    ].join('\n'),
  });
  const chunk = code
    // Of our own chunks "default" is that of the ES module.
    .replaceAll(/(__toESM\(require\("\.\/[^"]+"\)), 1\)/g, '$1)')
    // The exports themselves: getters on a copy of them cost 3 % of the time of an import.
    .replace(
      /^module\.exports = __toCommonJS\((\w+)\);$/m,
      'module.exports = __defProp($1, "__esModule", { value: true });',
    );
  codes[basename(path)] = chunk;
}
mkdirSync(dist, { recursive: true });
const others = alone.outputFiles.map(({ path, text }) => [basename(path), text]);
const files = { ...joinFiles(codes), ...Object.fromEntries(others) };
for (const [name, code] of Object.entries(files)) writeFileSync(join(dist, name), code);
const names = metafile.outputs['dist/library.cjs'].exports.join(', ');
writeFileSync(join(dist, 'sandbox.js'), `export { ${names} } from './library.cjs';\n`);
copyFileSync(join(root, 'src/library/types.ts'), join(dist, 'sandbox.d.ts'));
writeFileSync(join(dist, 'LICENSES.txt'), licencesOf(bundledPackages(metafile)));
// Only now, so that a program that is running while it is built finds all its parts.
for (const stale of staleFiles()) rmSync(join(dist, stale), { recursive: true });
// npm packs files with their modes, which depend on the umask of whoever checked the project out.
for (const file of packedFiles()) chmodSync(file, basename(file) === 'merchant-orders.js' ? 0o755 : 0o644);

/** As esbuild writes it on every system. */
function pathInProject(path) {
  return relative(root, path).replaceAll(sep, '/');
}

function inputsOf(path) {
  return Object.entries(metafile.outputs[pathInProject(path)].inputs);
}

/** The file and all that it imports statically, directly or not. */
function startFiles(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of importsOf(name, 'import-statement')) startFiles(imported, found);
  return found;
}

function importsOf(name, kind) {
  return metafile.outputs[`dist/${name}`].imports
    .filter((imported) => imported.kind === kind && !imported.external)
    .map(({ path }) => basename(path));
}

/**
 * Puts the files that are loaded together into one, as functions: opening a file takes as long as running it. Those of
 * every start are in main.cjs, those of every command that runs in context.cjs, and those of requests in request.cjs. Of
 * some of these a dry run needs parts, but never undici, and the declaration of a command loads little.
 */
function joinFiles(codes) {
  const declarations = metafile.inputs['src/program.ts'].imports.filter(
    ({ kind }) => kind === 'dynamic-import',
  );
  const declared = new Set(declarations.flatMap(({ path }) => [...startFiles(chunkOf(path))]));
  const holdsUndici = (name) => inputsOf(`dist/${name}`).some(([input]) => packageOf(input) === 'undici');
  const joined = new Map([...startFiles('main.cjs')].map((name) => [name, 'main.cjs']));
  const join = (file, ...sources) => {
    for (const name of sources.flatMap((source) => [...startFiles(chunkOf(source))])) {
      if (!joined.has(name) && !declared.has(name) && !holdsUndici(name)) joined.set(name, file);
    }
  };
  join('context.cjs', 'src/context.ts', 'src/system/system.ts');
  const ofRequests = ['http/transport', 'client', 'sandbox-identity', 'operations/find'];
  join('request.cjs', ...ofRequests.map((name) => `src/api/${name}.ts`));
  const withRequires = (code, from) =>
    code.replaceAll(/\brequire\("\.\/([^"]+)"\)/g, (call, name) => {
      const file = joined.get(name);
      if (file === undefined) return call;
      return `${file === from ? '' : `require('./${file}').`}__part(${JSON.stringify(name)})`;
    });
  const files = [...new Set(joined.values())].map((file) => {
    const names = [...joined.keys()].filter((name) => joined.get(name) === file);
    const parts = names.map(
      (name) =>
        `${JSON.stringify(name)}: (function (module, exports) {\n${withRequires(codes[name], file)}})`,
    );
    // No module has a name like this, which would hide it.
    const code = `'use strict';
const parts = {\n${parts.join(',\n')}\n};
const modules = {};
function __part(name) {
  if (modules[name] === undefined) {
    modules[name] = { exports: {} };
    parts[name](modules[name], modules[name].exports);
  }
  return modules[name].exports;
}
exports.__part = __part;
${file === 'main.cjs' ? "Object.assign(exports, __part('main.cjs'));\n" : ''}`;
    return [file, code];
  });
  const others = Object.entries(codes)
    .filter(([name]) => !joined.has(name))
    .map(([name, code]) => [name, withRequires(code)]);
  return Object.fromEntries([...files, ...others]);
}

/** The file that begins with this source, which is imported dynamically. */
function chunkOf(source) {
  return basename(Object.keys(metafile.outputs).find((path) => metafile.outputs[path].entryPoint === source));
}

function staleFiles() {
  const kept = ['LICENSES.txt', 'sandbox.d.ts', 'sandbox.js', ...Object.keys(files)];
  return readdirSync(dist).filter((file) => !kept.includes(file));
}

function packedFiles() {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return ['LICENSE', 'README.md', 'package.json', ...files].flatMap((name) => {
    const path = join(root, name);
    if (!lstatSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
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
